package org.jspdl.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.Gatherer;
import java.util.stream.Stream;
import org.jspdl.source.Source;
import org.jspdl.source.Sources;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Epochs that bring nothing take memory for their ends, so none is read that is far ahead of the consumer.
class EmptyEpochsAheadTest {
    private static final int EPOCHS = 900;
    /// More than the links of these pipelines hold together.
    private static final int FAR = 600;
    private static final int MOST_TURNS = 200_000;

    static Stream<Arguments> pipelinesThatPassNothingOn() {
        return Stream.of(
                passing("batch", items -> items.batch(8, Remainder.DROP)),
                passing("filter", items -> items.filter(_ -> false)),
                passing("unbatch", items -> items.unbatch(_ -> List.of())),
                passing(
                        "aggregate",
                        items -> items.aggregate(
                                "none", Gatherer.<Long, Long>ofSequential((_, _, _) -> true), GathererState.unsaved())),
                passing("two batches", items -> items.batch(8, Remainder.DROP).batch(2, Remainder.DROP)),
                passing(
                        "routed items",
                        items -> items.filter(_ -> false)
                                .route("kind", _ -> true)
                                .when(true, way -> way)
                                .merge()),
                passing(
                        "routed elements",
                        items -> Pipeline.<Long, Long>routeElements(items.batch(8, Remainder.DROP), "kind", _ -> true)
                                .when(true, way -> way.filter(_ -> true))
                                .merge()));
    }

    private static Arguments passing(String name, Function<Pipeline<Long>, Pipeline<?>> steps) {
        return arguments(name, steps);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("pipelinesThatPassNothingOn")
    void epochsThatBringNothingAreNotReadFarAheadOfTheConsumer(
            String name, Function<Pipeline<Long>, Pipeline<?>> steps) {
        AtomicLong consumed = new AtomicLong();
        AtomicLong begun = new AtomicLong();
        AtomicLong farthest = new AtomicLong();
        Source<Long> few = Sources.range(5);
        Source<Long> source = (epoch, from) -> {
            farthest.accumulateAndGet(epoch - consumed.get(), Math::max);
            begun.set(epoch);
            return few.open(epoch, from);
        };
        try (Run<?> run =
                steps.apply(Pipeline.from(source)).start(RunOptions.defaults().epochs(EPOCHS))) {
            for (int turn = 0; turn < MOST_TURNS && begun.get() < FAR; turn++) {
                Runs.dawdle(1);
            }
            do {
                assertThat(run.stream()).isEmpty();
                consumed.incrementAndGet();
            } while (run.nextEpoch());
        }

        assertThat(consumed).hasValue(EPOCHS);
        assertThat(farthest.get()).isLessThan(FAR);
    }
}
