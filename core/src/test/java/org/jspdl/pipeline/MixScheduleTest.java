package org.jspdl.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jspdl.pipeline.StageOptions.cpu;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.jspdl.leakcheck.LeakCheck;
import org.jspdl.source.Samplers;
import org.jspdl.source.Sources;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Weights of a mix that change on the way.
@ExtendWith(LeakCheck.class)
class MixScheduleTest {
    private static final int BATCH = 256;

    static LongStream seeds() {
        return LongStream.range(0, Boolean.getBoolean("campaign") ? 2_000 : 20);
    }

    /// Endless for these tests: the items of input i are all i.
    private static Pipeline<Integer> of(int input) {
        return Pipeline.from(Sources.range(1L << 40)).map(_ -> input);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4_096})
    void aChangeIsInEffectExactlyAtItsItemHoweverMuchIsPreparedAhead(int ahead) {
        for (int rank = 0; rank < 2; rank++) {
            Pipeline<List<Integer>> batches = Pipeline.mix(rank, 1, 0, 0)
                    .then(20 * BATCH, 0, 1, 0)
                    .then(21 * BATCH, 0, 0, 1)
                    .then(40 * BATCH + 1, 1, 0, 0)
                    .of(StoppingStrategy.ALL_EXHAUSTED, of(0), of(1), of(2))
                    .pipe("work", item -> item, cpu(2).inputOrder().buffer(ahead))
                    .batch(BATCH, Remainder.DROP)
                    .take(60);
            List<Integer> items = new ArrayList<>();
            try (Run<List<Integer>> run = batches.start()) {
                run.forEach(items::addAll);
            }
            for (int i = 0; i < items.size(); i++) {
                int expected = i < 20 * BATCH || i > 40 * BATCH ? 0 : i < 21 * BATCH ? 1 : 2;
                assertThat(items.get(i)).as("item %d", i).isEqualTo(expected);
            }
            assertThat(items).hasSize(60 * BATCH);
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void aResumedRunGoesThroughTheSameTwentyChanges(long seed) {
        Random random = new Random(seed);
        Mix mix = Pipeline.mix(seed, weights(random));
        long item = 0;
        for (int change = 0; change < 20; change++) {
            item += 1 + random.nextInt(60);
            mix = random.nextBoolean() ? mix.then(item, weights(random)) : mix.rampTo(item, weights(random));
        }
        Pipeline<String> pipeline = mix.of(
                        random.nextBoolean() ? StoppingStrategy.FIRST_EXHAUSTED : StoppingStrategy.ALL_EXHAUSTED,
                        numbered("a", 150),
                        numbered("b", 400),
                        numbered("c", 60))
                .pipe("work", text -> text + "!", cpu(3).inputOrder());
        RunOptions options = RunOptions.defaults().epochs(2);
        List<String> whole = new ArrayList<>();
        List<Checkpoint> checkpoints = new ArrayList<>();
        try (Run<String> run = pipeline.start(options)) {
            do {
                for (String each : run) {
                    whole.add(each);
                    checkpoints.add(run.checkpoint());
                }
            } while (run.nextEpoch());
        }
        for (int i = 0; i < 5; i++) {
            int delivered = random.nextInt(whole.size());
            List<String> rest = new ArrayList<>();
            try (Run<String> run = pipeline.start(options.resumeFrom(
                    Checkpoint.parse(checkpoints.get(delivered).toJson())))) {
                do {
                    run.forEach(rest::add);
                } while (run.nextEpoch());
            }
            assertThat(rest)
                    .as("seed %d, behind %d", seed, delivered)
                    .isEqualTo(whole.subList(delivered + 1, whole.size()));
        }
    }

    private static Pipeline<String> numbered(String name, int size) {
        return Pipeline.from(Samplers.shuffled(size, 5)).map(number -> name + number);
    }

    private static double[] weights(Random random) {
        double[] weights = {random.nextInt(3), random.nextInt(3), 0};
        weights[2] = weights[0] + weights[1] == 0 ? 1 : random.nextDouble();
        return weights;
    }

    @Test
    void otherWeightsAreAnotherRecipe() {
        Mix mix = Pipeline.mix(1, 1, 1);
        Pipeline<Integer> plain = mix.of(StoppingStrategy.ALL_EXHAUSTED, of(0), of(1));
        Checkpoint checkpoint;
        try (Run<Integer> run = plain.start()) {
            run.iterator().next();
            checkpoint = run.checkpoint();
        }
        assertThatThrownBy(() -> mix.then(9, 1, 2)
                        .of(StoppingStrategy.ALL_EXHAUSTED, of(0), of(1))
                        .start(RunOptions.defaults().resumeFrom(checkpoint)))
                .hasMessageContaining("recipe has changed")
                .hasMessageContaining("from 9 [1.0, 2.0]");
    }

    @Test
    void changesThatCannotBeAreRefused() {
        Mix mix = Pipeline.mix(1, 1, 1).then(10, 1, 2);
        assertThatThrownBy(() -> mix.then(10, 1, 1)).hasMessageContaining("behind item 10");
        assertThatThrownBy(() -> mix.rampTo(11, 1)).hasMessageContaining("1 weights from item 11");
        assertThatThrownBy(() -> mix.then(11, 0, 0)).hasMessageContaining("positive");
    }
}
