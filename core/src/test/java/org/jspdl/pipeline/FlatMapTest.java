package org.jspdl.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.jspdl.pipeline.Runs.deliveries;

import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspdl.source.Sources;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class FlatMapTest {

    /// Elements that are counted as they are made, and may be closed.
    private static class CountedElements implements Iterator<Long>, AutoCloseable {
        final AtomicInteger made = new AtomicInteger();
        final AtomicInteger closed = new AtomicInteger();
        private final int most;

        CountedElements(int most) {
            this.most = most;
        }

        @Override
        public boolean hasNext() {
            return made.get() < most;
        }

        @Override
        public Long next() {
            return (long) made.getAndIncrement();
        }

        @Override
        public void close() {
            closed.incrementAndGet();
        }
    }

    @ParameterizedTest
    @MethodSource("org.jspdl.pipeline.Setting#all")
    void theElementsOfEveryItemComeInTheirOrder(Setting setting) {
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(60))
                .flatMap(
                        "parts",
                        item -> Elements.of(LongStream.range(0, item % 4).mapToObj(part -> 10 * item + part)),
                        setting.options());
        List<Long> expected = LongStream.range(0, 60)
                .boxed()
                .flatMap(item -> LongStream.range(0, item % 4).mapToObj(part -> 10 * item + part))
                .toList();

        List<Long> delivered = deliveries(pipeline);

        if (setting.order() == Order.INPUT || setting.concurrency() == 1) {
            assertThat(delivered).isEqualTo(expected);
        } else {
            assertThat(delivered).containsExactlyInAnyOrderElementsOf(expected);
            assertThat(delivered.stream().filter(part -> part / 10 == 7)).containsExactly(70L, 71L, 72L);
        }
    }

    @ParameterizedTest
    @MethodSource("org.jspdl.pipeline.Setting#all")
    void elementsAreMadeOnlyAsThereIsRoomForThem(Setting setting) {
        CountedElements endless = new CountedElements(Integer.MAX_VALUE);
        try (Run<Long> run = Pipeline.from(List.of(1))
                .flatMap("parts", item -> Elements.of(endless), setting.options())
                .prefetch(2)
                .start()) {
            assertThat(Runs.take(run, 10)).isEqualTo(Runs.numbers(0, 10));
            assertThat(endless.made.get()).isBetween(10, 10 + setting.concurrency() + 2 + 1);
        }
        assertThat(endless.closed).hasValue(1);
    }

    @ParameterizedTest
    @MethodSource("org.jspdl.pipeline.Setting#all")
    void anElementIsPassedOnBeforeTheNextIsMade(Setting setting) {
        Gate second = new Gate();
        Iterator<Long> slow = new CountedElements(2) {
            @Override
            public Long next() {
                long next = super.next();
                return next == 0 ? next : passed(second, next);
            }
        };
        try (Run<Long> run = Pipeline.from(List.of(1))
                .flatMap("parts", item -> Elements.of(slow), setting.options())
                .start(Setting.roomy())) {
            assertThat(run.iterator().next()).isZero();
            second.awaitArrivals(1);
            second.open();
            assertThat(run.iterator().next()).isEqualTo(1);
        }
    }

    private static long passed(Gate gate, long item) {
        try {
            return gate.pass(item);
        } catch (InterruptedException stop) {
            throw new IllegalStateException(stop);
        }
    }

    @ParameterizedTest
    @MethodSource("org.jspdl.pipeline.Setting#all")
    void iteratorsAndStreamsAreClosedAfterTheirLastElement(Setting setting) {
        AtomicInteger closed = new AtomicInteger();
        CountedElements three = new CountedElements(3);
        Pipeline<Long> pipeline = Pipeline.from(List.of(1))
                .flatMap("parts", item -> Elements.of(three), setting.options())
                .flatMap(
                        "streams",
                        part -> Elements.of(Stream.of(part, -part).onClose(closed::incrementAndGet)),
                        setting.options());

        assertThat(deliveries(pipeline)).containsExactlyInAnyOrder(0L, 0L, 1L, -1L, 2L, -2L);
        assertThat(three.closed).hasValue(1);
        assertThat(closed).hasValue(3);
    }

    @ParameterizedTest
    @MethodSource("org.jspdl.pipeline.Setting#few")
    void elementsThatCannotBeHadAtAllAreAFailureOfTheirItem(Setting setting) {
        Iterable<Long> broken = () -> {
            throw new IllegalStateException("no iterator");
        };
        Pipeline<Long> pipeline = Pipeline.from(List.of(1, 2, 3))
                .flatMap(
                        "parts",
                        item -> item == 2 ? broken : List.of((long) item),
                        setting.options().failures(FailurePolicy.skip(1)));

        assertThat(deliveries(pipeline)).containsExactlyInAnyOrder(1L, 3L);
    }

    @ParameterizedTest
    @MethodSource("org.jspdl.pipeline.Setting#all")
    void aFailureHalfwayKeepsTheElementsBeforeAndCountsOnce(Setting setting) {
        ConcurrentLinkedQueue<FailedItem> skipped = new ConcurrentLinkedQueue<>();
        CountedElements broken = new CountedElements(5) {
            @Override
            public Long next() {
                long next = super.next();
                if (next == 2) {
                    throw new IllegalStateException("no third");
                }
                return next;
            }
        };
        Pipeline<Long> pipeline = Pipeline.from(List.of(1, 2))
                .flatMap(
                        "parts",
                        item -> Elements.of(item == 1 ? broken : List.of(7L).iterator()),
                        setting.options().failures(FailurePolicy.skip(1).quarantine(skipped::add)));

        try (Run<Long> run = pipeline.start()) {
            assertThat(run).containsExactlyInAnyOrder(0L, 1L, 7L);
            assertThat(run.stats().stage("parts").failed()).isEqualTo(1);
        }
        assertThat(broken.closed).hasValue(1);
        assertThat(skipped)
                .singleElement()
                .satisfies(item -> assertThat(item.input()).isEqualTo("1"));
    }
}
