package org.jspdl.pipeline.internal.stage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import org.jspdl.pipeline.ByteBudget;
import org.jspdl.pipeline.internal.lineage.Ledger;
import org.jspdl.pipeline.internal.link.Envelope;
import org.jspdl.pipeline.internal.link.Link;
import org.jspdl.source.Position;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A budget of three items, whose consumer lets less in.
class ConfinedBudgetTest {
    private static final long ITEM = 100;
    private static final int ANY = Integer.MAX_VALUE;

    private final Ledger ledger = new Ledger();
    private final Budget budget = new Budget(new ByteBudget(3 * ITEM, ITEM));
    private final Semaphore waits = new Semaphore(0);
    private int admitted;
    private long delivered;

    @BeforeEach
    void start() {
        budget.addSource(Long.MAX_VALUE);
        budget.onWait(waits::release);
        ledger.addSource(List.of(), List.of(new Ledger.SourceCursor(0, Position.START)), 0, null);
        Objects.requireNonNull(budget.rule()).watch(List.of(), new Link("sink", 1, 1, true, item -> {}));
    }

    private Envelope admit() throws InterruptedException {
        return admit(0);
    }

    private Envelope admit(long epoch) throws InterruptedException {
        long estimate = budget.admit(0, epoch, new WorkerSlot(System.nanoTime(), budget.rule()), () -> false);
        Envelope item = Envelope.item("", epoch, ledger.admit(0, 0, Position.at(admitted), Position.at(++admitted)));
        item.bytes = estimate;
        return item;
    }

    private void deliver(Envelope item) {
        ledger.settle(item.lineage);
        budget.deliver(item);
        delivered++;
    }

    private void confine(int items) {
        budget.confine(items, delivered);
    }

    /// The source on a thread of its own.
    private FutureTask<Envelope> elsewhere() {
        Callable<Envelope> source = this::admit;
        FutureTask<Envelope> item = new FutureTask<>(source);
        Thread.ofVirtual().start(item);
        return item;
    }

    @Test
    void theSourceWaitsAlthoughTheBudgetHasRoomAndGoesOnWhenTheConsumerLetsIt() throws Exception {
        deliver(admit());
        confine(1);
        Envelope first = admit();

        FutureTask<Envelope> second = elsewhere();
        waits.acquire();
        budget.reconsider();
        assertThat(budget.isAwaited()).isFalse(); // what is late need not be passed for a consumer that has enough
        assertThat(budget.stats().usedBytes()).isEqualTo(ITEM);

        confine(2);
        deliver(second.get());
        deliver(first);
        assertThat(budget.stats().usedBytes()).isZero();
    }

    @Test
    void whatWasDeliveredCountsUntilTheConsumerSaysWhatItHasRoomFor() throws Exception {
        deliver(admit());
        confine(ANY);
        Envelope first = admit();
        admit();
        admit();
        deliver(first);

        FutureTask<Envelope> next = elsewhere();
        waits.acquire();
        budget.reconsider();
        budget.confine(ANY, delivered - 1); // by a thread that has not heard of it
        budget.reconsider();
        assertThat(budget.stats().usedBytes()).isEqualTo(2 * ITEM);

        confine(3);
        assertThat(next.get().bytes).isEqualTo(ITEM);
    }

    @Test
    void whatIsPassedOverWithoutTheConsumerDoesNotCount() throws Exception {
        deliver(admit());
        confine(ANY);
        admit();
        admit();
        budget.release(admit());

        admit();
        assertThat(budget.stats().usedBytes()).isEqualTo(3 * ITEM);
    }

    @Test
    void aRunThatStandsStillLetsNothingInBeyondUntilTheConsumerWaits() throws Exception {
        deliver(admit());
        confine(3);
        admit();
        admit();
        admit();

        FutureTask<Envelope> beyond = elsewhere();
        waits.acquire();
        budget.reconsider();
        assertThat(budget.stats().admittedBeyond()).isZero();

        confine(ANY);
        beyond.get();
        assertThat(budget.stats().admittedBeyond()).isOne();
        assertThat(waits.tryAcquire())
                .isTrue(); // who passes late items is told again, now that nothing fits in earnest
    }

    @Test
    void aGroupThatTheEpochEndsEarlyCountsAsAWholeOne() throws Exception {
        Envelope group = admit();
        admit();
        admit();
        group.bytes = 3 * ITEM; // three items became one
        deliver(group);
        confine(1);
        Envelope last = admit(0);

        FutureTask<Envelope> next = new FutureTask<>(() -> admit(1));
        Thread.ofVirtual().start(next);
        waits.acquire();
        assertThat(budget.stats().usedBytes()).isEqualTo(ITEM);

        deliver(last);
        confine(1);
        assertThat(next.get().epoch).isOne();
        admit(1);
        assertThat(budget.stats().usedBytes()).isEqualTo(2 * ITEM);
    }

    @Test
    void nothingIsConfinedBeforeAnItemWasDelivered() throws Exception {
        confine(0);
        admit();
        admit();
        deliver(admit());

        FutureTask<Envelope> next = elsewhere();
        waits.acquire();
        confine(ANY);
        assertThat(next.get().bytes).isEqualTo(ITEM);
    }

    @Test
    void negativeNumbersAreRefused() {
        assertThatThrownBy(() -> budget.confine(-1, 0)).isInstanceOf(IllegalArgumentException.class);
    }
}
