package org.jspdl.cli.run;

import static org.jspdl.data.plan.OrderParameters.PATH;
import static org.jspdl.data.plan.OrderParameters.RANK;
import static org.jspdl.data.plan.OrderParameters.SEED;
import static org.jspdl.data.plan.OrderParameters.SHUFFLE;
import static org.jspdl.data.plan.OrderParameters.UNEVEN;
import static org.jspdl.data.plan.OrderParameters.WORLD_SIZE;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.List;
import org.jspdl.cli.sample.SampleFolder;
import org.jspdl.cli.sample.SampleSet;
import org.jspdl.data.dataset.LabeledFiles;
import org.jspdl.data.plan.ImageParameters;
import org.jspdl.data.plan.OrderParameters;
import org.jspdl.data.shards.ShardOptions;
import org.jspdl.data.shards.ShardSample;
import org.jspdl.data.shards.Shards;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;
import org.jspdl.media.image.ImageSpec;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.SlabProvider;
import org.jspdl.plan.Arguments;
import org.jspdl.plan.Operation;
import org.jspdl.plan.OperationProvider;
import org.jspdl.plan.Parameter;
import org.jspdl.plan.TypeToken;
import org.jspdl.source.ShardStream;
import org.jspdl.source.Source;

/// The operations of the main job, for plans: list, allot rows, read, decode, gather.
public final class ImageOperations implements OperationProvider {
    private static final System.Logger LOG = System.getLogger(ImageOperations.class.getName());
    private static final Parameter<Integer> BATCH_SIZE = Parameter.count("batch-size", 1, 65_536);
    private static final Parameter<Integer> INTERLEAVE =
            Parameter.count("interleave", 1, 1024).orElse(4);
    private static final Parameter<Integer> WINDOW =
            Parameter.count("window", 1, 10_000_000).orElse(1000);

    private static final TypeToken<ImageFile> FILE = TypeToken.of(ImageFile.class);
    private static final TypeToken<PlannedImage> IMAGE = TypeToken.of(PlannedImage.class);

    /// For `ServiceLoader`.
    public ImageOperations() {}

    @Override
    public List<Operation> operations() {
        return List.of(
                Operation.source(
                        "images",
                        FILE,
                        ImageOperations::images,
                        PATH,
                        SHUFFLE,
                        SEED,
                        INTERLEAVE,
                        WINDOW,
                        RANK,
                        WORLD_SIZE,
                        UNEVEN),
                Operation.source(
                        "sample-images",
                        FILE,
                        given -> files(Location.of(sampleSet()), given),
                        SHUFFLE,
                        SEED,
                        RANK,
                        WORLD_SIZE),
                Operation.function(
                        "allocate-batch", FILE, IMAGE, ImageOperations::allot, ImageParameters.with(BATCH_SIZE)),
                Operation.function("read-image", IMAGE, IMAGE, given -> PlannedImage::read),
                Operation.seeded("decode-image", IMAGE, IMAGE, given -> PlannedImage::decode),
                Operation.function(
                        "stack-images",
                        TypeToken.listOf(IMAGE),
                        TypeToken.of(ImageBatch.class),
                        given -> PlannedImage::gather));
    }

    private static Source<ImageFile> images(Arguments given) throws IOException {
        Location location = OrderParameters.location(given);
        if (Shards.isShard(location)) {
            return shards(location, given);
        }
        if (given.get(UNEVEN)) {
            throw new IOException("'uneven' goes with shards; of a folder or list every rank gets the same number");
        }
        return files(location, given);
    }

    private static Source<ImageFile> shards(Location pattern, Arguments given) throws IOException {
        Storage storage = given.keep(Storage.open());
        BufferPool encoded = given.keep(BufferPool.unbounded("encoded images"));
        ShardStream<ShardSample> shards =
                OrderParameters.share(Shards.open(storage, pattern, ShardOptions.defaults(), encoded), given);
        return new ShardListing(
                given.get(SHUFFLE)
                        ? shards.shuffled(given.get(SEED))
                                .interleaved(given.get(INTERLEAVE))
                                .window(given.get(WINDOW))
                        : shards);
    }

    private static String sampleSet() throws Exception {
        SampleFolder folder =
                SampleFolder.inCache(SampleSet.STANDARD, System.getenv(), Path.of(System.getProperty("user.home")));
        if (!folder.isComplete()) {
            folder.ensure(Runtime.getRuntime().availableProcessors(), made -> {});
        }
        return folder.path().toString();
    }

    private static Source<ImageFile> files(Location location, Arguments given) throws IOException {
        Storage storage = given.keep(Storage.open());
        LabeledFiles dataset = LabeledFiles.images(storage, location);
        if (dataset.leftOut().files() > 0) {
            LOG.log(Level.WARNING, location + ": left out files that are not images: " + dataset.leftOut());
        }
        return OrderParameters.sampler(dataset.size(), given)
                .items(
                        "images",
                        (_, index, last) -> new ImageFile.Alone(dataset, storage, Math.toIntExact(index), last));
    }

    private static org.jspdl.pipeline.StageFunction<ImageFile, PlannedImage> allot(Arguments given) {
        ImageSpec spec = ImageParameters.spec(given);
        ImageRows rows = given.keep(ImageRows.open(
                spec,
                spec.elements(),
                given.get(BATCH_SIZE),
                given.offered(SlabProvider.class).orElse(SlabProvider.nativeMemory())));
        return rows::place;
    }
}
