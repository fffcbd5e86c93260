package org.jspdl.data.plan;

import static org.jspdl.data.plan.OrderParameters.BLOCK;
import static org.jspdl.data.plan.OrderParameters.CACHE;
import static org.jspdl.data.plan.OrderParameters.CACHE_SIZE;
import static org.jspdl.data.plan.OrderParameters.EVEN;
import static org.jspdl.data.plan.OrderParameters.INTERLEAVE;
import static org.jspdl.data.plan.OrderParameters.LABELS;
import static org.jspdl.data.plan.OrderParameters.ORDER;
import static org.jspdl.data.plan.OrderParameters.PATH;
import static org.jspdl.data.plan.OrderParameters.RANK;
import static org.jspdl.data.plan.OrderParameters.SEED;
import static org.jspdl.data.plan.OrderParameters.SHUFFLE;
import static org.jspdl.data.plan.OrderParameters.STORAGE;
import static org.jspdl.data.plan.OrderParameters.WHERE;
import static org.jspdl.data.plan.OrderParameters.WINDOW;
import static org.jspdl.data.plan.OrderParameters.WORLD_SIZE;
import static org.jspdl.data.plan.skip.SkippedNames.SKIP;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import org.jspdl.data.dataset.FolderFiles;
import org.jspdl.data.dataset.LabeledFiles;
import org.jspdl.data.dataset.TranscribedFiles;
import org.jspdl.data.loader.TensorBatch;
import org.jspdl.data.order.SamplesOfShards;
import org.jspdl.data.order.ShardPlaces;
import org.jspdl.data.plan.skip.SkippedNames;
import org.jspdl.data.plan.value.Encoded;
import org.jspdl.data.plan.value.PlanSample;
import org.jspdl.data.plan.value.ShardSamples;
import org.jspdl.data.shards.ShardFailures;
import org.jspdl.data.shards.ShardOptions;
import org.jspdl.data.shards.ShardSample;
import org.jspdl.data.shards.Shards;
import org.jspdl.data.shards.cost.BalancedShards;
import org.jspdl.data.shards.filter.RowFilter;
import org.jspdl.data.snapshot.DatasetVersions;
import org.jspdl.data.snapshot.FileVersions;
import org.jspdl.data.snapshot.PinnedStorage;
import org.jspdl.data.storage.Listing;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;
import org.jspdl.media.image.ImageDecoder;
import org.jspdl.media.image.ImageSpec;
import org.jspdl.media.stream.MediaBuild;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Closeables;
import org.jspdl.plan.Arguments;
import org.jspdl.plan.ClassNames;
import org.jspdl.plan.Operation;
import org.jspdl.plan.OperationProvider;
import org.jspdl.plan.Parameter;
import org.jspdl.plan.TypeToken;
import org.jspdl.plan.record.RunNotes;
import org.jspdl.source.Sampler;
import org.jspdl.source.ShardStream;
import org.jspdl.source.Source;
import org.jspdl.source.Sources;

/// Samples with named fields, for plans: `files` and `shards` list them, `load-...` turns fields into tensors, numbers
/// and texts, `where` drops samples, `encode-image` and `shrink-image` make picture files, `collate` makes batches.
public final class SampleOperations implements OperationProvider {
    static final TypeToken<PlanSample> SAMPLE = TypeToken.of(PlanSample.class);

    private static final Parameter<Long> SIZE = Parameter.whole("size", 1, Long.MAX_VALUE);
    private static final Parameter<String> GLOB = Parameter.text("glob").orElse("");
    private static final Parameter<Boolean> TRANSCRIPTS =
            Parameter.flag("transcripts").orElse(false);
    private static final Parameter<List<String>> COLUMNS =
            Parameter.texts("columns").orElse(List.of());
    private static final Parameter<Long> MAX_FAILURES =
            Parameter.whole("max-failures", 0, Long.MAX_VALUE).orElse(0L);
    private static final Parameter<List<String>> FIELDS = Parameter.texts("fields");
    private static final Parameter<List<String>> PAD = Parameter.texts("pad").orElse(List.of());
    private static final Parameter<Double> PADDING =
            Parameter.decimal("padding", -1e18, 1e18).orElse(0.0);

