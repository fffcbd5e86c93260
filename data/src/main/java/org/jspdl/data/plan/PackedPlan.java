package org.jspdl.data.plan;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import java.util.stream.LongStream;
import org.jspdl.data.order.ShardPlaces;
import org.jspdl.data.plan.pack.PackFailures;
import org.jspdl.data.shards.ShardSample;
import org.jspdl.data.shards.pack.PackException;
import org.jspdl.data.shards.pack.PackSettings;
import org.jspdl.data.shards.pack.ShardWriter;
import org.jspdl.data.shards.pack.StagedShards;
import org.jspdl.data.shards.pack.WrittenShard;
import org.jspdl.data.snapshot.DatasetVersions;
import org.jspdl.data.snapshot.FileVersions;
import org.jspdl.data.storage.StorageException;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Closeables;
import org.jspdl.pipeline.Excerpt;
import org.jspdl.pipeline.FailedItem;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.PipelineException;
import org.jspdl.pipeline.Pipelines;
import org.jspdl.pipeline.Run;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.pipeline.StageOptions;
import org.jspdl.pipeline.StagePart;
import org.jspdl.plan.CompiledPlan;
import org.jspdl.plan.Operations;
import org.jspdl.plan.Plan;
import org.jspdl.plan.PlanContext;
import org.jspdl.plan.record.RunDescription;
import org.jspdl.plan.record.RunNotes;
import org.jspdl.source.Sources;
import org.jspdl.stats.StageObserver;

/// A plan whose samples are written as shards, each of a fixed range of places of the plan's source: `jspdl pack
/// plan.yaml` on one machine, and a job of many.
///
/// What comes of a place depends on plan, seed and dataset alone, so ranges may be written anywhere, in any order and
/// more than once, with the same bytes. The plan needs one source that finds a place by its number (`files`, `texts`,
/// `coco`, `shards` that are indexed), and steps that make one sample of one, or none. Only the first epoch is written.
/// Ranges may be written by several threads at once; closed when none is written any more.
public final class PackedPlan implements AutoCloseable {
    /// What failed, beside the shards, if anything did.
    public static final String QUARANTINE = "quarantine.jsonl";

    /// Places that are run together, whose samples are in memory at once.
    private static final int TOGETHER = 32;

    private static final Duration TICK = Duration.ofMillis(100);

    private final CompiledPlan plan;
    private final BufferPool pool;
    private final PackFailures failures;
    private final long places;
    private final String snapshot;
    private final DatasetVersions versions;

    private PackedPlan(CompiledPlan plan, String snapshot, DatasetVersions versions) {
        this.plan = plan;
        this.versions = versions;
        this.places = Pipelines.places(plan.pipeline());
        this.failures = new PackFailures(plan.pipeline(), plan.options().failures(), places);
        this.snapshot = places + " places, " + snapshot;
        this.pool = BufferPool.unbounded("files of packed samples");
    }

    /// Compiles a plan to be packed. Lists its dataset, and reads nothing of it.
    ///
    /// @param name what messages call it; one that ends in `.json` says that the text is JSON
    /// @throws org.jspdl.plan.PlanException if it can't be compiled
    /// @throws IllegalArgumentException if its places can't be run one by one; the message says why
    public static PackedPlan open(String name, String text, Operations operations, PlanContext context) {
        return open(name, text, operations, context, DatasetVersions.toBeTold());
    }

    /// The same, for one of several processes that read parts of one dataset.
    ///
    /// @param versions of its files, which are read in no other
    public static PackedPlan open(
            String name, String text, Operations operations, PlanContext context, DatasetVersions versions) {
        RunNotes notes = RunNotes.ofData();
        CompiledPlan compiled = Plan.of(name, text)
                .compile(
                        operations,
                        context.withoutQuarantineFile()
                                .offer(RunNotes.class, notes)
                                .offer(ShardPlaces.class, new ShardPlaces())
                                .offer(DatasetVersions.class, versions));
        try {
            Pipelines.wholeExcerpt(compiled.pipeline(), 0, List.of(), RunOptions.defaults());
            RunDescription described =
                    RunDescription.of(name, text, Path.of(""), 0, 1, compiled.options(), operations.versions(), notes);
            return new PackedPlan(
                    compiled,
                    String.join(", ", described.data()) + ", seed "
                            + compiled.options().seed() + ", " + new java.util.TreeMap<>(described.versions()),
                    versions);
        } catch (Throwable failure) {
            compiled.close();
            throw failure;
        }
    }

    /// How many places there are.
    public long places() {
        return places;
    }

