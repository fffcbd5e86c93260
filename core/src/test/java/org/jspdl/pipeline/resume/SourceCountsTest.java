package org.jspdl.pipeline.resume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.jspdl.pipeline.StageOptions.cpu;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.LongStream;
import org.jspdl.pipeline.Checkpoint;
import org.jspdl.pipeline.FailurePolicy;
import org.jspdl.pipeline.Order;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.Remainder;
import org.jspdl.pipeline.Run;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.pipeline.StoppingStrategy;
import org.jspdl.source.Even;
import org.jspdl.source.Sampler;
import org.jspdl.source.Samplers;
import org.jspdl.stats.SourceStats;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// How often each source of a mixture was gone through.
class SourceCountsTest {
    private static final RunOptions TWO_EPOCHS = RunOptions.defaults().epochs(2).computeThreads(2);
    private static final long OF_SECOND = 1_000_000;

    static LongStream seeds() {
        return LongStream.range(0, Campaign.scale(20, 1_000));
    }

    /// What is done with the samples of two sources, at random but the same for all ranks and runs.
    private record Recipe(
            Sampler first, Sampler second, boolean filters, boolean fails, int batch, Remainder remainder) {
        static Recipe of(Random random) {
            return new Recipe(
                    Samplers.shuffled(1 + random.nextInt(120), 1)
                            .repeated(1 + random.nextInt(3))
                            .even(Even.UNEVEN),
                    Samplers.shuffled(1 + random.nextInt(60), 2).even(Even.UNEVEN),
                    random.nextBoolean(),
                    random.nextBoolean(),
                    1 + random.nextInt(7),
                    random.nextBoolean() ? Remainder.KEEP : Remainder.DROP);
        }

        Pipeline<List<Long>> of(Tuning tuning, int rank, int worldSize) {
            return Pipeline.mix(3, 2, 1)
                    .of(
                            StoppingStrategy.ALL_EXHAUSTED,
                            Pipeline.from(first.shard(rank, worldSize)).filter(item -> !filters || item % 3 != 0),
                            Pipeline.from(second.shard(rank, worldSize)).map(item -> OF_SECOND + item))
                    .pipe(
                            "work",
                            Tuning.uneven(item -> {
                                if (fails && item % 11 == 0) {
                                    throw new IllegalStateException("a bad item");
                                }
                                return item;
                            }),
                            tuning.options(Order.COMPLETION).failures(FailurePolicy.skip(100_000)))
                    .batch(batch, remainder)
                    .prefetch(tuning.sink());
        }
    }