    private static final Parameter<String> COST = Parameter.text("cost");
    private static final Parameter<Integer> BUDGET = Parameter.count("budget", 1, Integer.MAX_VALUE);
    private static final Parameter<Boolean> SQUARED = Parameter.flag("squared").orElse(false);
    private static final Parameter<List<String>> ALSO = Parameter.texts("also").orElse(List.of());

    /// For `ServiceLoader`.
    public SampleOperations() {}

    @Override
    public List<String> names() {
        return List.of(("encode-image shrink-image files shards indices coco call-function run-model load-image "
                        + "load-video load-audio load-array load-text load-number keep collate balanced-shards "
                        + "collate-balanced where")
                .split(" "));
    }

    @Override
    public List<Operation> operations() {
        List<Operation> all = new ArrayList<>(EncodeImage.operations());
        all.addAll(List.of(
                Operation.source(
                        "files",
                        SAMPLE,
                        SampleOperations::files,
                        PATH,
                        GLOB,
                        LABELS,
                        TRANSCRIPTS,
                        SHUFFLE,
                        SEED,
                        ORDER,
                        SKIP,
                        RANK,
                        WORLD_SIZE,
                        EVEN,
                        CACHE,
                        CACHE_SIZE,
                        STORAGE),
                Operation.source(
                        "shards",
                        SAMPLE,
                        SampleOperations::shards,
                        PATH,
                        COLUMNS,
                        WHERE,
                        SKIP,
                        SHUFFLE,
                        SEED,
                        INTERLEAVE,
                        WINDOW,
                        BLOCK,
                        MAX_FAILURES,
                        RANK,
                        WORLD_SIZE,
                        EVEN,
                        CACHE,
                        CACHE_SIZE,
                        STORAGE),
                Operation.source(
                        "indices",
                        TypeToken.of(Long.class),
                        SampleOperations::indices,
                        SIZE,
                        SHUFFLE,
                        SEED,
                        ORDER,
                        SKIP,
                        RANK,
                        WORLD_SIZE,
                        EVEN),
                CocoSource.operation(),
                CallFunction.operation(),
                RunModel.operation(),
                LoadImage.operation(),
                LoadVideo.operation(),
                LoadAudio.operation(),
                LoadArray.operation(),
                LoadText.operation(),
                LoadNumber.operation(),
                Operation.function("keep", SAMPLE, SAMPLE, given -> sample -> sample.keep(given.get(FIELDS)), FIELDS),
                Operation.function(
                        "collate",
                        TypeToken.listOf(SAMPLE),
                        TypeToken.of(TensorBatch.class),
                        given -> Collating.create(given, given.get(PAD), given.get(PADDING)),
                        PAD,
                        PADDING)));
        all.add(Operation.source(
                "balanced-shards",
                SAMPLE,
                SampleOperations::balanced,
                PATH,
                COLUMNS,
                COST,
                BUDGET,
                SQUARED,
                ALSO,
                SHUFFLE,
                SEED,
                RANK,
                WORLD_SIZE,
                EVEN,
                CACHE,
                CACHE_SIZE,
                STORAGE));
        all.add(Operation.function(
                "collate-balanced",
                SAMPLE,
                TypeToken.of(TensorBatch.class),
                given -> Collating.create(given, given.get(PAD), given.get(PADDING))
                        .together(),
                PAD,
                PADDING));
        all.add(Where.operation());
        return List.copyOf(all);
    }

    private static Source<Long> indices(Arguments given) throws IOException {
        long size = given.get(SIZE);
        return OrderParameters.chosen(size, given, SkippedNames.of(given).numbers(size, given.get(EVEN)));
    }

