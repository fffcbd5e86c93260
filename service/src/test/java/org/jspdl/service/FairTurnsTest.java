package org.jspdl.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Who gets the turns of a worker.
class FairTurnsTest {
    private static final long LONG = TimeUnit.MINUTES.toNanos(10);

    private final List<Thread> threads = new ArrayList<>();
    private final List<String> order = Collections.synchronizedList(new ArrayList<>());

    /// Asks on a thread of its own, and returns when that waits.
    private void ask(FairTurns turns, String asker) {
        int before = turns.waiting();
        threads.add(Thread.ofVirtual().start(() -> {
            try {
                if (turns.take(asker, LONG)) {
                    order.add(asker);
                }
            } catch (InterruptedException ended) {
                Thread.currentThread().interrupt();
            }
        }));
        while (turns.waiting() == before) {
            Thread.onSpinWait();
        }
    }

    private void giveBack(FairTurns turns, String asker) {
        int before = order.size();
        turns.release(asker);
        while (order.size() == before) {
            Thread.onSpinWait();
        }
    }

    @AfterEach
    void end() throws InterruptedException {
        threads.forEach(Thread::interrupt);
        for (Thread each : threads) {
            each.join();
        }
    }

    @Test
    void whoAsksForMuchDelaysOthersByOneTurn() throws Exception {
        FairTurns turns = new FairTurns(1);
        assertThat(turns.take("greedy", 0)).isTrue();
        for (int i = 0; i < 4; i++) {
            ask(turns, "greedy");
        }
        ask(turns, "modest");
        ask(turns, "other");

        giveBack(turns, "greedy");
        giveBack(turns, "greedy");
        giveBack(turns, "modest");
        giveBack(turns, "other");

        assertThat(order).containsExactly("greedy", "modest", "other", "greedy");
    }

    @Test
    void aTurnGoesToWhoHoldsTheFewest() throws Exception {
        FairTurns turns = new FairTurns(4);
        for (String asker : List.of("slow", "slow", "fast", "fast")) {
            assertThat(turns.take(asker, 0)).isTrue();
        }
        ask(turns, "slow");
        ask(turns, "fast");
        ask(turns, "fast");

        giveBack(turns, "fast");
        giveBack(turns, "fast");

        assertThat(order).containsExactly("fast", "fast");
    }

    @Test
    void nobodyHoldsAllTurns() throws Exception {
        FairTurns turns = new FairTurns(8);
        for (int i = 0; i < 6; i++) {
            assertThat(turns.take("slow", 0)).isTrue();
        }

        assertThat(turns.take("slow", 0)).isFalse();
        assertThat(turns.take("fast", 0)).isTrue();
        assertThat(turns.take("slow", 1_000_000)).isFalse();
        assertThat(turns.take("fast", 0)).isTrue();
        assertThat(turns.take("fast", 0)).isFalse();
        assertThat(turns.waiting()).isZero();
    }

    @Test
    void whoGivesUpIsForgottenAndTakesNoTurn() throws Exception {
        FairTurns turns = new FairTurns(1);
        assertThat(turns.take("first", 0)).isTrue();
        ask(turns, "gone");
        threads.getFirst().interrupt();
        threads.getFirst().join();
        assertThat(turns.waiting()).isZero();
        turns.release("first");

        assertThat(turns.take("next", 0)).isTrue();
        assertThat(order).isEmpty();
    }
}