    /// How many ranges of `each` places there are.
    ///
    /// @throws IllegalArgumentException if there are more than a job can number
    public int ranges(long each) {
        long ranges = (places + each - 1) / each;
        if (ranges > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("shards of " + each + " places would be " + ranges
                    + ", more than there can be: take more places for a shard");
        }
        return (int) ranges;
    }

    /// A text that is the same in every process that makes the same samples of the same places: the number of
    /// places, the names of the files, the seed and the versions of decoders.
    public String snapshot() {
        return snapshot;
    }

    /// The versions of the files of each source, for those who read parts of the same dataset. Looks at all files.
    ///
    /// @throws StorageException if one is gone
    public List<FileVersions> versions() throws IOException {
        return versions.look();
    }

    /// The names of its stages, in their order.
    public List<String> stages() {
        return Pipelines.parts(plan.pipeline()).stream().map(StagePart::name).toList();
    }

    /// Writes what comes of range `range`, of as many places as `settings` has samples in a shard, as one attempt.
    ///
    /// @param settings where the shards are in the end
    /// @param attempt  different for each attempt at this range
    /// @throws StorageException if a file can't be read just now: that never counts as a sample that failed
    /// @throws PackException if more samples failed than the plan allows
    /// @throws IOException if a sample can't be written
    public PackedRange write(int range, PackSettings settings, StagedShards staged, long attempt) throws IOException {
        return write(range, settings.in(staged.attempt(range, attempt)));
    }

    /// The same in a folder of the caller's.
    ///
    /// @param settings of this folder
    public PackedRange write(int range, PackSettings settings) throws IOException {
        long each = settings.samples();
        long end = Math.min(places, Math.multiplyExact((long) range, each) + each);
        List<FailedItem> failed = new ArrayList<>();
        long dropped = 0;
        PackedFields fields = new PackedFields(settings.format().isEmpty(), pool);
        try (ShardWriter writer = new ShardWriter(settings)) {
            for (long from = range * each; from < end; from += TOGETHER) {
                dropped += write(from, Math.min(end, from + TOGETHER), fields, writer, failed);
                failures.check(failed, false);
                if (Thread.currentThread().isInterrupted()) {
                    throw new java.io.InterruptedIOException("interrupted at place " + from);
                }
            }
            return new PackedRange(
                    new StagedShards.Part(
                            range,
                            String.valueOf(settings.folder().getFileName()),
                            writer.finish().orElse(null)),
                    failed.stream().map(FailedItem::toJson).toList(),
                    dropped);
        }
    }

    private long write(long from, long to, PackedFields fields, ShardWriter writer, List<FailedItem> failed)
            throws IOException {
        return hand(from, to, fields, (sample, place) -> writer.add(sample, place), failed, StageObserver.disabled());
    }

    /// Gets samples in the order of their places.
    @FunctionalInterface
    public interface Taker {
        /// Takes the sample of `place`, which is valid until this returns.
        void take(ShardSample sample, long place) throws IOException;
    }

    /// Hands over what comes of the places `from` to below `to`, in their order, without a word on how many may
    /// fail: filters leave places out, and so does what failed.
    ///
    /// @param to at most [#places]; all samples between the two are in memory at once
    /// @return what failed for good, in the order of places
    /// @throws StorageException if a file can't be read just now: that never counts as a sample that failed
    /// @throws IOException if a sample holds what no shard does; the message says what
    public List<FailedItem> samples(long from, long to, Taker taker) throws IOException {
        return samples(from, to, taker, StageObserver.disabled());
    }

    /// The same, telling `observer` what happens in the stages.
    public List<FailedItem> samples(long from, long to, Taker taker, StageObserver observer) throws IOException {
        List<FailedItem> failed = new ArrayList<>();
        hand(from, to, new PackedFields(false, pool), taker, failed, observer);
        return failed;
    }

    /// @return places that were dropped
    private long hand(
            long from, long to, PackedFields fields, Taker taker, List<FailedItem> failed, StageObserver observer)
            throws IOException {
        Excerpt excerpt = Pipelines.wholeExcerpt(
                plan.pipeline(),
                0,
                LongStream.range(from, to).boxed().toList(),
                RunOptions.defaults().seed(plan.options().seed()).observer(observer));
        long dropped = 0;
        try {
            for (int i = 0; i < excerpt.items().size(); i++) {
                Object item = excerpt.items().get(i);
                FailedItem failure = excerpt.failures().get(i);
                if (failure != null) {
                    requireLasting(failure.cause());
                    failed.add(failure);
                } else if (item == null) {
                    dropped++;
                } else {
                    try (ShardSample sample = fields.of(item, from + i)) {
                        taker.take(sample, from + i);
                    }
                }
            }
        } finally {
            excerpt.items().forEach(Closeables::closeItem);
        }
        return dropped;
    }