    private static Source<PlanSample> files(Arguments given) throws IOException {
        Storage storage = OrderParameters.cachedStorage(given);
        Optional<TranscribedFiles> said = transcribed(storage, given);
        if (given.get(GLOB).isEmpty()) {
            LabeledFiles files = said.isPresent()
                    ? said.get().sounds()
                    : OrderParameters.labeled(
                            LabeledFiles.open(storage, OrderParameters.location(given)), storage, given);
            given.offered(RunNotes.class).ifPresent(notes -> notes.reads(files::listing));
            Sampler order = OrderParameters.chosen(
                    files.size(), given, index -> files.location(index).toString());
            given.offered(ClassNames.class).ifPresent(names -> names.told(files.classes()));
            FileVersions versions = DatasetVersions.expected(
                    given.offered(DatasetVersions.class), () -> FileVersions.of(storage, files));
            return order.items(files.listing(), (_, index, last) -> {
                PlanSample sample = told(order, last, file(storage, files.location(index), index, versions))
                        .with("label", (long) files.label(index));
                return said.isPresent() ? sample.with("text", said.get().text(index)) : sample;
            });
        }
        if (!given.get(LABELS).isEmpty()) {
            throw new IOException(
                    "'labels' does not go with 'glob': without a pattern all files of a folder have labels");
        }
        Path folder = OrderParameters.location(given).path();
        if (!Files.isDirectory(folder)) {
            throw new IOException("there is no folder at " + folder);
        }
        FolderFiles files = FolderFiles.matching(folder, given.get(GLOB));
        given.offered(RunNotes.class).ifPresent(notes -> notes.reads(files::listing));
        Sampler order = OrderParameters.chosen(
                files.size(), given, index -> Location.of(files.get(index)).toString());
        FileVersions versions = DatasetVersions.expected(
                given.offered(DatasetVersions.class),
                () -> FileVersions.of(storage, files.size(), index -> Location.of(files.get(index)), List.of()));
        return order.items(
                files.listing(),
                (_, index, last) -> told(order, last, file(storage, Location.of(files.get(index)), index, versions)));
    }

    private static Optional<TranscribedFiles> transcribed(Storage storage, Arguments given) throws IOException {
        if (!given.get(TRANSCRIPTS)) {
            return Optional.empty();
        }
        if (!given.get(GLOB).isEmpty() || !given.get(LABELS).isEmpty()) {
            throw new IOException("'transcripts' goes with neither 'glob' nor 'labels': name the folder alone");
        }
        return Optional.of(TranscribedFiles.open(storage, OrderParameters.location(given)));
    }

    private static PlanSample file(Storage storage, Location location, long index, FileVersions versions) {
        return new PlanSample(location.toString(), location.toString())
                .with("file", new Encoded.InFile(storage, location, versions.get(index)))
                .placed("index", index);
    }

    private static Source<PlanSample> shards(Arguments given) throws IOException {
        Storage storage = OrderParameters.cachedStorage(given);
        BufferPool pool = given.keep(BufferPool.unbounded("samples"));
        ShardOptions options = ShardOptions.defaults()
                .columns(given.get(COLUMNS).toArray(String[]::new))
                .failures(ShardFailures.skip(
                        given.get(MAX_FAILURES),
                        broken -> System.getLogger(SampleOperations.class.getName())
                                .log(
                                        Level.WARNING,
                                        "skipped sample " + broken.index() + " of " + broken.shard() + ": "
                                                + broken.reason())));
        Optional<RowFilter> where = OrderParameters.filter(given);
        options = where.isPresent() ? options.where(where.get()) : options;
        options = given.get(SHUFFLE) ? options.forInterleaved(given.get(INTERLEAVE)) : options;
        List<Location> locations = Shards.locations(storage, OrderParameters.location(given));
        PinnedStorage pinned = new PinnedStorage(storage);
        pinned.pin(
                locations,
                DatasetVersions.expected(
                        given.offered(DatasetVersions.class), () -> FileVersions.ofShards(storage, locations)));
        given.offered(RunNotes.class)
                .ifPresent(notes -> notes.reads(() -> Listing.of(
                        "shard", locations.size(), i -> locations.get((int) i).name())));
        SkippedNames skipped = SkippedNames.of(given);
        SortedSet<String> leftOut = SamplesOfShards.of(locations, skipped.names());
        skipped.settle(leftOut);
        ShardStream<ShardSample> stream = OrderParameters.share(
                SamplesOfShards.without(Shards.open(pinned, locations, options, pool), locations, leftOut), given);
        if (given.get(SHUFFLE)) {
            stream = Shards.shuffled(
                    stream, given.get(SEED), given.get(INTERLEAVE), given.get(WINDOW), given.get(BLOCK));
        }
        if (given.offered(ShardPlaces.class).isPresent()) {
            return Sources.map(ShardPlaces.of(stream, given.get(MAX_FAILURES)), ShardSamples::of);
        }
        long everywhere = stream.everywhere();
        return everywhere == Long.MAX_VALUE
                ? Sources.map(stream, ShardSamples::of)
                : Sources.through(stream, (_, cursor) -> ShardSamples.told(cursor, everywhere));
    }

