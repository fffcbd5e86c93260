package org.jspdl.pipeline.parity;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jspdl.pipeline.StageOptions.async;
import static org.jspdl.pipeline.StageOptions.cpu;
import static org.jspdl.pipeline.StageOptions.io;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.BiFunction;
import java.util.stream.Gatherer;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspdl.pipeline.FailurePolicy;
import org.jspdl.pipeline.GathererState;
import org.jspdl.pipeline.Order;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.PipelineException;
import org.jspdl.pipeline.Run;
import org.jspdl.pipeline.StageOptions;
import org.jspdl.source.Sources;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// What a stage may be made of.
class ShapeBehaviorTest {
    private static <T> List<T> all(Pipeline<T> pipeline) {
        try (Run<T> run = pipeline.start()) {
            return run.stream().toList();
        }
    }

    @Test
    void aListOrAMapMayBeTheFunction() {
        List<String> list = List.of("a", "b", "c");
        Map<String, Integer> map = Map.of("a", 10, "b", 20, "c", 30);

        assertThat(all(Pipeline.from(List.of(2, 0, 1)).pipe("list", list::get, cpu(1))))
                .containsExactly("c", "a", "b");
        assertThat(all(Pipeline.from(list).pipe("map", key -> requireNonNull(map.get(key)), io(1).inputOrder())))
                .containsExactly(10, 20, 30);
    }

    /// Joins texts until they are longer than `limit`; the rest comes at the end of the epoch.
    private static Gatherer<String, StringBuilder, String> joining(int limit) {
        return Gatherer.ofSequential(
                StringBuilder::new,
                (text, part, downstream) -> {
                    text.append(part);
                    boolean goesOn = true;
                    if (text.length() > limit) {
                        goesOn = downstream.push(text.toString());
                        text.setLength(0);
                    }
                    return goesOn;
                },
                (text, downstream) -> {
                    if (!text.isEmpty()) {
                        downstream.push(text.toString());
                    }
                });
    }

    @Test
    void aGathererJoinsItemsUntilItHasEnoughAndTheRestComesAtTheEnd() {
        Pipeline<String> joined = Pipeline.from(List.of("ab", "cd", "ef", "gh", "i"))
                .aggregate("join", joining(3), GathererState.unsaved());
        Pipeline<String> nothing =
                Pipeline.from(List.<String>of()).aggregate("join", joining(3), GathererState.unsaved());

        assertThat(all(joined)).containsExactly("abcd", "efgh", "i");
        assertThat(all(nothing)).isEmpty();
    }

    @Test
    void itemsMayBeProducedByAnyThreadAtAnyTime() throws InterruptedException {
        BlockingQueue<Long> queue = new LinkedBlockingQueue<>();
        try (Run<Long> run = Pipeline.from(Sources.queue(queue)).take(20).start()) {
            Thread producer = Thread.ofVirtual().start(() -> {
                for (long item = 0; item < 20; item++) {
                    queue.add(item);
                }
            });
            assertThat(run)
                    .containsExactlyElementsOf(LongStream.range(0, 20).boxed().toList());
            producer.join();
        }
    }

    private static Long notOneOfThree(Long item) {
        if (item % 3 == 0) {
            throw new IllegalStateException("divisible");
        }
        return item;
    }

    static Stream<Arguments> kinds() {
        List<Named<BiFunction<Pipeline<Long>, StageOptions, Pipeline<Long>>>> kinds = List.of(
                Named.of(
                        "function",
                        (before, options) -> before.pipe("work", ShapeBehaviorTest::notOneOfThree, options)),
                Named.of(
                        "promise",
                        (before, options) -> before.pipeAsync(
                                "work", item -> CompletableFuture.supplyAsync(() -> notOneOfThree(item)), options)),
                Named.of(
                        "several items",
                        (before, options) -> before.flatMap("work", item -> List.of(notOneOfThree(item)), options)));
        List<Arguments> arguments = new ArrayList<>();
        for (var kind : kinds) {
            List<StageOptions> places =
                    kind.getName().equals("promise") ? List.of(async(2)) : List.of(cpu(2), io(2), cpu(1));
            for (StageOptions place : places) {
                for (Order order : Order.values()) {
                    arguments.add(Arguments.of(kind, order == Order.INPUT ? place.inputOrder() : place));
                }
            }
        }
        return arguments.stream();
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void failuresOfEveryKindOfFunctionAreCountedUpToTheLimit(
            BiFunction<Pipeline<Long>, StageOptions, Pipeline<Long>> kind, StageOptions options) {
        Pipeline<Long> source = Pipeline.from(Sources.range(12));

        assertThat(all(kind.apply(source, options.failures(FailurePolicy.skip(4)))))
                .containsExactlyInAnyOrder(1L, 2L, 4L, 5L, 7L, 8L, 10L, 11L);
        assertThatThrownBy(() -> all(kind.apply(source, options.failures(FailurePolicy.skip(3)))))
                .isInstanceOf(PipelineException.class)
                .hasMessageContaining("4 items failed, more than the 3 allowed");
    }
}
