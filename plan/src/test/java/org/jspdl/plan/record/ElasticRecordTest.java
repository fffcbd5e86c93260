package org.jspdl.plan.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import org.jspdl.pipeline.Checkpoint;
import org.jspdl.pipeline.Run;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.pipeline.mixture.LiveMixture;
import org.jspdl.plan.CompiledPlan;
import org.jspdl.plan.Operation;
import org.jspdl.plan.OperationProvider;
import org.jspdl.plan.Operations;
import org.jspdl.plan.Parameter;
import org.jspdl.plan.Plan;
import org.jspdl.plan.PlanContext;
import org.jspdl.plan.StandardOperations;
import org.jspdl.plan.TypeToken;
import org.jspdl.source.Even;
import org.jspdl.source.Samplers;
import org.jspdl.source.ShardStream;
import org.jspdl.source.Source;
import org.jspdl.source.Sources;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A run of several ranks that is killed and goes on with another number of them, into the same record: each batch of
/// each rank is built again as it was, and steps that a rank never had are refused.
class ElasticRecordTest {
    private static final TypeToken<Long> NUMBER = TypeToken.of(Long.class);
    private static final int SIZE = 120;
    /// How many ranks go on, one after the other.
    private static final int[] RANKS = {2, 3, 1, 4};

    @TempDir
    Path folder;

    private record Numbers() implements OperationProvider {
        private static final Parameter<Integer> RANK =
                Parameter.count("rank", 0, 999).orElse(0);
        private static final Parameter<Integer> WORLD_SIZE =
                Parameter.count("world-size", 1, 1_000).orElse(1);

        @Override
        public List<Operation> operations() {
            return List.of(
                    Operation.source(
                            "sampled",
                            NUMBER,
                            given -> Samplers.shuffled(SIZE, 3)
                                    .even(Even.UNEVEN)
                                    .shard(given.get(RANK), given.get(WORLD_SIZE)),
                            RANK,
                            WORLD_SIZE),
                    Operation.source(
                            "sharded",
                            NUMBER,
                            given -> shards().even(Even.UNEVEN).shard(given.get(RANK), given.get(WORLD_SIZE)),
                            RANK,
                            WORLD_SIZE),
                    Operation.filter("odd", NUMBER, given -> number -> number % 3 != 0),
                    Operation.seeded(
                            "jitter",
                            NUMBER,
                            NUMBER,
                            given -> (number, random) -> 100_000 * random.nextLong(1_000_000) + number));
        }

        private static ShardStream<Long> shards() {
            List<Source<Long>> shards = new ArrayList<>();
            for (long first = 0; first < SIZE; first += 20) {
                long begin = first;
                shards.add(Sources.indexed(20, index -> begin + index));
            }
            return ShardStream.of(shards).shuffled(5).interleaved(2).window(20);
        }
    }

    private static Operations operations() {
        return Operations.of(List.of(new StandardOperations(), new Numbers()));
    }

    private record Ran(List<Object> batches, long from, Checkpoint checkpoint) {}

