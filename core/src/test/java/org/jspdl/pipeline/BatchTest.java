package org.jspdl.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jspdl.pipeline.Remainder.DROP;
import static org.jspdl.pipeline.Remainder.KEEP;
import static org.jspdl.pipeline.Runs.deliveries;
import static org.jspdl.pipeline.Runs.numbers;
import static org.jspdl.pipeline.StageOptions.cpu;
import static org.jspdl.pipeline.StageOptions.io;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspdl.source.Sources;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class BatchTest {

    @Test
    void aRemainderIsKeptAsASmallerBatch() {
        assertThat(deliveries(Pipeline.from(Sources.range(7)).batch(3, KEEP)))
                .containsExactly(numbers(0, 3), numbers(3, 6), numbers(6, 7));
    }

    @Test
    void aRemainderIsDroppedWhenAsked() {
        assertThat(deliveries(Pipeline.from(Sources.range(7)).batch(3, DROP)))
                .containsExactly(numbers(0, 3), numbers(3, 6));
    }

    @Test
    void batchesThatFitLeaveNoEmptyRemainder() {
        assertThat(deliveries(Pipeline.from(Sources.range(6)).batch(3, KEEP))).hasSize(2);
        assertThat(deliveries(Pipeline.from(Sources.range(0)).batch(3, KEEP))).isEmpty();
    }

    @Test
    void aSingleItemIsFlushedAtTheEnd() {
        assertThat(deliveries(Pipeline.from(List.of("only")).batch(100, KEEP))).containsExactly(List.of("only"));
    }

    @Test
    void batchesOfOneHoldEachItem() {
        assertThat(deliveries(Pipeline.from(Sources.range(4)).batch(1, DROP)))
                .containsExactly(List.of(0L), List.of(1L), List.of(2L), List.of(3L));
    }

    @ParameterizedTest
    @MethodSource("org.jspdl.pipeline.Setting#all")
    void everyItemIsInOneBatch(Setting setting) {
        Pipeline<List<Long>> pipeline = Pipeline.from(Sources.range(100))
                .pipe("work", item -> item, setting.options())
                .batch(7, KEEP)
                .pipe("stack", batch -> batch, setting.options());

        List<List<Long>> batches = deliveries(pipeline);

        assertThat(batches).hasSize(15);
        assertThat(batches.stream().flatMap(List::stream)).containsExactlyInAnyOrderElementsOf(numbers(0, 100));
    }

    @Test
    void filteredAndSkippedItemsLeaveNoHolesInABatch() {
        Pipeline<List<Long>> pipeline = Pipeline.from(Sources.range(20))
                .filter(item -> item % 2 == 0)
                .pipe(
                        "fail",
                        item -> {
                            if (item % 3 == 0) {
                                throw new IllegalArgumentException("three");
                            }
                            return item;
                        },
                        cpu(2).inputOrder().failures(FailurePolicy.skip(10)))
                .batch(3, KEEP);

        assertThat(deliveries(pipeline)).containsExactly(List.of(2L, 4L, 8L), List.of(10L, 14L, 16L));
    }

    @Test
    void unbatchPassesOnEachElementInOrder() {
        Pipeline<Long> pipeline =
                Pipeline.from(Sources.range(50)).batch(8, KEEP).unbatch(batch -> batch);

        assertThat(deliveries(pipeline)).isEqualTo(numbers(0, 50));
    }

    @Test
    void anEmptyIterableBecomesNothing() {
        Pipeline<Integer> pipeline = Pipeline.from(List.of(List.of(1), List.<Integer>of(), List.of(2, 3)))
                .unbatch(list -> list);

        assertThat(deliveries(pipeline)).containsExactly(1, 2, 3);
    }

    @Test
    void unbatchPullsElementsOnlyAsThereIsRoom() {
        AtomicInteger pulled = new AtomicInteger();
        Iterable<Integer> endless = () -> new Iterator<>() {
            @Override
            public boolean hasNext() {
                return true;
            }

            @Override
            public Integer next() {
                return pulled.incrementAndGet();
            }
        };

        try (Run<Integer> run =
                Pipeline.from(List.of(endless)).unbatch(all -> all).prefetch(2).start()) {
            assertThat(Runs.take(run, 10)).containsExactly(1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
            assertThat(pulled.get()).isLessThan(20);
        }
    }

    @Test
    void anUnbatchThatThrowsFailsTheRunAfterTheElementsBefore() {
        Pipeline<Long> pipeline = Pipeline.from(List.of(1L, 2L)).unbatch(item -> {
            if (item == 2) {
                throw new IllegalStateException("cannot be opened");
            }
            return List.of(item, item);
        });

        try (Run<Long> run = pipeline.start()) {
            Iterator<Long> items = run.iterator();
            assertThat(items.next()).isEqualTo(1);
            assertThat(items.next()).isEqualTo(1);
            assertThatThrownBy(items::hasNext)
                    .isInstanceOf(PipelineException.class)
                    .hasMessageContaining("unbatch")
                    .hasMessageContaining("index 1")
                    .hasMessageContaining("cannot be opened");
        }
    }

    @Test
    void aPartialBatchIsPassedOnWhenItsFlushIntervalIsOver() {
        LinkedBlockingQueue<Integer> queue = new LinkedBlockingQueue<>(List.of(1, 2));
        Pipeline<List<Integer>> pipeline = Pipeline.from(Sources.queue(queue)).batch(100, KEEP, Duration.ofMillis(20));

        try (Run<List<Integer>> run = pipeline.start()) {
            assertThat(Runs.take(run, 1).getFirst()).isNotEmpty();
            queue.add(3);
            assertThat(Runs.take(run, 1).getFirst()).isNotEmpty();
        }
    }

    @Test
    void whatIsReadyWhenTheFlushIntervalIsOverIsPassedOnToo() {
        LinkedBlockingQueue<Integer> queue = new LinkedBlockingQueue<>(List.of(1, 2, 3, 4, 5));
        Pipeline<List<Integer>> pipeline = Pipeline.from(Sources.queue(queue))
                .pipe("work", item -> item, cpu(1).buffer(128))
                .batch(100, KEEP, Duration.ofMillis(20));

        try (Run<List<Integer>> run = pipeline.start()) {
            List<Integer> flushed = new ArrayList<>();
            while (flushed.size() < 5) {
                flushed.addAll(run.iterator().next());
            }
            assertThat(flushed).containsExactly(1, 2, 3, 4, 5);
        }
    }

    @Test
    void aFullBatchDoesNotWaitForItsFlushInterval() {
        LinkedBlockingQueue<Integer> queue = new LinkedBlockingQueue<>(List.of(1, 2));
        Pipeline<List<Integer>> pipeline = Pipeline.from(Sources.queue(queue)).batch(2, KEEP, Duration.ofHours(1));

        try (Run<List<Integer>> run = pipeline.start()) {
            assertThat(run.iterator().next()).containsExactly(1, 2);
        }
    }

    @Test
    void aBatchSizeOfNothingIsRefused() {
        assertThatThrownBy(() -> Pipeline.from(Sources.range(1)).batch(0, KEEP))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("0");
    }

    @Test
    void aFlushIntervalOfNothingIsRefused() {
        assertThatThrownBy(() -> Pipeline.from(Sources.range(1)).batch(1, KEEP, Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("flushAfter");
    }

    @Test
    void aFailureBetweenBatchesDeliversWholeBatchesFirst() {
        Pipeline<List<Long>> pipeline = Pipeline.from(Sources.range(10))
                .pipe(
                        "fail",
                        item -> {
                            if (item == 7) {
                                throw new IllegalStateException("seven");
                            }
                            return item;
                        },
                        io(1))
                .batch(3, KEEP);

        try (Run<List<Long>> run = pipeline.start()) {
            Iterator<List<Long>> batches = run.iterator();
            assertThat(batches.next()).isEqualTo(numbers(0, 3));
            assertThat(batches.next()).isEqualTo(numbers(3, 6));
            assertThatThrownBy(batches::hasNext)
                    .isInstanceOf(PipelineException.class)
                    .hasMessageContaining("seven");
        }
    }
}
