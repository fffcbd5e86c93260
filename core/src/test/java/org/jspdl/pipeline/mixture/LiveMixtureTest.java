package org.jspdl.pipeline.mixture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jspdl.pipeline.StageOptions.cpu;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Gatherers;
import java.util.stream.LongStream;
import org.jspdl.leakcheck.LeakCheck;
import org.jspdl.pipeline.Checkpoint;
import org.jspdl.pipeline.FailurePolicy;
import org.jspdl.pipeline.GathererState;
import org.jspdl.pipeline.Mix;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.Remainder;
import org.jspdl.pipeline.Run;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.pipeline.StoppingStrategy;
import org.jspdl.pipeline.Tuning;
import org.jspdl.source.Samplers;
import org.jspdl.source.Sources;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Weights that change while a run goes on.
@ExtendWith(LeakCheck.class)
class LiveMixtureTest {
    private static final int BATCH = 32;

    /// A campaign may be run in parts: `-Dseeds.from=100 -Dseeds.to=150`.
    static LongStream seeds() {
        return LongStream.range(
                Long.getLong("seeds.from", 0), Long.getLong("seeds.to", Boolean.getBoolean("campaign") ? 300 : 10));
    }

    /// Endless for these tests: the items of input i are all i.
    private static Pipeline<Long> of(long input) {
        return Pipeline.from(Sources.range(1L << 40)).map(_ -> input);
    }