    /// @throws StorageException if another attempt may succeed
    private static void requireLasting(Throwable failure) throws StorageException {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof StorageException unread) {
                switch (unread.kind()) {
                    case MISSING, DENIED, RANGE, UNSUPPORTED -> {}
                    case CHANGED, UNAVAILABLE -> throw unread;
                }
            }
        }
    }

    /// Makes all shards appear, with a file of what failed beside them.
    ///
    /// @param ranges all of them, in any order
    /// @throws PackException if more samples failed than the plan allows, a range is missing, or nothing is left
    public Result commit(List<PackedRange> ranges, PackSettings settings, StagedShards staged) throws IOException {
        return commit(ranges, settings, staged::commit);
    }

    /// Makes shards appear, wherever they are.
    @FunctionalInterface
    public interface Appearance {
        /// Makes all appear, with texts of other files, by name, beside them; gives the shards.
        List<WrittenShard> commit(List<StagedShards.Part> parts, Map<String, String> beside) throws IOException;
    }

    /// The same of shards that `appearance` makes appear.
    public Result commit(List<PackedRange> ranges, PackSettings settings, Appearance appearance) throws IOException {
        List<PackedRange> ordered = ranges.stream()
                .sorted(java.util.Comparator.comparingInt(range -> range.part().number()))
                .toList();
        for (int i = 0; i < Math.max(ordered.size(), ranges(settings.samples())); i++) {
            if (i >= ordered.size() || ordered.get(i).part().number() != i) {
                throw new PackException("range " + i + " of " + ranges(settings.samples())
                        + " is missing, or came twice: " + ordered.size() + " came");
            }
        }
        List<String> lines =
                ordered.stream().flatMap(range -> range.failures().stream()).toList();
        failures.check(lines.stream().map(FailedItem::parse).toList(), true);
        List<WrittenShard> shards = appearance.commit(
                ordered.stream().map(PackedRange::part).toList(),
                lines.isEmpty() ? Map.of() : Map.of(QUARANTINE, String.join("\n", lines) + "\n"));
        return new Result(
                shards,
                lines.size(),
                ordered.stream().mapToLong(PackedRange::dropped).sum());
    }

    /// What was packed.
    ///
    /// @param shards  in order
    /// @param failed  samples that the failure policy skipped
    /// @param dropped samples that filters dropped
    public record Result(List<WrittenShard> shards, long failed, long dropped) {
        /// Makes the list unmodifiable.
        public Result {
            shards = List.copyOf(shards);
        }

        /// How many samples there are.
        public long samples() {
            return shards.stream().mapToLong(WrittenShard::samples).sum();
        }

        /// How many bytes the shards have.
        public long bytes() {
            return shards.stream().mapToLong(WrittenShard::bytes).sum();
        }
    }

    /// Packs all ranges on this machine, as many at once as `settings` has writers. The shards appear when all are
    /// complete, or not at all.
    ///
    /// @param overwrites whether shards that are there are replaced
    /// @param progress   gets the number of places that are done, now and then
    /// @throws InterruptedException if the thread was interrupted; nothing is left
    /// @throws StorageException if a file can't be read just now
    /// @throws PackException if more samples failed than the plan allows, or nothing is left
    public Result pack(PackSettings settings, boolean overwrites, LongConsumer progress)
            throws IOException, InterruptedException {
        StagedShards staged = new StagedShards(
                settings, overwrites, "pack-" + ProcessHandle.current().pid());
        staged.begin();
        try {
            List<PackedRange> written = new ArrayList<>();
            Pipeline<PackedRange> packing = Pipeline.from(Sources.range(ranges(settings.samples())))
                    .pipe(
                            "pack",
                            range -> write(Math.toIntExact(range), settings, staged, 0),
                            StageOptions.io(settings.writers()).inputOrder());
            try (Run<PackedRange> run = packing.start()) {
                while (!run.epochEnded()) {
                    run.poll(TICK).ifPresent(written::add);
                    progress.accept(Math.min(places, written.size() * settings.samples()));
                }
            } catch (PipelineException failure) {
                if (failure.getCause() instanceof IOException cause) {
                    throw cause;
                }
                throw failure;
            }
            return commit(written, settings, staged);
        } finally {
            staged.end();
        }
    }

    @Override
    public void close() {
        try (plan) {
            pool.close();
        }
    }
}
