package org.jspdl.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jspdl.pipeline.StageOptions.async;
import static org.jspdl.pipeline.StageOptions.cpu;
import static org.jspdl.pipeline.StageOptions.io;

import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Which `cpu` stage gets the only compute thread of a run.
class PriorityTest {
    private final Gate busy = new Gate();
    private final Gate queued = new Gate();
    private final ConcurrentLinkedQueue<String> calls = new ConcurrentLinkedQueue<>();

    /// The stages that were called, in their order, after both had waited for the thread.
    private List<String> order(StageOptions first, StageOptions last) throws InterruptedException {
        Pipeline<String> holding = Pipeline.from(List.of("holding")).pipe("busy", busy::pass, cpu(1));
        queued.open();
        try (Run<String> run = Pipeline.merge(holding, waiting("first", first), waiting("last", last))
                .start(RunOptions.defaults().computeThreads(1))) {
            queued.awaitArrivals(2);
            busy.open();
            run.forEach(item -> {});
        }
        return calls.stream().distinct().toList();
    }

    private Pipeline<String> waiting(String stage, StageOptions options) {
        Iterable<String> items = () -> Stream.of("a", "b").map(this::followed).iterator();
        return Pipeline.from(items).pipe(stage, item -> called(stage, item), options);
    }

    private String called(String stage, String item) {
        calls.add(stage);
        return item;
    }

    /// Comes when the thread is held; with the second item, the stage waits for the thread to take the first.
    private String followed(String item) {
        busy.awaitArrivals(1);
        if (item.equals("b")) {
            try {
                queued.pass(item);
            } catch (InterruptedException stop) {
                throw new IllegalStateException(stop);
            }
        }
        return item;
    }

    @Test
    void theStageNearestToTheConsumerGoesFirstUnlessPrioritiesAreSet() throws InterruptedException {
        assertThat(order(cpu(1), cpu(1))).containsExactly("last", "first");
    }

    @Test
    void aGreaterPriorityGoesFirst() throws InterruptedException {
        assertThat(order(cpu(1).priority(1), cpu(1))).containsExactly("first", "last");
    }

    @Test
    void aLowerPriorityThanTheUsualGoesLast() throws InterruptedException {
        assertThat(order(cpu(1), cpu(1).priority(-1))).containsExactly("first", "last");
    }

    @Test
    void ofEqualPrioritiesTheStageNearestToTheConsumerGoesFirst() throws InterruptedException {
        assertThat(order(cpu(1).priority(7), cpu(1).priority(7))).containsExactly("last", "first");
    }

    @Test
    void aPriorityStaysWithOtherOptionsAndIsShown() {
        StageOptions options = cpu(2).priority(3).inputOrder().buffer(4).concurrency(5);

        assertThat(options.priority()).isEqualTo(3);
        assertThat(options).hasToString("cpu(5).priority(3).inputOrder().buffer(4)");
    }

    @Test
    void stagesThatShareNoThreadsHaveNoPriority() {
        for (StageOptions options : List.of(io(1), async(1), StageOptions.dedicated())) {
            assertThatThrownBy(() -> options.priority(1))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("only cpu stages")
                    .hasMessageContaining(options.toString());
        }
    }
}