    private Ran run(String plan, int rank, int ranks, Optional<Checkpoint> from, int most) throws Exception {
        List<Object> batches = new ArrayList<>();
        RunNotes notes = RunNotes.ofData();
        PlanContext context = PlanContext.in(folder).rank(rank, ranks).offer(RunNotes.class, notes);
        try (CompiledPlan compiled = Plan.of("plan", plan).compile(operations(), context)) {
            RunOptions whole = compiled.options();
            RunOptions options = notes.follow(
                    compiled.pipeline(), from.map(whole::resumeFrom).orElse(whole));
            RunDescription description = RunDescription.of(
                    "plan", plan, folder, rank, ranks, options, operations().versions(), notes);
            try (Run<?> run = compiled.pipeline().start(options);
                    RunRecorder recorder =
                            RunRecorder.open(folder.resolve("run"), description, notes, Duration.ofHours(1))) {
                LiveMixture.watch(run);
                do {
                    var left = run.iterator();
                    while (batches.size() < most && left.hasNext()) {
                        batches.add(left.next());
                        recorder.delivered(run, batches.getLast());
                    }
                } while (batches.size() < most && run.nextEpoch());
                return new Ran(batches, description.step(), run.checkpoint());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{sampled: {}}\nsteps: [{jitter: {}, cpu: 3, order: input}, {batch: 3}]",
                "{sampled: {}}\nsteps: [{jitter: {}, cpu: 3, order: completion}, {batch: 3}]",
                "{sampled: {}}\nsteps: [{odd: {}}, {jitter: {}, io: 3, buffer: 1, defer: 1ms}, {batch: 3}]",
                "{sharded: {}}\nsteps: [{jitter: {}, cpu: 3, order: input}, {batch: 3}]",
                "{sharded: {}}\nsteps: [{jitter: {}, cpu: 3, order: completion}, {batch: 3}]",
                "{sharded: {}}\nsteps: [{odd: {}}, {jitter: {}, io: 3, buffer: 1, defer: 1ms}, {batch: 3}]",
                "{mix: {weights: [1, 1], changes: weights.jsonl, of: [{source: {sampled: {}}},"
                        + " {source: {sampled: {}}, steps: [{odd: {}}]}]}}"
                        + "\nsteps: [{jitter: {}, cpu: 3, order: input}, {batch: 3}]"
            })
    void eachBatchOfEachRankIsBuiltAgainAndNoOther(String steps) throws Exception {
        String plan = "source: " + steps + "\nepochs: 1\n";
        Files.writeString(folder.resolve("weights.jsonl"), """
                {"step": 1, "weights": [0.2, 0.8]}
                {"step": 12, "weights": [0.9, 0.1]}
                """);
        Map<Integer, TreeMap<Long, Object>> had = new TreeMap<>();
        List<Long> samples = new ArrayList<>();
        Optional<Checkpoint> from = Optional.empty();
        for (int part = 0; part < RANKS.length; part++) {
            List<Checkpoint> checkpoints = new ArrayList<>();
            for (int rank = 0; rank < RANKS[part]; rank++) {
                int most = part == RANKS.length - 1 ? Integer.MAX_VALUE : 2 + 2 * ((rank + part) % 2);
                Ran ran = run(plan, rank, RANKS[part], from, most);
                TreeMap<Long, Object> own = had.computeIfAbsent(rank, _ -> new TreeMap<>());
                own.tailMap(ran.from(), true).clear();
                for (int i = 0; i < ran.batches().size(); i++) {
                    own.put(ran.from() + i, ran.batches().get(i));
                    ((List<?>) ran.batches().get(i)).forEach(number -> samples.add((Long) number % 100_000));
                }
                checkpoints.add(ran.checkpoint());
            }
            from = Optional.of(Checkpoint.combine(checkpoints));
        }
        Files.delete(folder.resolve("weights.jsonl"));

        boolean mixes = steps.startsWith("{mix");
        boolean filters = steps.contains("odd");
        if (!mixes) {
            assertThat(samples)
                    .containsExactlyInAnyOrderElementsOf(LongStream.range(0, SIZE)
                            .filter(number -> !filters || number % 3 != 0)
                            .boxed()
                            .toList());
        }
        for (var each : had.entrySet()) {
            int rank = each.getKey();
            NavigableMap<Long, Object> own = each.getValue();
            assertReruns(rank, own);
            for (long step = 0; step <= own.lastKey(); step++) {
                Object was = own.get(step);
                if (was == null) {
                    long at = step;
                    assertThatThrownBy(() -> RecordedRun.find(folder.resolve("run"), rank, at))
                            .as("rank %d, step %d", rank, step)
                            .isInstanceOf(IllegalArgumentException.class)
                            .hasMessageMatching("(?s).*(had no step|no step).*");
                    continue;
                }
                RecordedRun recorded = RecordedRun.find(folder.resolve("run"), rank, step);
                try (RebuiltBatch batch = recorded.rebuild(operations(), UnaryOperator.identity())) {
                    assertThat(batch.batch()).as("rank %d, step %d", rank, step).isEqualTo(was);
                    assertThat(batch.wasCompared()).isTrue();
                }
            }
        }
    }

    /// All steps that the rank had, one process behind the other, up to one that it never had.
    private void assertReruns(int rank, NavigableMap<Long, Object> own) throws Exception {
        for (long from : own.keySet()) {
            try (Rerun rerun = Rerun.open(folder.resolve("run"), rank, from, operations(), UnaryOperator.identity())) {
                long step = from;
                for (; own.containsKey(step); step++) {
                    assertThat(rerun.next())
                            .as("rank %d, step %d again", rank, step)
                            .contains(own.get(step));
                }
                if (step > own.lastKey()) {
                    assertThat(rerun.next()).isEmpty();
                } else {
                    assertThatThrownBy(rerun::next).hasMessageContaining("had no step " + step);
                }
            }
        }
    }
}
