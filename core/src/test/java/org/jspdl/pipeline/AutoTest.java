package org.jspdl.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jspdl.pipeline.StageOptions.auto;
import static org.jspdl.pipeline.StageOptions.cpu;
import static org.jspdl.pipeline.StageOptions.io;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspdl.source.Sources;
import org.jspdl.stats.TuningStats;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class AutoTest {
    private static final boolean CAMPAIGN = Boolean.getBoolean("campaign");
    private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();

    @Test
    void aStageBeginsWithOneWorkerForEachProcessorWithinItsLimits() {
        assertThat(io(auto()).concurrency()).isEqualTo(PROCESSORS);
        assertThat(io(auto()).autoConcurrency()).hasValue(new Auto(1, Auto.MOST_IO, PROCESSORS));
        assertThat(cpu(auto()).autoConcurrency()).hasValue(new Auto(1, PROCESSORS, PROCESSORS));
        assertThat(io(auto().startingAt(3).atMost(7)).autoConcurrency()).hasValue(new Auto(1, 7, 3));
        assertThat(cpu(auto().atMost(1)).concurrency()).isEqualTo(1);
        assertThat(io(2).buffer(auto()).autoBuffer()).hasValue(new Auto(1, Auto.MOST_BUFFER, 2));
        assertThat(io(auto()).buffer(auto()).inputOrder()).hasToString("io(auto).inputOrder().buffer(auto)");
    }

    @Test
    void aNumberThatIsSetLaterIsFixed() {
        assertThat(cpu(auto()).concurrency(3).autoConcurrency()).isEmpty();
        assertThat(cpu(1).buffer(auto()).buffer(3).autoBuffer()).isEmpty();
    }

    @Test
    void limitsThatContradictEachOtherAreRefused() {
        assertThatThrownBy(() -> auto().atLeast(8).atMost(4))
                .hasMessage("most must be at least 8, the least, and at most 65536 but was 4");
        assertThatThrownBy(() -> auto().atMost(4).startingAt(5)).hasMessage("start must be between 1 and 4 but was 5");
        assertThatThrownBy(() -> TuningBudget.MACHINE.processors(0))
                .hasMessage("processors must be above 0 but was 0.0");
    }

    @Test
    void aRunWithoutAutoStagesHasNoTuner() {
        try (Run<Long> run =
                Pipeline.from(Sources.range(3)).pipe("a", each -> each, cpu(1)).start()) {
            assertThat(run.stats().tuning()).isEqualTo(TuningStats.OFF);
        }
        try (Run<Long> run = Pipeline.from(Sources.range(3))
                .pipe("a", each -> each, cpu(auto()))
                .start()) {
            assertThat(run.stats().tuning().state()).isEqualTo(TuningStats.State.WARMING_UP);
        }
    }

    @Test
    void aBudgetOfProcessorsBoundsTheComputeThreads() {
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(3)).pipe("a", each -> each, cpu(auto()));
        RunOptions half = RunOptions.defaults().tuning(TuningBudget.MACHINE.processors(0.5));
        try (Run<Long> run = pipeline.start(half)) {
            assertThat(run.stats().computeThreads()).isEqualTo(1);
        }
        try (Run<Long> run = pipeline.start(half.computeThreads(2))) {
            assertThat(run.stats().computeThreads()).as("asked for two").isEqualTo(1);
        }
    }

    @Test
    @Timeout(600)
    void whatIsDeliveredItsOrderAndCheckpointsDoNotDependOnTuning() throws Exception {
        int rounds = CAMPAIGN ? 500 : 15;
        for (long seed = 1; seed <= rounds; seed++) {
            Random random = new Random(seed);
            int size = 300 + random.nextInt(1_000);
            int before = random.nextInt(size / 8);
            RunOptions options = RunOptions.defaults().seed(seed);
            List<List<Long>> expected = Runs.deliveries(pipeline(size, cpu(1), io(1)), options);

            List<List<Long>> items = new ArrayList<>();
            Checkpoint checkpoint;
            try (Run<List<Long>> run =
                    pipeline(size, cpu(auto()), io(auto()).buffer(auto())).start(options)) {
                Thread storm = storm(run, random.nextLong());
                items.addAll(Runs.take(run, before));
                checkpoint = run.checkpoint();
                storm.interrupt();
                storm.join();
            }
            // By hand or by a tuner, in this run or in the next: a checkpoint fits.
            boolean fixed = random.nextBoolean();
            Pipeline<List<Long>> next = fixed ? pipeline(size, cpu(3), io(5)) : pipeline(size, cpu(auto()), io(auto()));
            try (Run<List<Long>> run = next.start(options.resumeFrom(checkpoint))) {
                Thread storm = storm(run, random.nextLong());
                items.addAll(Runs.take(run, Integer.MAX_VALUE));
                storm.interrupt();
                storm.join();
            }

            assertThat(items).as("seed %d", seed).isEqualTo(expected);
        }
    }

    private static Pipeline<List<Long>> pipeline(int size, StageOptions first, StageOptions second) {
        return Pipeline.from(Sources.range(size))
                .pipeSeeded("draw", (item, random) -> item + random.nextInt(1_000), first.inputOrder())
                .filter(item -> item % 7 != 3)
                .pipe("wait", item -> item, second.inputOrder())
                .batch(4, Remainder.KEEP);
    }

    private static Thread storm(Run<?> run, long seed) {
        Random random = new Random(seed);
        return Thread.ofVirtual().start(() -> {
            while (!Thread.currentThread().isInterrupted()) {
                String stage = random.nextBoolean() ? "draw" : "wait";
                run.tune(
                        random.nextBoolean()
                                ? Tuning.concurrency(stage, 1 + random.nextInt(6))
                                : Tuning.buffer(stage, 1 + random.nextInt(12)));
                Runs.dawdle(20);
            }
        });
    }
}
