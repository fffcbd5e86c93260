package org.jspdl.plan.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Gatherers;
import java.util.stream.LongStream;
import org.jspdl.pipeline.Checkpoint;
import org.jspdl.pipeline.GathererState;
import org.jspdl.pipeline.Run;
import org.jspdl.pipeline.RunOptions;
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
import org.jspdl.source.Sampler;
import org.jspdl.source.Samplers;
import org.jspdl.source.ShardStream;
import org.jspdl.source.Source;
import org.jspdl.source.Sources;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Recorded runs of random plans, killed and gone on with anywhere, several times: samplers that are limited, repeated
/// and left some of, and shards with and without counts, alone or mixed, of one of several ranks; steps in any order
/// and with deferral, filters, batches and packing; steps that are left out. Every batch is built again, runs are run
/// again from any step, and epochs come whole.
class RecordedChainsTest {
    private static final TypeToken<Long> NUMBER = TypeToken.of(Long.class);
    private static final int EPOCHS = 2;

    @TempDir
    Path folder;

    /// A part of a campaign: `-Dseeds.from=100 -Dseeds.to=200`.
    static LongStream seeds() {
        long most = Boolean.getBoolean("campaign") ? 2_000 : 25;
        return LongStream.range(Long.getLong("seeds.from", 0), Long.getLong("seeds.to", most));
    }