    private static List<List<Long>> take(Run<List<Long>> run, int batches) {
        List<List<Long>> taken = new ArrayList<>();
        Iterator<List<Long>> items = run.iterator();
        for (int i = 0; i < batches; i++) {
            taken.add(items.next());
        }
        return taken;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 16, 1_000})
    void aChangeIsInEffectExactlyAtItsStepOnEveryRankHoweverMuchIsPreparedAhead(int ahead) {
        for (int rank = 0; rank < 3; rank++) {
            Pipeline<List<Long>> batches = Pipeline.mix(rank, 1, 0, 0)
                    .live()
                    .of(StoppingStrategy.ALL_EXHAUSTED, of(0), of(1), of(2))
                    .pipe("work", item -> item, cpu(2).inputOrder().buffer(ahead))
                    .batch(BATCH, Remainder.DROP)
                    .prefetch(Math.min(ahead, 200));
            try (Run<List<Long>> run = batches.start()) {
                LiveMixture mixture = LiveMixture.of(run);
                mixture.change(7, 0, 1, 0);
                List<List<Long>> taken = take(run, 10);
                mixture.change(mixture.firstStep(), 0, 0, 1);
                taken.addAll(take(run, 5));
                for (int step = 0; step < taken.size(); step++) {
                    long expected = step < 7 ? 0 : step < 10 ? 1 : 2;
                    assertThat(taken.get(step)).as("step %d", step).containsOnly(expected);
                }
                assertThat(mixture.changes())
                        .containsExactly(
                                new WeightChange(7, 0, 7 * BATCH, List.of(0.0, 1.0, 0.0)),
                                new WeightChange(10, 0, 10 * BATCH, List.of(0.0, 0.0, 1.0)));
                assertThat(run.stats().delivered()).isEqualTo(15);
            }
        }
    }

    @Test
    void aStageThatCannotBeTunedIsNamedAtOnceAndHoldsUpNoLaterChange() {
        Pipeline<List<Long>> batches = Pipeline.mix(7, 1, 0)
                .live()
                .of(StoppingStrategy.ALL_EXHAUSTED, of(0), of(1))
                .pipe("work", item -> item, cpu(2).inputOrder())
                .batch(BATCH, Remainder.DROP);
        try (Run<List<Long>> run = batches.start()) {
            assertThatThrownBy(() -> run.tune(Tuning.concurrency("wrok", 3)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("wrok");
            run.tune(Tuning.concurrency("work", 3));
            LiveMixture.of(run).change(2, 0, 1);

            assertThat(take(run, 4).getLast()).containsOnly(1L);

            assertThat(run.stats().changes()).singleElement().hasToString("concurrency of 'work' from 2 to 3");
        }
    }

    /// Three sources of other lengths, filtered and failing steps, remainders that are dropped, several epochs.
    private static Pipeline<List<Long>> mixed(Random random, int rank, int worldSize) {
        boolean filters = random.nextBoolean();
        boolean fails = random.nextBoolean();
        Pipeline<Long> items = Pipeline.mix(3, 2, 1, 0)
                .live()
                .of(
                        StoppingStrategy.ALL_EXHAUSTED,
                        Pipeline.from(
                                Samplers.shuffled(700 + random.nextInt(100), 1).shard(rank, worldSize)),
                        Pipeline.from(Samplers.shuffled(500, 2).shard(rank, worldSize))
                                .filter(item -> item % 7 != 0)
                                .map(item -> 10_000 + item),
                        Pipeline.from(Samplers.shuffled(300, 3).shard(rank, worldSize))
                                .map(item -> 20_000 + item));
        int workers = 1 + random.nextInt(4);
        Pipeline<Long> worked = items.pipeSeeded(
                "work",
                (item, chance) -> {
                    if (fails && item % 23 == 0) {
                        throw new IllegalStateException("a bad item");
                    }
                    return item * 1_000 + chance.nextInt(1_000);
                },
                cpu(workers)
                        .inputOrder()
                        .buffer(Math.max(1, random.nextInt(300)))
                        .failures(FailurePolicy.skip(100_000)));
        if (filters) {
            worked = worked.filter(item -> item / 1_000 % 11 != 0);
        }
        return worked.batch(1 + random.nextInt(20), random.nextBoolean() ? Remainder.DROP : Remainder.KEEP)
                .prefetch(1 + random.nextInt(50));
    }

    private static List<List<Long>> all(Run<List<Long>> run) {
        List<List<Long>> all = new ArrayList<>();
        do {
            run.forEach(all::add);
        } while (run.nextEpoch());
        return all;
    }

    /// The run with changes by calls, one of which goes through the same changes without them, and one that is
    /// interrupted and resumed all the time.
    @ParameterizedTest
    @MethodSource("seeds")
    void aReplayGoesThroughTheSameTwentyChanges(long seed) {
        RunOptions options = RunOptions.defaults().epochs(3).seed(seed);
        Random random = new Random(seed);
        Map<Long, double[]> changes = new TreeMap<>();
        while (changes.size() < 20) {
            double[] weights = {random.nextInt(4), random.nextDouble(), 0.1 + random.nextInt(3)};
            changes.put(random.nextLong(120), weights);
        }
        List<List<Long>> live;
        List<WeightChange> made;
        try (Run<List<Long>> run = mixed(new Random(seed), 0, 1).start(options)) {
            LiveMixture mixture = LiveMixture.of(run);
            changes.forEach(mixture::change);
            live = all(run);
            made = mixture.changes();
        }
        assertThat(made).hasSizeGreaterThan(5);

        try (Run<List<Long>> replay = mixed(new Random(seed), 0, 1).start(LiveMixture.replaying(options, made))) {
            assertThat(all(replay)).isEqualTo(live);
        }
        assertThat(interrupted(seed, options, changes, random)).isEqualTo(live);
    }

    /// The same changes where each is named shortly before its step, and runs end and resume.
    private static List<List<Long>> interrupted(
            long seed, RunOptions options, Map<Long, double[]> changes, Random random) {
        List<List<Long>> taken = new ArrayList<>();
        RunOptions next = options;
        boolean more = true;
        while (more) {
            int until = taken.size() + 1 + random.nextInt(40);
            try (Run<List<Long>> run = mixed(new Random(seed), 0, 1).start(next)) {
                LiveMixture mixture = LiveMixture.of(run);
                while (more && taken.size() < until) {
                    long step = taken.size();
                    double[] now = changes.get(step);
                    if (now != null && mixture.changes().stream().noneMatch(change -> change.step() == step)) {
                        mixture.change(step, now);
                    }
                    Iterator<List<Long>> items = run.iterator();
                    if (items.hasNext()) {
                        taken.add(items.next());
                    } else {
                        more = run.nextEpoch();
                    }
                }
                next = options.resumeFrom(Checkpoint.parse(run.checkpoint().toJson()));
            }
        }
        return taken;
    }

    @Test
    void ranksThatHaveChangedTogetherResumeAsAnotherNumber() {
        List<Checkpoint> stopped = new ArrayList<>();
        List<Long> seen = new ArrayList<>();
        for (int rank = 0; rank < 3; rank++) {
            try (Run<List<Long>> run = plain(rank, 3).start()) {
                LiveMixture.of(run).change(4, 1, 3);
                take(run, 9).forEach(seen::addAll);
                stopped.add(run.checkpoint());
            }
        }
        Checkpoint together = Checkpoint.combine(stopped);
        for (int rank = 0; rank < 2; rank++) {
            try (Run<List<Long>> run =
                    plain(rank, 2).start(RunOptions.defaults().resumeFrom(together))) {
                assertThat(LiveMixture.of(run).changes())
                        .extracting(WeightChange::step)
                        .containsExactly(4L);
                run.forEach(seen::addAll);
            }
        }
        assertThat(seen).hasSize(1_200).doesNotHaveDuplicates();
    }

    private static Pipeline<List<Long>> plain(int rank, int worldSize) {
        return Pipeline.mix(3, 3, 1)
                .live()
                .of(
                        StoppingStrategy.ALL_EXHAUSTED,
                        Pipeline.from(Samplers.shuffled(900, 1).shard(rank, worldSize)),
                        Pipeline.from(Samplers.shuffled(300, 2).shard(rank, worldSize))
                                .map(item -> 10_000 + item))
                .batch(10, Remainder.KEEP);
    }

    @Test
    void ranksThatHaveChangedOtherwiseAreNotCombined() {
        List<Checkpoint> stopped = new ArrayList<>();
        for (int rank = 0; rank < 2; rank++) {
            try (Run<List<Long>> run = plain(rank, 2).start()) {
                LiveMixture.of(run).change(4 + rank, 1, 3);
                take(run, 9);
                stopped.add(run.checkpoint());
            }
        }
        assertThatThrownBy(() -> Checkpoint.combine(stopped))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("other changes of weights")
                .hasMessageContaining("4 0 40 1.0 3.0");
    }

    @Test
    void aRankThatIsPastTheStepSaysSoByName() {
        try (Run<List<Long>> run = plain(1, 2).start()) {
            LiveMixture mixture = LiveMixture.of(run);
            take(run, 5);
            assertThatThrownBy(() -> mixture.change(4, 1, 1))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("rank 1")
                    .hasMessageContaining("step 4")
                    .hasMessageContaining("come to step 5");
            assertThat(run.iterator().hasNext()).isTrue();
            assertThatThrownBy(() -> mixture.change(5, 1, 1)).hasMessageContaining("name step 6 or a later one");
            mixture.change(6, 1, 1);
            assertThatThrownBy(() -> mixture.change(6, 1, 2)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> mixture.change(8, 1)).hasMessageContaining("mixes 2 pipelines");
            assertThatThrownBy(() -> mixture.change(8, 0, 0)).hasMessageContaining("positive");
        }
    }

    @Test
    void anAgreedStepMustNotBeEarlierThanARankCanChange() throws Exception {
        try (Run<List<Long>> run = plain(0, 1).start()) {
            LiveMixture mixture = LiveMixture.of(run);
            take(run, 5);
            assertThat(mixture.change(earliest -> earliest + 2, 0, 1)).isEqualTo(7);
            assertThat(take(run, 3).getLast()).allMatch(item -> item >= 10_000);
            assertThatThrownBy(() -> mixture.change(earliest -> earliest - 1, 1, 1))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("agreed on step 7");
        }
    }

    @Test
    void whatCouldNotBeChangedExactlyIsRefusedByNameWhenTheRunStarts() {
        Mix live = Pipeline.mix(1, 1, 1).live();
        Pipeline<Long> mixed = live.of(StoppingStrategy.ALL_EXHAUSTED, of(0), of(1));
        assertThatThrownBy(() -> mixed.aggregate("pack", Gatherers.windowFixed(2), GathererState.emptyAfterEmission())
                        .start())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("aggregate pack");
        assertThatThrownBy(() -> mixed.take(5).start()).hasMessageContaining("only live mix");
        assertThatThrownBy(() -> mixed.pipe("work", item -> item, cpu(2)).start())
                .hasMessageContaining("inputOrder");
        assertThatThrownBy(() ->
                        live.of(StoppingStrategy.FIRST_EXHAUSTED, of(0), of(1)).start())
                .hasMessageContaining("ALL_EXHAUSTED");
        assertThatThrownBy(() -> Pipeline.merge(mixed, of(2)).start()).hasMessageContaining("only live mix");
        try (Run<Long> run = of(0).start()) {
            assertThatThrownBy(() -> LiveMixture.of(run)).hasMessageContaining("live()");
        }
    }

    @Test
    void aCheckpointTakenBeforeAChangeDoesNotHaveIt() {
        Checkpoint before;
        List<List<Long>> expected;
        try (Run<List<Long>> run = plain(0, 1).start()) {
            take(run, 5);
            var ticket = run.ticket();
            expected = take(run, 2);
            LiveMixture.of(run).change(7, 0, 1);
            take(run, 2);
            before = run.checkpoint(ticket);
            assertThat(LiveMixture.of(run).lastChange())
                    .hasValueSatisfying(at -> assertThat(at.delivered()).isEqualTo(7));
        }
        try (Run<List<Long>> run = plain(0, 1).start(RunOptions.defaults().resumeFrom(before))) {
            assertThat(LiveMixture.of(run).changes()).isEmpty();
            assertThat(take(run, 2)).isEqualTo(expected);
        }
    }

    @Test
    void aChangeThatWaitsWhenAnEpochIsLeftComesInTheNextOne() {
        RunOptions two = RunOptions.defaults().epochs(2);
        try (Run<List<Long>> run = plain(0, 1).start(two)) {
            take(run, 5);
            run.nextEpoch();
            LiveMixture mixture = LiveMixture.of(run);
            long step = mixture.firstStep() + 3;
            mixture.change(step, 0, 1);
            take(run, 3);
            assertThat(take(run, 2)).allSatisfy(batch -> assertThat(batch).allMatch(item -> item >= 10_000));
            assertThat(mixture.changes()).containsExactly(new WeightChange(step, 1, 30, List.of(0.0, 1.0)));
        }
    }
}
