package org.jspdl.pipeline.intercept;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jspdl.pipeline.StageOptions.cpu;
import static org.jspdl.pipeline.StageOptions.io;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspdl.pipeline.Checkpoint;
import org.jspdl.pipeline.FailurePolicy;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.PipelineException;
import org.jspdl.pipeline.Remainder;
import org.jspdl.pipeline.Run;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.pipeline.StageOptions;
import org.jspdl.source.Sources;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CallInterceptorTest {
    private static final CallInterceptor<Long, String> NO_THIRDS =
            (stage, item, call) -> item % 3 == 0 ? CallResult.dropped() : call.apply(item);

    static List<StageOptions> placements() {
        return List.of(io(1), cpu(1), io(3).inputOrder(), cpu(2).inputOrder(), io(3), cpu(2));
    }

    private static <T> List<T> all(Pipeline<T> pipeline, RunOptions options) {
        List<T> items = new ArrayList<>();
        try (Run<T> run = pipeline.start(options)) {
            run.forEach(items::add);
        }
        return items;
    }

    @ParameterizedTest
    @MethodSource("placements")
    void anInterceptorDropsItemsWhichCountAsFiltered(StageOptions options) {
        Pipeline<String> pipeline =
                CallInterceptor.pipe(Pipeline.from(Sources.range(9)), "name", item -> "n" + item, NO_THIRDS, options);
        try (Run<String> run = pipeline.start()) {
            List<String> items = new ArrayList<>();
            run.forEach(items::add);

            assertThat(items).containsExactlyInAnyOrder("n1", "n2", "n4", "n5", "n7", "n8");
            assertThat(run.stats().stage("name").filtered()).isEqualTo(3);
        }
    }

    @Test
    void anInterceptorReplacesItemsAndResults() {
        CallInterceptor<Long, String> replacing = (stage, item, call) -> item == 2
                ? CallResult.of("none")
                : CallResult.of(stage + ":" + call.apply(item * 10).take());

        assertThat(all(
                        CallInterceptor.pipe(
                                Pipeline.from(Sources.range(4)), "name", item -> "n" + item, replacing, io(1)),
                        RunOptions.defaults()))
                .containsExactly("name:n0", "name:n10", "none", "name:n30");
    }

    @Test
    void theFirstOfSeveralStandsOutermost() {
        CallInterceptor<Long, String> round =
                (stage, item, call) -> CallResult.of("(" + call.apply(item).take() + ")");
        CallInterceptor<Long, String> square =
                (stage, item, call) -> CallResult.of("[" + call.apply(item).take() + "]");

        assertThat(all(
                        CallInterceptor.pipe(
                                Pipeline.from(Sources.range(1)),
                                "name",
                                String::valueOf,
                                List.of(round, square),
                                io(1)),
                        RunOptions.defaults()))
                .containsExactly("([0])");
    }

    @Test
    void whatAnInterceptorThrowsFailsItsItemAsTheFunctionDoes() {
        CallInterceptor<Long, String> refusing = (stage, item, call) -> {
            if (item == 1) {
                throw new IOException("not this one");
            }
            return call.apply(item);
        };
        Pipeline<String> pipeline =
                CallInterceptor.pipe(Pipeline.from(Sources.range(3)), "name", item -> "n" + item, refusing, io(1));

        assertThat(all(pipeline, RunOptions.defaults().failures(FailurePolicy.skip(1))))
                .containsExactly("n0", "n2");
        assertThatThrownBy(() -> all(pipeline, RunOptions.defaults()))
                .isInstanceOf(PipelineException.class)
                .hasMessageContaining("stage 'name'")
                .hasMessageContaining("not this one");
    }

    @Test
    void aRunThatIsResumedGoesOnBehindWhatWasDropped() {
        Pipeline<List<String>> pipeline = CallInterceptor.pipe(
                        Pipeline.from(Sources.range(100)), "name", item -> "n" + item, NO_THIRDS, cpu(2).inputOrder())
                .batch(4, Remainder.KEEP);
        List<List<String>> whole = all(pipeline, RunOptions.defaults());

        List<List<String>> items = new ArrayList<>();
        Checkpoint checkpoint;
        try (Run<List<String>> run = pipeline.start()) {
            var batches = run.iterator();
            for (int i = 0; i < 5; i++) {
                items.add(batches.next());
            }
            checkpoint = run.checkpoint();
        }
        items.addAll(all(pipeline, RunOptions.defaults().resumeFrom(checkpoint)));

        assertThat(items).isEqualTo(whole);
    }

    @Test
    void itemsOfARunThatIsCutShortAreClosed() {
        AtomicInteger open = new AtomicInteger();
        CallInterceptor<Long, AutoCloseable> every =
                (stage, item, call) -> item % 2 == 0 ? CallResult.dropped() : call.apply(item);
        Pipeline<AutoCloseable> pipeline = CallInterceptor.pipe(
                Pipeline.from(Sources.range(1_000)),
                "open",
                item -> {
                    open.incrementAndGet();
                    return open::decrementAndGet;
                },
                every,
                io(4));
        try (Run<AutoCloseable> run = pipeline.start()) {
            var items = run.iterator();
            for (int i = 0; i < 20; i++) {
                try (AutoCloseable item = items.next()) {
                    assertThat(item).isNotNull();
                } catch (Exception impossible) {
                    throw new AssertionError(impossible);
                }
            }
        }

        assertThat(open).hasValue(0);
    }

    @Test
    void aResultIsTakenOnce() {
        CallResult<String> result = CallResult.of("a");
        assertThat(result.take()).isEqualTo("a");
        assertThatThrownBy(result::take).isInstanceOf(NoSuchElementException.class);
    }
}
