package org.jspdl.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jspdl.pipeline.Runs.deliveries;
import static org.jspdl.pipeline.Runs.numbers;
import static org.jspdl.pipeline.StageOptions.cpu;
import static org.jspdl.pipeline.StageOptions.io;

import java.io.Closeable;
import java.io.IOException;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspdl.source.Cursor;
import org.jspdl.source.Position;
import org.jspdl.source.Source;
import org.jspdl.source.Sources;
import org.junit.jupiter.api.Test;

class SourceTest {

    @Test
    void anEmptySourceDeliversNothing() {
        assertThat(deliveries(Pipeline.from(List.of()))).isEmpty();
        assertThat(deliveries(Pipeline.from(List.of()).pipe(item -> item, cpu(2))))
                .isEmpty();
    }

    @Test
    void withoutStagesItemsComeInTheOrderOfTheSource() {
        assertThat(deliveries(Pipeline.from(Sources.range(100)))).isEqualTo(numbers(0, 100));
    }

    @Test
    void anIterableIsIteratedAnewForEveryRun() {
        AtomicInteger iterations = new AtomicInteger();
        Iterable<Integer> iterable = () -> {
            iterations.incrementAndGet();
            return List.of(1, 2, 3).iterator();
        };
        Pipeline<Integer> pipeline = Pipeline.from(iterable);

        assertThat(deliveries(pipeline)).containsExactly(1, 2, 3);
        assertThat(deliveries(pipeline)).containsExactly(1, 2, 3);

        assertThat(iterations).hasValue(2);
    }

    @Test
    void nothingIsReadBeforeTheRunStarts() {
        AtomicInteger iterations = new AtomicInteger();
        Iterable<Integer> iterable = () -> {
            iterations.incrementAndGet();
            return Collections.emptyIterator();
        };

        Pipeline.from(iterable).pipe(item -> item, io(1)).prefetch(1);

        assertThat(iterations).hasValue(0);
    }

    @Test
    void itemsBeforeAFailureOfTheSourceAreDeliveredAndThenItIsThrown() {
        IllegalStateException disk = new IllegalStateException("disk on fire");
        Pipeline<Long> pipeline = Pipeline.from(failingAfter(5, disk)).pipe("copy", item -> item, io(1));

        try (Run<Long> run = pipeline.start()) {
            Iterator<Long> items = run.iterator();
            for (long i = 0; i < 5; i++) {
                assertThat(items.next()).isEqualTo(i);
            }
            assertThatThrownBy(items::hasNext)
                    .isInstanceOf(PipelineException.class)
                    .hasMessageContaining("source")
                    .hasMessageContaining("index 5")
                    .hasMessageContaining("disk on fire")
                    .hasCause(disk);
        }
    }

    @Test
    void aSourceThatCannotBeOpenedFailsTheRun() {
        Source<Long> missing = (epoch, from) -> {
            throw new IOException("no such bucket");
        };

        try (Run<Long> run = Pipeline.from(missing).named("reading").start()) {
            assertThatThrownBy(() -> run.iterator().hasNext())
                    .isInstanceOf(PipelineException.class)
                    .hasMessageContaining("reading")
                    .hasMessageContaining("no such bucket")
                    .hasCauseInstanceOf(IOException.class);
        }
    }

    @Test
    void aSourceThatYieldsNullFailsTheRun() {
        Iterable<String> iterable = Collections.singletonList(null);

        assertThatThrownBy(() -> deliveries(Pipeline.from(iterable)))
                .isInstanceOf(PipelineException.class)
                .hasMessageContaining("null")
                .hasMessageContaining("index 0");
    }

    @Test
    void aRunThatIsClosedWhileItsSourceWaitsInterruptsTheSource() {
        LinkedBlockingQueue<Integer> queue = new LinkedBlockingQueue<>(List.of(1));
        Run<Integer> run = Pipeline.from(Sources.queue(queue)).start();
        assertThat(run.iterator().next()).isEqualTo(1);

        run.close();

        assertThat(queue).isEmpty();
    }