    private static final class Numbers implements OperationProvider {
        private static final Parameter<Long> SIZE = Parameter.whole("size", 0, Long.MAX_VALUE);
        private static final Parameter<Long> FIRST = Parameter.whole("first", 0, Long.MAX_VALUE);
        private static final Parameter<Integer> WAY = Parameter.count("way", 0, 9);
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
                            given -> Sources.map(
                                    sampler(given.get(SIZE), given.get(WAY))
                                            .even(Even.REPEAT)
                                            .shard(given.get(RANK), given.get(WORLD_SIZE)),
                                    number -> number),
                            SIZE,
                            WAY,
                            RANK,
                            WORLD_SIZE),
                    Operation.source(
                            "placed",
                            NUMBER,
                            given -> sampler(given.get(SIZE), given.get(WAY))
                                    .even(Even.REPEAT)
                                    .shard(given.get(RANK), given.get(WORLD_SIZE)),
                            SIZE,
                            WAY,
                            RANK,
                            WORLD_SIZE),
                    Operation.source(
                            "sharded",
                            NUMBER,
                            given -> shards(given.get(SIZE), given.get(FIRST), given.get(WAY))
                                    .shard(given.get(RANK), given.get(WORLD_SIZE)),
                            SIZE,
                            FIRST,
                            WAY,
                            RANK,
                            WORLD_SIZE),
                    Operation.filter("odd", NUMBER, given -> number -> number % 3 != 0),
                    Operation.seeded("jitter", NUMBER, NUMBER, given -> (number, random) -> {
                        for (int i = random.nextInt(5); i > 0; i--) {
                            pause();
                        }
                        return 100_000 * random.nextLong(1_000_000) + number % 100_000;
                    }),
                    Operation.gatherer(
                            "packs",
                            NUMBER,
                            new TypeToken<List<Long>>() {},
                            given -> Gatherers.windowFixed(5),
                            GathererState.emptyAfterEmission()));
        }

        @SuppressWarnings("ThreadPriorityCheck") // others may overtake
        private static void pause() {
            Thread.yield();
        }

        private static Sampler sampler(long size, int way) {
            Sampler all = Samplers.shuffled(size, 3);
            return switch (way) {
                case 0 -> all.limited(Math.max(1, size * 2 / 3));
                case 1 -> all.repeated(2);
                case 2 -> all.without(1, size / 2);
                default -> all;
            };
        }

        private static ShardStream<Long> shards(long size, long first, int way) {
            List<Source<Long>> shards = new ArrayList<>();
            for (long begin = 0; begin < size; begin += 13) {
                long from = first + begin;
                Source<Long> whole = Sources.indexed(Math.min(13, size - begin), index -> from + index);
                shards.add(way % 2 == 0 ? whole : Sources.map(whole, number -> number));
            }
            ShardStream<Long> stream = ShardStream.of(shards).even(way % 3 == 0 ? Even.UNEVEN : Even.REPEAT);
            return way < 4 ? stream : stream.shuffled(5).interleaved(3).window(1 + 3L * way > 20 ? 20 : 1 + 3 * way);
        }
    }

    private static Operations operations() {
        return Operations.of(List.of(new StandardOperations(), new Numbers()));
    }

    private static String source(Random random, int number) {
        int size = 20 + random.nextInt(60);
        return switch (random.nextInt(3)) {
            case 0 -> "{placed: {size: %d, way: %d}}".formatted(size, random.nextInt(4));
            case 1 -> "{sharded: {size: %d, first: %d, way: %d}}".formatted(size, 1_000 * number, random.nextInt(10));
            default -> "{sharded: {size: %d, first: %d, way: %d}}".formatted(size, 1_000 * number, 4);
        };
    }

    private static String jitter(Random random) {
        String where = random.nextBoolean() ? "cpu" : "io";
        return switch (random.nextInt(4)) {
            case 0 -> "{jitter: {}, %s: 3}".formatted(where);
            case 1 -> "{jitter: {}, %s: 4, buffer: 1, defer: 1ms}".formatted(where);
            default -> "{jitter: {}, %s: 4, order: completion}".formatted(where);
        };
    }

    /// @param isOne whether it has one source, and so says where training goes on behind a rerun
    private record Drawn(String plan, boolean isOne) {}

    private static Drawn plan(Random random) {
        StringBuilder plan = new StringBuilder("source:");
        int sources = random.nextBoolean() ? 1 : 2 + random.nextInt(2);
        if (sources == 1) {
            plan.append(' ').append(source(random, 1)).append('\n');
        } else {
            String how = switch (random.nextInt(3)) {
                case 0 -> "mix";
                case 1 -> "round-robin";
                default -> "merge";
            };
            plan.append("\n  ").append(how).append(":\n");
            if (how.equals("mix")) {
                plan.append("    weights: ")
                        .append(sources == 2 ? "[2, 1]" : "[1, 3, 1]")
                        .append('\n');
            }
            plan.append("    of:\n");
            for (int i = 0; i < sources; i++) {
                plan.append("      - source: ").append(source(random, i + 1)).append('\n');
                if (random.nextInt(3) == 0) {
                    plan.append("        steps: [{odd: {}}, ")
                            .append(jitter(random))
                            .append("]\n");
                }
            }
        }
        List<String> steps = new ArrayList<>();
        for (int i = random.nextInt(3); i >= 0; i--) {
            steps.add(random.nextInt(4) == 0 ? "{odd: {}}" : jitter(random));
        }
        boolean packs = random.nextInt(4) == 0;
        steps.add(packs ? "{packs: {}}" : "{batch: %d}".formatted(2 + random.nextInt(7)));
        plan.append("steps: ").append(steps).append("\nepochs: ").append(EPOCHS).append('\n');
        return new Drawn(plan.toString(), sources == 1);
    }

    private record Ran(List<Object> batches, Checkpoint checkpoint) {}

    private Ran run(String plan, int rank, int worldSize, Duration interval, Optional<Checkpoint> from, int most)
            throws Exception {
        List<Object> batches = new ArrayList<>();
        RunNotes notes = RunNotes.ofData();
        PlanContext context = PlanContext.in(folder).rank(rank, worldSize).offer(RunNotes.class, notes);
        try (CompiledPlan compiled = Plan.of("plan", plan).compile(operations(), context)) {
            RunOptions options = notes.follow(
                    compiled.pipeline(),
                    from.map(compiled.options()::resumeFrom).orElse(compiled.options()));
            RunDescription description = RunDescription.of(
                    "plan", plan, folder, rank, worldSize, options, operations().versions(), notes);
            try (Run<?> run = compiled.pipeline().start(options);
                    RunRecorder recorder = RunRecorder.open(folder.resolve("run"), description, notes, interval)) {
                do {
                    var left = run.iterator();
                    while (batches.size() < most && left.hasNext()) {
                        batches.add(left.next());
                        recorder.delivered(run, batches.getLast());
                    }
                } while (batches.size() < most && run.nextEpoch());
                return new Ran(batches, run.checkpoint());
            }
        }
    }

    private Rerun rerun(int rank, long step) throws Exception {
        return Rerun.open(folder.resolve("run"), rank, step, operations(), UnaryOperator.identity());
    }

    private static Map<Object, Integer> counts(List<Object> batches) {
        Map<Object, Integer> counts = new TreeMap<>();
        batches.forEach(batch -> ((List<?>) batch).forEach(number -> counts.merge(number, 1, Integer::sum)));
        return counts;
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void whatWasDeliveredIsMadeAgainAndEpochsComeWhole(long seed) throws Exception {
        Random random = new Random(seed);
        Drawn given = plan(random);
        int worldSize = 1 + random.nextInt(3);
        int rank = random.nextInt(worldSize);
        String what = "seed " + seed + ", rank " + rank + " of " + worldSize + ", " + given.plan;
        Map<Object, Integer> whole =
                counts(run(given.plan, rank, worldSize, Duration.ofHours(1), Optional.empty(), Integer.MAX_VALUE)
                        .batches());
        try (var files = java.nio.file.Files.list(folder.resolve("run"))) {
            for (Path file : files.toList()) {
                java.nio.file.Files.delete(file);
            }
        }

        List<Object> all = new ArrayList<>();
        Optional<Checkpoint> from = Optional.empty();
        for (int kills = 1 + random.nextInt(3); kills >= 0; kills--) {
            Duration interval = random.nextBoolean() ? Duration.ofNanos(1) : Duration.ofHours(1);
            Ran ran = run(
                    given.plan, rank, worldSize, interval, from, kills == 0 ? Integer.MAX_VALUE : random.nextInt(12));
            all.addAll(ran.batches);
            from = Optional.of(ran.checkpoint);
            if (kills > 0 && !all.isEmpty() && given.isOne && random.nextBoolean()) {
                from = endOfRecord(what, rank, all, random.nextInt(all.size())).or(() -> Optional.of(ran.checkpoint));
            }
        }

        assertThat(counts(all)).as(what).isEqualTo(whole);
        for (int step = 0; step < all.size(); step++) {
            try (RebuiltBatch batch = RecordedRun.find(folder.resolve("run"), rank, step)
                    .rebuild(operations(), UnaryOperator.identity())) {
                assertThat(batch.batch()).as("%s, step %d", what, step).isEqualTo(all.get(step));
            }
        }
        int step = random.nextInt(all.size());
        List<Object> again = new ArrayList<>();
        try (Rerun rerun = rerun(rank, step)) {
            for (Optional<Object> next = rerun.next(); next.isPresent(); next = rerun.next()) {
                again.add(next.get());
            }
        }
        assertThat(again).as("%s, rerun from step %d", what, step).isEqualTo(all.subList(step, all.size()));
    }

    /// Where training goes on behind a rerun from some step; empty where that can't be told.
    private Optional<Checkpoint> endOfRecord(String what, int rank, List<Object> all, int step) throws Exception {
        try (Rerun rerun = rerun(rank, step)) {
            int at = step;
            for (Optional<Object> next = rerun.next(); next.isPresent(); next = rerun.next()) {
                assertThat(next.get()).as("%s, rerun at step %d", what, at).isEqualTo(all.get(at++));
            }
            assertThat(at).as(what).isEqualTo(all.size());
            return Optional.of(rerun.checkpoint());
        } catch (IllegalArgumentException refused) {
            assertThat(refused).as(what).hasMessageContaining("can't be told by places where items are gathered");
            return Optional.empty();
        }
    }
}
