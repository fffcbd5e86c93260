package org.jspdl.data.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.jspdl.archive.TarWriter;
import org.jspdl.data.index.DatasetIndex;
import org.jspdl.data.loader.TensorBatch;
import org.jspdl.data.shards.ShardFile;
import org.jspdl.data.shards.ShardOptions;
import org.jspdl.data.shards.Shards;
import org.jspdl.data.shards.pack.IndexWriter;
import org.jspdl.data.shards.tar.TarIndex;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;
import org.jspdl.leakcheck.LeakCheck;
import org.jspdl.memory.BufferPool;
import org.jspdl.pipeline.Checkpoint;
import org.jspdl.pipeline.Run;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.plan.CompiledPlan;
import org.jspdl.plan.Operations;
import org.jspdl.plan.Plan;
import org.jspdl.plan.PlanContext;
import org.jspdl.plan.record.RebuiltBatch;
import org.jspdl.plan.record.RecordedRun;
import org.jspdl.plan.record.RunDescription;
import org.jspdl.plan.record.RunNotes;
import org.jspdl.plan.record.RunRecorder;
import org.jspdl.plan.record.SampleOrigin;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// Batches of equal cost in plans, over shards of texts of log-normal lengths.
@ExtendWith(LeakCheck.class)
class BalancedPlanTest {
    private static final int RANKS = 4;
    private static final int SAMPLES = 240;
    private static final int BUDGET = 4_000;
    private static final Operations KNOWN = Operations.of(List.of(new SampleOperations()));

    @TempDir
    Path folder;

    @BeforeEach
    void writeShards() throws Exception {
        Random random = new Random(5);
        List<DatasetIndex.Shard> shards = new ArrayList<>();
        List<Path> indexes = new ArrayList<>();
        for (int shard = 0; shard < 3; shard++) {
            Path file = folder.resolve("train-00" + shard + ".tar");
            try (TarWriter tar = TarWriter.create(file)) {
                for (int i = 0; i < SAMPLES / 3; i++) {
                    int sample = shard * SAMPLES / 3 + i;
                    int length = 1 + (int) Math.min(1_500, Math.exp(5.3 + 0.8 * random.nextGaussian()));
                    String key = "s%03d".formatted(sample);
                    tar.add(key + ".txt", bytes("x".repeat(length)));
                    tar.add(key + ".cls", bytes(Integer.toString(sample)));
                    tar.add(key + ".json", bytes("{\"of\": \"another field with a length of its own\"}"));
                }
            }
        }
        try (Storage storage = Storage.open();
                BufferPool pool = BufferPool.unbounded("index")) {
            for (Location location : Shards.locations(storage, Location.of(folder + "/train-*.tar"))) {
                TarIndex index = TarIndex.of(new ShardFile(storage, location, ShardOptions.defaults(), pool));
                Path file = TarIndex.locationFor(location).path();
                Files.writeString(file, TarIndex.write(index.samples()));
                indexes.add(file);
                try (FileChannel content = FileChannel.open(location.path())) {
                    shards.add(new DatasetIndex.Shard(
                            String.valueOf(location.path().getFileName()),
                            index.samples().size(),
                            content.size(),
                            DatasetIndex.crc32c(content)));
                }
            }
        }
        new IndexWriter(folder, "train").write(shards, indexes);
    }

