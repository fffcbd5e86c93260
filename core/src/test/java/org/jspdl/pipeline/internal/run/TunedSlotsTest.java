package org.jspdl.pipeline.internal.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.jspdl.pipeline.StageOptions.cpu;
import static org.jspdl.pipeline.StageOptions.io;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspdl.pipeline.FailurePolicy;
import org.jspdl.pipeline.Gate;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.pipeline.StageFunction;
import org.jspdl.pipeline.StageOptions;
import org.jspdl.pipeline.Tuning;
import org.jspdl.pipeline.internal.link.Envelope;
import org.jspdl.pipeline.internal.link.Link;
import org.jspdl.pipeline.internal.recipe.Recipe;
import org.jspdl.pipeline.internal.stage.Stage;
import org.jspdl.source.Sources;
import org.jspdl.stats.StageStats;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What is left of the workers that a stage had for a while.
class TunedSlotsTest {
    private static final int MOST = 3;
    private static final int ROUNDS = 300;

    static List<StageOptions> placements() {
        return List.of(io(1), cpu(1), io(1).inputOrder(), cpu(1).inputOrder());
    }

    /// A run whose stages and links can be looked at.
    private static final class OpenRun implements AutoCloseable {
        private final RunCore core =
                new RunCore("tuned", RunOptions.defaults().computeThreads(MOST).abandonedLimit(20));
        private final Link sink;

        OpenRun(long items, StageFunction<Object, Object> function, StageOptions options) {
            Recipe.Site here = Recipe.Site.capture();
            Recipe recipe = new Recipe.Pipe(
                    new Recipe.From(Sources.range(items), "source", here),
                    "work",
                    new Recipe.Body.Plain(function),
                    options,
                    here);
            Planner planner = new Planner(core, null);
            sink = planner.plan(recipe, 2);
            core.start(
                    planner.stages(),
                    planner.links(),
                    planner.knobs(),
                    planner.computing().release());
        }

        Stage work() {
            return core.stages().getLast();
        }

        void workers(int workers) {
            core.tuning().tune(Tuning.concurrency("work", workers));
        }

        List<Object> take(int items) throws InterruptedException {
            List<Object> taken = new ArrayList<>();
            while (taken.size() < items) {
                Envelope envelope = sink.take(1, Long.MAX_VALUE, null);
                assertThat(envelope).as("after %s", taken).isNotNull();
                if (envelope.kind == Envelope.Kind.ITEM) {
                    taken.add(envelope.value);
                }
                sink.finished();
            }
            return taken;
        }

        @Override
        public void close() {
            core.close();
        }
    }

    @ParameterizedTest
    @MethodSource("placements")
    void aStageHasNoMoreSlotsThanItHadWorkersAtOnceHoweverOftenItIsTuned(StageOptions options) throws Exception {
        int items = 4 * ROUNDS;
        try (OpenRun run = new OpenRun(items, item -> item, options)) {
            for (int round = 0; round < ROUNDS; round++) {
                run.workers(MOST);
                assertThat(run.take(2)).hasSize(2);
                run.workers(1);
                assertThat(run.take(2)).hasSize(2);
            }

            // A worker that is about to leave keeps its slot, so there may be a few more when others come.
            assertThat(run.work().slots.length).isLessThan(ROUNDS / 3);
            StageStats stats = run.work().stats(System.nanoTime());
            assertThat(stats.completed()).isEqualTo(items);
            assertThat(stats.latency().calls()).isEqualTo(items);
        }
    }

    @ParameterizedTest
    @MethodSource("placements")
    void whoTakesOverACallThatIsGivenUpTakesItsSlotToo(StageOptions options) throws Exception {
        Gate stuck = new Gate();
        StageOptions short_ = options.deadline(Duration.ofMillis(5)).failures(FailurePolicy.skip(100));
        try (OpenRun run =
                new OpenRun(20, item -> (Long) item < 5 ? stuck.passIgnoringInterrupts(item) : item, short_)) {
            stuck.awaitArrivals(5);
            assertThat(run.work().slots).hasSize(1);
            stuck.open();
        }
    }

    @Test
    void onlyTheLatestChangesAreKept() {
        Gate gate = new Gate();
        try (OpenRun run = new OpenRun(1, gate::pass, io(1))) {
            int changes = RunTuning.MOST_CHANGES + 5;
            for (int i = 1; i <= changes; i++) {
                run.core.tuning().tune(Tuning.buffer("work", i));
            }

            assertThat(run.core.tuning().changes())
                    .hasSize(RunTuning.MOST_CHANGES)
                    .last()
                    .satisfies(change -> assertThat(change.to()).isEqualTo(changes));
            gate.open();
        }
    }
}