    @Test
    void aRunThatIsClosedWhileItsSourceWaitsForRoomEnds() {
        Gate gate = new Gate();
        AtomicInteger read = new AtomicInteger();
        Run<Integer> run = Pipeline.from(Sources.indexed(1_000_000, index -> read.incrementAndGet()))
                .pipe("hold", gate::pass, io(1))
                .start();
        gate.awaitArrivals(1);

        run.close();

        assertThat(read.get()).isLessThan(1_000);
    }

    @Test
    void aSourceThatCanNotSeekSaysSoAndIsReadAgainUpToWhereARunGoesOn() {
        AtomicInteger read = new AtomicInteger();
        Source<Integer> source = Sources.of((Iterable<Integer>) () -> {
            read.set(0);
            return IntStream.range(0, 50).peek(item -> read.incrementAndGet()).iterator();
        });
        assertThat(source.resume()).isEqualTo(Source.Resume.REPLAY);
        Pipeline<Integer> pipeline = Pipeline.from(source);
        Checkpoint checkpoint;
        try (Run<Integer> run = pipeline.start()) {
            assertThat(Runs.take(run, 20)).endsWith(19);
            checkpoint = run.checkpoint();
        }

        assertThat(deliveries(pipeline, RunOptions.defaults().resumeFrom(checkpoint)))
                .hasSize(30)
                .startsWith(20);
        assertThat(read).hasValue(50);
    }

    @Test
    void theCursorIsClosedAtTheEndOfTheEpoch() {
        ClosingSource source = new ClosingSource(3);

        deliveries(Pipeline.from(source));

        assertThat(source.opened).hasValue(1);
        assertThat(source.closed).hasValue(1);
    }

    @Test
    void theCursorIsClosedWhenTheRunIsClosedHalfway() {
        ClosingSource source = new ClosingSource(1_000_000);
        try (Run<Long> run = Pipeline.from(source).start()) {
            run.iterator().next();
        }
        assertThat(source.opened).hasValue(1);
        assertThat(source.closed).hasValue(1);
    }

    @Test
    void anIteratorThatIsCloseableIsClosedAfterItsEpoch() {
        AtomicInteger closed = new AtomicInteger();
        class Lines implements Iterator<String>, Closeable {
            private int left = 2;

            @Override
            public boolean hasNext() {
                return left > 0;
            }

            @Override
            public String next() {
                return "line " + left--;
            }

            @Override
            public void close() {
                closed.incrementAndGet();
            }
        }

        assertThat(deliveries(Pipeline.from(() -> new Lines()))).containsExactly("line 2", "line 1");

        assertThat(closed).hasValue(1);
    }

    @Test
    void aSourceIsReadByOneThreadAtATimeInOrder() {
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        Source<Long> source = Sources.indexed(200, index -> {
            most.accumulateAndGet(inside.incrementAndGet(), Math::max);
            inside.decrementAndGet();
            return index;
        });

        assertThat(deliveries(Pipeline.from(source).pipe(item -> item, io(8)))).hasSize(200);

        assertThat(most).hasValue(1);
    }

    private static Source<Long> failingAfter(long items, RuntimeException failure) {
        return Sources.indexed(items + 1, index -> {
            if (index == items) {
                throw failure;
            }
            return index;
        });
    }

    /// Counts cursors opened and closed.
    private static final class ClosingSource implements Source<Long> {
        private final long items;
        private final AtomicInteger opened = new AtomicInteger();
        private final AtomicInteger closed = new AtomicInteger();

        ClosingSource(long items) {
            this.items = items;
        }

        @Override
        public Cursor<Long> open(long epoch, Position from) throws Exception {
            Cursor<Long> cursor = Sources.range(items).open(epoch, from);
            opened.incrementAndGet();
            return new Cursor<>() {
                @Override
                public boolean advance() throws Exception {
                    return cursor.advance();
                }

                @Override
                public Long item() {
                    return cursor.item();
                }

                @Override
                public Position position() {
                    return cursor.position();
                }

                @Override
                public void close() {
                    closed.incrementAndGet();
                }
            };
        }
    }
}