    private static long sum(List<SourceStats> ranks, boolean delivered) {
        return ranks.stream()
                .mapToLong(rank -> (delivered ? rank.delivered() : rank.dropped()).orElseThrow())
                .sum();
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void theCountsOfAllRanksAddUpToWhatWasReadWhateverNumbersOfThemFollowEachOther(long seed) {
        Random random = new Random(seed);
        Recipe recipe = Recipe.of(random);
        Tuning tuning = new Tuning(seed);
        long[] delivered = new long[2];
        Optional<Checkpoint> from = Optional.empty();
        int changes = 1 + random.nextInt(5);
        List<List<SourceStats>> counts = List.of();
        for (int change = 0; change <= changes; change++) {
            int worldSize = 1 + random.nextInt(8);
            int most = change == changes ? Integer.MAX_VALUE : random.nextInt(1 + 200 / worldSize);
            List<Checkpoint> ranks = new ArrayList<>();
            counts = List.of(new ArrayList<>(), new ArrayList<>());
            for (int rank = 0; rank < worldSize; rank++) {
                RunOptions options = from.map(TWO_EPOCHS::resumeFrom).orElse(TWO_EPOCHS);
                try (Run<List<Long>> run = recipe.of(tuning, rank, worldSize).start(options)) {
                    for (int left = most; left > 0; ) {
                        if (run.iterator().hasNext()) {
                            left--;
                            for (long item : run.iterator().next()) {
                                delivered[item < OF_SECOND ? 0 : 1]++;
                            }
                        } else if (!run.nextEpoch()) {
                            break;
                        }
                    }
                    List<SourceStats> sources = run.stats().sources();
                    counts.get(0).add(sources.get(0));
                    counts.get(1).add(sources.get(1));
                    ranks.add(Checkpoint.parse(run.checkpoint().toJson()));
                }
            }
            assertThat(List.of(sum(counts.get(0), true), sum(counts.get(1), true)))
                    .as("seed %d, change %d, %s", seed, change, recipe)
                    .isEqualTo(List.of(delivered[0], delivered[1]));
            from = Optional.of(Checkpoint.combine(ranks));
        }
        for (int source = 0; source < 2; source++) {
            List<SourceStats> of = counts.get(source);
            long all = 2 * (source == 0 ? recipe.first : recipe.second).places();
            assertThat(sum(of, true) + sum(of, false))
                    .as("seed %d, source %d, %s", seed, source, recipe)
                    .isEqualTo(all);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 200})
    void eachSourceHasANumberOfEpochsOfItsOwn(int ahead) {
        Pipeline<Long> mixed = Pipeline.mix(3, 1, 1)
                .of(
                        StoppingStrategy.FIRST_EXHAUSTED,
                        Pipeline.from(Samplers.shuffled(10, 1).repeated(5)),
                        Pipeline.from(Samplers.shuffled(400, 2).limited(100)))
                .pipe("work", item -> item, cpu(2).inputOrder().buffer(ahead));
        try (Run<Long> run = mixed.start(RunOptions.defaults().epochs(3))) {
            do {
                run.forEach(item -> assertThat(item).isBetween(0L, 399L));
            } while (run.nextEpoch());
            List<SourceStats> sources = run.stats().sources();
            // three times five passes, and as much of the other as came until then
            assertThat(sources.get(0).delivered()).hasValue(150);
            assertThat(sources.get(0).epochs()).hasValue(15);
            long other = run.stats().delivered() - 150;
            assertThat(sources.get(1).delivered()).hasValue(other);
            assertThat(sources.get(1).epochs().orElseThrow()).isEqualTo(other / 400.0, within(1e-9));
        }
    }

    @Test
    void anItemThatIsDividedCountsWhenNothingMoreComesOfIt() {
        Pipeline<Long> parts = Pipeline.from(Samplers.sequential(10))
                .<Long>flatMap(
                        "parts", item -> LongStream.range(0, item).boxed().toList(), cpu(1))
                .filter(part -> part > 0);
        try (Run<Long> run = parts.start()) {
            run.forEach(part -> assertThat(part).isPositive());
            SourceStats source = run.stats().sources().getFirst();
            assertThat(source.delivered()).hasValue(9);
            assertThat(source.dropped()).hasValue(1);
            assertThat(source.epochs()).hasValue(1);
        }
    }

    @Test
    void whatACheckpointDoesNotSayIsUnknown() {
        Pipeline<Long> items = Pipeline.from(Samplers.sequential(10));
        Checkpoint begin;
        try (Run<Long> run = items.start()) {
            run.iterator().next();
            begin = run.checkpoint().startOfEpoch(1);
        }
        try (Run<Long> run = items.start(TWO_EPOCHS.resumeFrom(begin))) {
            run.iterator().next();
            SourceStats source = run.stats().sources().getFirst();
            assertThat(source.delivered()).isEmpty();
            assertThat(source.epochs()).isEmpty();
            assertThat(source.perEpoch()).hasValue(10);
        }
    }

    @Test
    void aComputedCheckpointCountsAsARunDoes() {
        Pipeline<List<Long>> batches = Pipeline.from(Samplers.sequential(10)).batch(3, Remainder.DROP);
        Checkpoint computed = batches.checkpointAt(4, TWO_EPOCHS);
        try (Run<List<Long>> run = batches.start(TWO_EPOCHS.resumeFrom(computed))) {
            run.iterator().next();
            SourceStats source = run.stats().sources().getFirst();
            assertThat(source.delivered()).hasValue(15);
            run.forEach(batch -> assertThat(batch).hasSize(3));
            SourceStats end = run.stats().sources().getFirst();
            assertThat(end.delivered()).hasValue(18);
            assertThat(end.dropped()).hasValue(2);
        }
    }
}
