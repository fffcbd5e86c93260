package org.jspdl.cli.run;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspdl.cli.sample.SampleFolder;
import org.jspdl.cli.sample.SampleSet;
import org.jspdl.data.dataset.LabeledFiles;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;
import org.jspdl.media.image.ImageSpec;
import org.jspdl.media.image.Layout;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.SlabProvider;
import org.jspdl.plan.Arguments;
import org.jspdl.plan.Operation;
import org.jspdl.plan.OperationProvider;
import org.jspdl.plan.Parameter;
import org.jspdl.plan.TypeToken;
import org.jspdl.source.Sampler;
import org.jspdl.source.Samplers;
import org.jspdl.source.Source;

/// The operations of the main job, for plans: list, allot rows, read, decode, gather.
public final class ImageOperations implements OperationProvider {
    private static final int MOST_PIXELS = 16_384;

    private static final Parameter<String> PATH = Parameter.text("path");
    private static final Parameter<Boolean> SHUFFLE = Parameter.flag("shuffle").orElse(false);
    private static final Parameter<Long> SEED =
            Parameter.whole("seed", Long.MIN_VALUE, Long.MAX_VALUE).orElse(0L);
    private static final Parameter<Integer> RANK =
            Parameter.count("rank", 0, 999_999).orElse(0);
    private static final Parameter<Integer> WORLD_SIZE =
            Parameter.count("world-size", 1, 1_000_000).orElse(1);

    private static final Parameter<Integer> BATCH = Parameter.count("batch", 1, 65_536);
    private static final Parameter<Integer> SIZE =
            Parameter.count("size", 1, MOST_PIXELS).orElse(224);
    private static final Parameter<Integer> RESIZE =
            Parameter.count("resize", 1, MOST_PIXELS).orElse(256);
    private static final Parameter<Layout> LAYOUT =
            Parameter.choice("layout", Layout.class).orElse(Layout.NHWC);
    private static final Parameter<ElementType> DTYPE =
            Parameter.choice("dtype", ElementType.class).orElse(ElementType.UINT8);

    private static final TypeToken<ImageFile> FILE = TypeToken.of(ImageFile.class);
    private static final TypeToken<PlannedImage> IMAGE = TypeToken.of(PlannedImage.class);

    /// For `ServiceLoader`.
    public ImageOperations() {}

    @Override
    public List<Operation> operations() {
        return List.of(
                Operation.source(
                        "images", FILE, given -> files(location(given), given), PATH, SHUFFLE, SEED, RANK, WORLD_SIZE),
                Operation.source(
                        "sample-images", FILE, given -> files(sampleSet(), given), SHUFFLE, SEED, RANK, WORLD_SIZE),
                Operation.function(
                        "allot-rows", FILE, IMAGE, ImageOperations::allot, BATCH, SIZE, RESIZE, LAYOUT, DTYPE),
                Operation.function("read-image", IMAGE, IMAGE, given -> PlannedImage::read),
                Operation.function("decode-image", IMAGE, IMAGE, given -> PlannedImage::decode),
                Operation.function(
                        "gather-images",
                        TypeToken.listOf(IMAGE),
                        TypeToken.of(ImageBatch.class),
                        given -> PlannedImage::gather));
    }

    /// A path in the plan's folder, or a location elsewhere.
    private static String location(Arguments given) throws IOException {
        String path = given.get(PATH);
        return Location.isRemote(path) ? path : given.path(PATH).toString();
    }

    private static String sampleSet() throws Exception {
        SampleFolder folder =
                SampleFolder.inCache(SampleSet.STANDARD, System.getenv(), Path.of(System.getProperty("user.home")));
        if (!folder.isComplete()) {
            folder.ensure(Runtime.getRuntime().availableProcessors(), made -> {});
        }
        return folder.path().toString();
    }

    private static Source<ImageFile> files(String location, Arguments given) throws IOException {
        Storage storage = given.keep(Storage.open());
        LabeledFiles dataset = LabeledFiles.open(storage, location);
        Sampler whole = given.get(SHUFFLE)
                ? Samplers.shuffled(dataset.size(), given.get(SEED))
                : Samplers.sequential(dataset.size());
        if (given.get(RANK) >= given.get(WORLD_SIZE) || dataset.size() < given.get(WORLD_SIZE)) {
            throw new IOException("rank " + given.get(RANK) + " of " + given.get(WORLD_SIZE) + " cannot load a part of "
                    + dataset.size() + " images: 'rank' must be below 'world-size', and that at most the images");
        }
        Sampler sampler = whole.shard(given.get(RANK), given.get(WORLD_SIZE));
        return new ImageFile.Listing(dataset, storage, sampler);
    }

    private static org.jspdl.pipeline.StageFunction<ImageFile, PlannedImage> allot(Arguments given) {
        ImageSpec spec = ImageSpec.shorterSide(given.get(RESIZE))
                .centerCrop(given.get(SIZE), given.get(SIZE))
                .layout(given.get(LAYOUT))
                .elements(given.get(DTYPE));
        ImageRows rows = given.keep(ImageRows.open(
                spec,
                given.get(DTYPE),
                given.get(BATCH),
                given.offered(SlabProvider.class).orElse(SlabProvider.nativeMemory())));
        return rows::place;
    }
}
