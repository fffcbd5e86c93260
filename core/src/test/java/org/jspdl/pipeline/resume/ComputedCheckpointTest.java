package org.jspdl.pipeline.resume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jspdl.pipeline.StageOptions.cpu;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspdl.pipeline.Checkpoint;
import org.jspdl.pipeline.FailurePolicy;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.Remainder;
import org.jspdl.pipeline.Run;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.source.Even;
import org.jspdl.source.Sampler;
import org.jspdl.source.Samplers;
import org.jspdl.source.Sources;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ComputedCheckpointTest {
    private static final RunOptions OPTIONS = RunOptions.defaults().seed(5).computeThreads(2);

    private static Pipeline<List<String>> recipe(Sampler sampler, int batch, Remainder remainder) {
        return Pipeline.from(sampler)
                .pipeSeeded("augment", (index, random) -> index + ":" + random.nextLong(), cpu(3).inputOrder())
                .map(item -> item + "!")
                .batch(batch, remainder);
    }

    @ParameterizedTest
    @EnumSource(Even.class)
    void everyStepOfEveryRankIsComputedAsRunsDeliverIt(Even even) {
        for (Remainder remainder : Remainder.values()) {
            for (int rank = 0; rank < 3; rank++) {
                Pipeline<List<String>> recipe =
                        recipe(Samplers.shuffled(50, 2).shard(rank, 3).even(even), 4, remainder);
                RunOptions epochs = OPTIONS.epochs(3);
                List<List<String>> whole = new ArrayList<>();
                try (Run<List<String>> run = recipe.start(epochs)) {
                    do {
                        run.forEach(whole::add);
                    } while (run.nextEpoch());
                }
                for (int step = 0; step < whole.size(); step++) {
                    assertThat(first(recipe, epochs, step))
                            .as("%s, %s, rank %d, step %d", even, remainder, rank, step)
                            .isEqualTo(whole.get(step));
                }
            }
        }
    }

    private static List<String> first(Pipeline<List<String>> recipe, RunOptions options, long step) {
        Checkpoint at = recipe.checkpointAt(step, options);
        try (Run<List<String>> run = recipe.start(options.resumeFrom(at))) {
            return run.iterator().next();
        }
    }

    @Test
    void anyBatchOfABillionSamplesIsBuiltAgainAtOnce() {
        long size = 1_000_000_000L;
        Random random = new Random(3);
        long slowest = 0;
        for (int i = 0; i < Campaign.scale(20, 1_000); i++) {
            int rank = random.nextInt(8);
            Pipeline<List<String>> recipe = recipe(Samplers.shuffled(size, 9).shard(rank, 8), 256, Remainder.DROP);
            RunOptions epochs = OPTIONS.epochs(Long.MAX_VALUE);
            long step = random.nextLong(10 * (size / 8 / 256));
            long begun = System.nanoTime();
            List<String> batch = first(recipe, epochs, step);
            slowest = Math.max(slowest, System.nanoTime() - begun);

            assertThat(batch).as("step %d of rank %d", step, rank).hasSize(256).isEqualTo(first(recipe, epochs, step));
            Sampler whole = Samplers.shuffled(size, 9);
            long place = step % (size / 8 / 256) * 256 * 8 + rank;
            try (var cursor = Sources.map(whole, index -> index)
                    .open(step / (size / 8 / 256), org.jspdl.source.Position.at(place))) {
                cursor.advance();
                assertThat(batch.getFirst()).startsWith(cursor.item() + ":");
            } catch (Exception unexpected) {
                throw new AssertionError(unexpected);
            }
        }
        System.out.printf("the slowest batch of 10^9 samples took %.1f ms%n", slowest / 1e6);
    }

    @Test
    void whatDoesNotFollowFromItsNumberIsRefusedByTheNameOfTheStep() {
        Pipeline<Long> numbers = Pipeline.from(Samplers.sequential(100));
        assertRefused(numbers.filter(number -> number > 3), OPTIONS, "a filter");
        assertRefused(numbers.pipe("decode", number -> number, cpu(2)), OPTIONS, "stage 'decode'", "completion order");
        assertRefused(numbers.flatMap("parts", number -> List.of(number), cpu(1)), OPTIONS, "flatMap parts");
        assertRefused(Pipeline.merge(numbers, numbers), OPTIONS, "merge");
        assertRefused(Pipeline.from(Sources.range(9)), OPTIONS, "source");
        assertRefused(
                numbers.pipe("decode", number -> number, cpu(1)),
                OPTIONS.failures(FailurePolicy.skip(3).retry(2, Duration.ZERO)),
                "stage 'decode'",
                "skipped");
        assertThatThrownBy(() -> numbers.checkpointAt(-1, OPTIONS)).isInstanceOf(IllegalArgumentException.class);
    }

    private static void assertRefused(Pipeline<?> pipeline, RunOptions options, String... words) {
        assertThatThrownBy(() -> pipeline.checkpointAt(5, options))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll(words);
    }
}
