package org.jspdl.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.jspdl.source.Sources;
import org.jspdl.stats.LinkStats;
import org.jspdl.stats.PipelineStats;
import org.jspdl.stats.StageStats;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class StatsTest {

    @ParameterizedTest
    @MethodSource("org.jspdl.pipeline.Setting#all")
    void countsAddUpAfterTheLastItem(Setting setting) {
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(60))
                .pipe("one", item -> failOnFours(item), setting.options().failures(FailurePolicy.skip(100)))
                .pipe("two", item -> item, setting.options())
                .filter(item -> item % 3 != 0);
        try (Run<Long> run = pipeline.start()) {
            assertThat(Runs.take(run, 100)).hasSize(30);
            PipelineStats stats = run.stats();

            assertThat(stats.delivered()).isEqualTo(30);
            assertThat(stats.skipped()).isEqualTo(15);
            assertThat(stats.stages()).extracting(StageStats::name).containsExactly("source", "one", "two");
            assertThat(stats.stage("one").completed()).isEqualTo(45);
            assertThat(stats.stage("one").failed()).isEqualTo(15);
            assertThat(stats.stage("two").completed()).isEqualTo(30);
            assertThat(stats.stage("two").filtered()).isEqualTo(15);
            assertThat(stats.stage("two").processed()).isEqualTo(45);
            assertThat(stats.stage("two").placement()).isEqualTo(setting.placement());
            assertThat(stats.stage("two").concurrency()).isEqualTo(setting.concurrency());
            assertThat(stats.links()).extracting(LinkStats::passed).containsExactly(60L, 45L, 30L);
        }
    }

    @ParameterizedTest
    @MethodSource("org.jspdl.pipeline.Setting#all")
    void whatAStageDidAddsUpToItsSlotsTimesTheElapsedTime(Setting setting) {
        Gate gate = new Gate();
        try (Run<Long> run = Pipeline.from(Sources.range(40))
                .pipe("hold", gate::pass, setting.options())
                .start(Setting.roomy())) {
            gate.awaitArrivals(setting.concurrency());
            PipelineStats stats = run.stats();
            StageStats stage = stats.stage("hold");
            Duration accounted = stage.busy()
                    .plus(stage.starved())
                    .plus(stage.backpressured())
                    .plus(stage.waitingForCpu());

            assertThat(accounted).isLessThanOrEqualTo(stats.elapsed().multipliedBy(setting.concurrency()));
            gate.open();
            assertThat(Runs.take(run, 40)).hasSize(40);
        }
    }

    @ParameterizedTest
    @MethodSource("org.jspdl.pipeline.Setting#few")
    void aFunctionThatIsStillRunningCountsAsBusy(Setting setting) {
        Gate gate = new Gate();
        try (Run<Long> run = Pipeline.from(Sources.range(1))
                .pipe("hold", gate::pass, setting.options())
                .start(Setting.roomy())) {
            gate.awaitArrivals(1);
            Duration before = run.stats().stage("hold").busy();
            Runs.dawdle(10);

            assertThat(run.stats().stage("hold").busy()).isGreaterThan(before);
            gate.open();
            assertThat(Runs.take(run, 1)).hasSize(1);
        }
    }

    @Test
    void anIdleQueueIsNotReportedAsReady() {
        Gate gate = new Gate();
        try (Run<Long> run = Pipeline.from(Sources.range(3))
                .pipe("stuck", gate::pass, StageOptions.io(1))
                .start()) {
            gate.awaitArrivals(1);
            PipelineStats first = run.stats();
            Runs.dawdle(100);
            PipelineStats second = run.stats();
            LinkStats sink = second.links().getLast();

            Duration interval = second.elapsed().minus(first.elapsed());
            Duration empty = sink.empty().minus(first.links().getLast().empty());
            assertThat(empty)
                    .as("empty during the whole interval, without any put")
                    .isEqualTo(interval);
            assertThat(sink.occupancy(second.elapsed())).isLessThan(0.5);
            gate.open();
        }
    }

    @Test
    void statsMayBeReadFromAnyThreadAndAfterTheEnd() throws InterruptedException {
        Run<Long> run = Pipeline.from(Sources.range(10)).start();
        assertThat(Runs.take(run, 100)).hasSize(10);
        Thread reader = Thread.ofPlatform().start(run::stats);
        reader.join();
        run.close();

        assertThat(run.stats().delivered()).isEqualTo(10);
    }

    @Test
    void anUnknownStageIsRefusedWithTheNamesThereAre() {
        try (Run<Long> run = Pipeline.from(Sources.range(1))
                .pipe("decode", item -> item, StageOptions.io(1))
                .start()) {
            PipelineStats stats = run.stats();
            assertThatThrownBy(() -> stats.stage("resize"))
                    .hasMessageContaining("resize")
                    .hasMessageContaining("decode");
        }
    }

    @Test
    void theBytesThatItemsWeighAreCountedAsTheyAreDelivered() {
        Pipeline<List<Long>> pipeline = Pipeline.from(Sources.range(20))
                .weigh(item -> 10 * item)
                .filter(item -> item % 2 == 0)
                .batch(4, Remainder.KEEP);
        for (RunOptions options : List.of(
                RunOptions.defaults().epochs(2),
                RunOptions.defaults().epochs(2).byteBudget(new ByteBudget(10_000, 5)))) {
            try (Run<List<Long>> run = pipeline.start(options)) {
                run.forEach(batch -> {});
                PipelineStats first = run.stats();
                assertThat(first.deliveredBytes()).isEqualTo(10 * 90);
                assertThat(first.bytesPerSecond()).isPositive();
                run.nextEpoch();
                run.forEach(batch -> {});
                assertThat(run.stats().since(first).deliveredBytes()).isEqualTo(10 * 90);
            }
        }
    }

    @Test
    void withoutWeightsThereAreNoBytes() {
        try (Run<Long> run = Pipeline.from(Sources.range(5)).start()) {
            run.forEach(item -> {});
            assertThat(run.stats().bytesPerSecond()).isZero();
        }
    }

    private static long failOnFours(long item) {
        if (item % 4 == 0) {
            throw new IllegalStateException("a four");
        }
        return item;
    }
}