    /// Batches that cost the same on all ranks, each as samples that go through steps together.
    private static Source<PlanSample> balanced(Arguments given) throws IOException {
        OrderParameters.checkRank(given);
        Storage storage = OrderParameters.cachedStorage(given);
        BufferPool pool = given.keep(BufferPool.unbounded("samples"));
        ShardOptions options =
                ShardOptions.defaults().columns(given.get(COLUMNS).toArray(String[]::new));
        List<Location> locations = Shards.locations(storage, OrderParameters.location(given));
        PinnedStorage pinned = new PinnedStorage(storage);
        pinned.pin(
                locations,
                DatasetVersions.expected(
                        given.offered(DatasetVersions.class), () -> FileVersions.ofShards(storage, locations)));
        given.offered(RunNotes.class)
                .ifPresent(notes -> notes.reads(() -> Listing.of(
                        "shard", locations.size(), i -> locations.get((int) i).name())));
        BalancedShards shards = BalancedShards.of(pinned, locations, options, pool)
                .budget(given.get(COST), given.get(BUDGET))
                .also(given.get(ALSO).toArray(String[]::new))
                .shard(given.get(RANK), given.get(WORLD_SIZE))
                .even(given.get(EVEN));
        shards = given.get(SQUARED) ? shards.squared() : shards;
        shards = given.get(SHUFFLE) ? shards.shuffled(given.get(SEED)) : shards;
        String name = "a batch of " + locations.getFirst().name();
        return Sources.map(
                shards.unread(),
                batch -> PlanSample.together(name, () -> {
                    List<ShardSample> read = batch.read();
                    try {
                        return read.stream().map(ShardSamples::of).toList();
                    } catch (Throwable failure) {
                        Closeables.closeItem(read);
                        throw failure;
                    }
                }));
    }

    @Override
    public Map<String, String> versions() {
        Map<String, String> versions = new TreeMap<>();
        try (ImageDecoder decoder = ImageDecoder.create(ImageSpec.original())) {
            versions.put("jpeg", decoder.backend());
        }
        try {
            versions.put(
                    "ffmpeg", String.valueOf(MediaBuild.current().versions().get("ffmpeg")));
        } catch (IllegalStateException missing) {
            System.getLogger(SampleOperations.class.getName())
                    .log(Level.DEBUG, "there is no FFmpeg to tell the version of", missing);
        }
        return versions;
    }

    /// If ranks are uneven, a sample says whether all of them have one at this place of their shares.
    static PlanSample told(Sampler order, boolean last, PlanSample sample) {
        if (order.everywhere() == Long.MAX_VALUE) {
            return sample;
        }
        boolean longer = order.size().orElseThrow() > order.everywhere();
        return sample.placed(ShardSamples.EVERYWHERE, last && longer ? 0L : 1L);
    }
}