    private static MemorySegment bytes(String text) {
        return MemorySegment.ofArray(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String plan(String more) {
        return """
                source:
                  balanced-shards: {path: "train-{000..002}.tar", columns: [txt, cls], cost: txt.bytes, budget: %d, squared: true, shuffle: true, seed: 7%s}
                steps:
                  - load-text: {}
                    cpu: 3
                  - load-number: {}
                  - collate-balanced: {}
                    cpu: 2
                epochs: 2
                """.formatted(BUDGET, more);
    }

    /// What a batch holds: the numbers of its samples and their lengths.
    private record Batch(List<Long> numbers, List<Integer> lengths) {
        static Batch of(Object item) {
            try (TensorBatch batch = (TensorBatch) item) {
                List<Integer> lengths = ((List<?>)
                                Objects.requireNonNull(batch.namedValues().get("text")))
                        .stream().map(text -> text.toString().length()).toList();
                List<Long> numbers = new ArrayList<>();
                for (int i = 0; i < lengths.size(); i++) {
                    numbers.add(batch.tensor("label").segment().getAtIndex(ValueLayout.JAVA_LONG_UNALIGNED, i));
                }
                return new Batch(numbers, lengths);
            }
        }

        long squares() {
            return lengths.stream().mapToLong(each -> (long) each * each).sum();
        }
    }

    /// The batches of the first epoch, and a checkpoint behind `most`.
    private record Ran(List<Batch> batches, Checkpoint checkpoint) {}

    private Ran run(String plan, int rank, int ranks, Optional<Checkpoint> from, int most) {
        PlanContext context = PlanContext.in(folder).rank(rank, ranks);
        try (CompiledPlan compiled = Plan.of("plan", plan).compile(KNOWN, context)) {
            RunOptions options = compiled.options();
            List<Batch> batches = new ArrayList<>();
            try (Run<?> run =
                    compiled.pipeline().start(from.map(options::resumeFrom).orElse(options))) {
                var left = run.iterator();
                while (batches.size() < most && left.hasNext()) {
                    batches.add(Batch.of(left.next()));
                }
                return new Ran(batches, run.checkpoint());
            }
        }
    }

    private static List<Long> all() {
        return IntStream.range(0, SAMPLES).mapToObj(i -> (long) i).toList();
    }

    @Test
    void allRanksCostTheSameInEachStepAndEachSampleComesOnce() {
        List<List<Batch>> ranks = new ArrayList<>();
        for (int rank = 0; rank < RANKS; rank++) {
            ranks.add(run(plan(", even: uneven"), rank, RANKS, Optional.empty(), Integer.MAX_VALUE)
                    .batches());
        }

        assertThat(ranks.stream().flatMap(List::stream).flatMap(batch -> batch.numbers().stream()))
                .containsExactlyInAnyOrderElementsOf(all());
        assertThat(ranks.stream().flatMap(List::stream))
                .allMatch(
                        batch -> batch.lengths().stream().mapToInt(each -> each).sum() <= BUDGET);
        for (int step = 0; step < ranks.getLast().size(); step++) {
            int at = step;
            double mean = ranks.stream()
                    .mapToLong(rank -> rank.get(at).squares())
                    .average()
                    .orElseThrow();
            long most = ranks.stream()
                    .mapToLong(rank -> rank.get(at).squares())
                    .max()
                    .orElseThrow();
            assertThat(most / mean).as("step %d", step).isLessThan(1.3); // of 17 samples, not thousands
        }
        for (int rank = 0; rank < RANKS; rank++) {
            assertThat(run(plan(""), rank, RANKS, Optional.empty(), Integer.MAX_VALUE)
                            .batches())
                    .hasSize(ranks.getLast().size());
        }
    }

    @Test
    void otherRanksGoOnInTheMiddleOfAnEpoch() {
        String plan = plan(", even: uneven");
        List<Long> numbers = new ArrayList<>();
        List<Checkpoint> checkpoints = new ArrayList<>();
        for (int rank = 0; rank < RANKS; rank++) {
            Ran ran = run(plan, rank, RANKS, Optional.empty(), 1 + rank % 2);
            ran.batches().forEach(batch -> numbers.addAll(batch.numbers()));
            checkpoints.add(ran.checkpoint());
        }
        Checkpoint all = Checkpoint.combine(checkpoints);
        for (int rank = 0; rank < 3; rank++) {
            run(plan, rank, 3, Optional.of(all), Integer.MAX_VALUE)
                    .batches()
                    .forEach(batch -> numbers.addAll(batch.numbers()));
        }

        assertThat(numbers).containsExactlyInAnyOrderElementsOf(all());
    }

    @Test
    void anyBatchOfARecordedRunIsBuiltAtOnce() throws Exception {
        List<Batch> batches = new ArrayList<>();
        RunNotes notes = RunNotes.ofData();
        PlanContext context = PlanContext.in(folder).rank(1, 2).offer(RunNotes.class, notes);
        try (CompiledPlan compiled = Plan.of("plan", plan("")).compile(KNOWN, context)) {
            RunOptions options = notes.follow(compiled.pipeline(), compiled.options());
            RunDescription description =
                    RunDescription.of("plan", plan(""), folder, 1, 2, options, KNOWN.versions(), notes);
            try (Run<?> run = compiled.pipeline().start(options);
                    RunRecorder recorder =
                            RunRecorder.open(folder.resolve("run"), description, notes, Duration.ofHours(1))) {
                do {
                    for (Object item : run) {
                        recorder.delivered(run, item);
                        batches.add(Batch.of(item));
                    }
                } while (run.nextEpoch());
            }
        }

        for (int step = 0; step < batches.size(); step++) {
            try (RebuiltBatch again =
                    RecordedRun.find(folder.resolve("run"), 1, step).rebuild(KNOWN, UnaryOperator.identity())) {
                assertThat(again.replayed()).isZero();
                assertThat(again.wasCompared()).isTrue();
                List<String> keys = batches.get(step).numbers().stream()
                        .map("s%03d"::formatted)
                        .toList();
                assertThat(again.origins())
                        .extracting(SampleOrigin::name)
                        .zipSatisfy(keys, (name, key) -> assertThat(name).endsWith(key));
            }
        }
    }

    @Test
    void whatDoesNotGoWithBatchesThatWerePutTogetherIsRefused() {
        assertThatThrownBy(() -> run(plan("").replace("cost: txt.bytes", "cost: tokens"), 0, 1, Optional.empty(), 1))
                .hasMessageContaining("no cost 'tokens'")
                .hasMessageContaining("txt.bytes");
        assertThatThrownBy(() -> run(
                        plan("").replace("load-number: {}", "where: {field: cls, min: 1}"), 0, 1, Optional.empty(), 1))
                .hasMessageContaining("takes single samples");
        assertThatThrownBy(() -> run(
                        plan("").replace("  - collate-balanced: {}\n    cpu: 2\n", "  - batch: 2\n  - collate: {}\n"),
                        0,
                        1,
                        Optional.empty(),
                        1))
                .hasMessageContaining("takes single samples");
    }
}
