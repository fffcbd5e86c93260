package org.jspdl.pipeline.resume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.jspdl.pipeline.StageOptions.cpu;
import static org.jspdl.pipeline.StageOptions.io;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspdl.pipeline.Checkpoint;
import org.jspdl.pipeline.Gate;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.Remainder;
import org.jspdl.pipeline.Run;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.source.Samplers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CheckpointSizeTest {
    private static final int FIXED_CHARACTERS = 4_096;
    /// A place of ten digits with its comma, and its end when it was dealt anew.
    private static final int CHARACTERS_AN_ITEM = 24;

    @ParameterizedTest
    @ValueSource(ints = {1, 64, 1_024})
    void aCheckpointHoldsAFewCharactersForEachItemInFlight(int concurrency) {
        Pipeline<Long> pipeline = Pipeline.from(Samplers.shuffled(1_000_000_000, 5))
                .<Long>pipe("read", Tuning.uneven(item -> item), io(concurrency).buffer(concurrency))
                .batch(32, Remainder.KEEP)
                .<Long>unbatch(Tuning.elements())
                .pipe("work", item -> item, cpu(2).inputOrder());
        // The stage's concurrency and buffer, the source's buffer, batches and what waits behind them.
        int inFlight = 2 * concurrency + 32 * 8;
        try (Run<Long> run = pipeline.start()) {
            for (int i = 1; i <= 5_000; i++) {
                run.iterator().next();
                if (i % 500 == 0) {
                    assertThat(run.checkpoint().toJson().length())
                            .isLessThan(FIXED_CHARACTERS + CHARACTERS_AN_ITEM * inFlight);
                }
            }
        }
    }

    @Test
    void nestedBatchesTakeNoMoreThanTheirItems() {
        Pipeline<?> nested = nested(Pipeline.from(Samplers.sequential(1_000_000_000)), 3);
        try (Run<?> run = nested.start()) {
            var items = run.iterator();
            for (int i = 0; i < 300; i++) {
                items.next();
            }
            long best = Long.MAX_VALUE;
            String json = "";
            for (int i = 0; i < 20; i++) {
                long start = System.nanoTime();
                json = run.checkpoint().toJson();
                best = Math.min(best, System.nanoTime() - start);
            }
            assertThat(json.length()).isLessThan(100_000);
            assertThat(Duration.ofNanos(best)).isLessThan(Duration.ofMillis(200));

            List<?> left = Stream.generate(items::next).limit(600).toList();
            Checkpoint checkpoint = Checkpoint.parse(json);
            try (Run<?> again = nested.start(RunOptions.defaults().resumeFrom(checkpoint))) {
                assertThat(again.stream().limit(600).toList()).isEqualTo(left);
                again.checkpoint();
            }
        }
    }

    private static Pipeline<?> nested(Pipeline<?> source, int levels) {
        return levels == 0 ? source : nested(source.batch(256, Remainder.KEEP).unbatch(batch -> batch), levels - 1);
    }

    @Test
    void aStragglerDoesNotMakeCheckpointsGrow() {
        Gate gate = new Gate();
        Pipeline<Long> pipeline = Pipeline.from(Samplers.sequential(1_000_000_000))
                .pipe("work", item -> item == 0 ? gate.pass(item) : item, cpu(2));
        try (Run<Long> run = pipeline.start(RunOptions.defaults().computeThreads(2))) {
            gate.awaitArrivals(1);
            for (int i = 0; i < 50_000; i++) {
                run.iterator().next();
            }
            String late = run.checkpoint().toJson();
            assertThat(late.length()).isLessThan(1_000);
            assertThat(late).contains("\"pending\":\"0,");
            gate.open();
        }
    }
}
