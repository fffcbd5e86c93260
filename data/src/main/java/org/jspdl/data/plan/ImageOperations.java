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
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspdl.data.dataset.DatasetException;
import org.jspdl.data.dataset.LabeledFiles;
import org.jspdl.data.dataset.Manifest;
import org.jspdl.data.image.ImageBatch;
import org.jspdl.data.image.ImageLoaderOptions;
import org.jspdl.data.image.ImageSample;
import org.jspdl.data.image.ImageServing;
import org.jspdl.data.image.ImageSource;
import org.jspdl.data.image.ImageSteps;
import org.jspdl.data.image.ServedImages;
import org.jspdl.data.order.SampleOrder;
import org.jspdl.data.plan.skip.SkippedNames;
import org.jspdl.data.plan.value.OriginDetails;
import org.jspdl.data.plan.value.PlanSample;
import org.jspdl.data.sample.SampleFolder;
import org.jspdl.data.sample.SampleSet;
import org.jspdl.data.shards.Shards;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;
import org.jspdl.media.image.ContactSheet;
import org.jspdl.media.image.ImageSpec;
import org.jspdl.media.image.Isolation;
import org.jspdl.media.image.JpegBackend;
import org.jspdl.memory.SlabProvider;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.pipeline.SeededFunction;
import org.jspdl.pipeline.StageFunction;
import org.jspdl.plan.Arguments;
import org.jspdl.plan.ClassNames;
import org.jspdl.plan.Operation;
import org.jspdl.plan.OperationProvider;
import org.jspdl.plan.Parameter;
import org.jspdl.plan.TypeToken;
import org.jspdl.plan.function.SampleFunctions;
import org.jspdl.plan.record.RunNotes;
import org.jspdl.plan.record.SampleOrigin;
import org.jspdl.source.Source;

/// The steps of [org.jspdl.data.image.ImageLoader], for plans: list images, allocate their rows, read, decode, stack.
public final class ImageOperations implements OperationProvider {
    private static final Parameter<List<String>> SERVICE =
            Parameter.texts("service").orElse(List.of());
    private static final Parameter<Local> LOCAL =
            Parameter.choice("local", Local.class).orElse(Local.NONE);
    private static final Parameter<Integer> BATCH_SIZE = Parameter.count("batch-size", 1, 65_536);
    private static final Parameter<Isolation.Scope> ISOLATION =
            Parameter.choice("isolation", Isolation.Scope.class).orElse(Isolation.Scope.AUTO);
    private static final Parameter<Duration> DECODE_DEADLINE =
            Parameter.duration("decode-deadline").orElse(Isolation.auto().deadline());
    static final int SHEET_COLUMNS = 8;
    private static final TypeToken<ImageSample> IMAGE = TypeToken.of(ImageSample.class);

    /// What this machine decodes of images that workers serve.
    private enum Local {
        NONE,
        AUTO
    }

    /// For `ServiceLoader`.
    public ImageOperations() {}

    @Override
    public List<String> names() {
        return List.of(("images sample-images allocate-batch allocate-image read-image decode-image "
                        + "as-sample stack-images")
                .split(" "));
    }

    @Override
    public List<Operation> operations() {
        return List.of(
                Operation.source(
                        "images",
                        IMAGE,
                        ImageOperations::images,
                        PATH,
                        LABELS,
                        WHERE,
                        SERVICE,
                        LOCAL,
                        SHUFFLE,
                        SEED,
                        ORDER,
                        SKIP,
                        INTERLEAVE,
                        WINDOW,
                        BLOCK,
                        RANK,
                        WORLD_SIZE,
                        EVEN,
                        CACHE,
                        CACHE_SIZE,
                        STORAGE),
                Operation.source(
                        "sample-images",
                        IMAGE,
                        given -> images(
                                OrderParameters.localStorage(given),
                                Location.of(sampleSet()),
                                given,
                                fileOrder(given),
                                SkippedNames.of(given)),
                        SHUFFLE,
                        SEED,
                        ORDER,
                        SKIP,
                        RANK,
                        WORLD_SIZE,
                        EVEN),
                Operation.function(
                        "allocate-batch",
                        IMAGE,
                        IMAGE,
                        ImageOperations::allocate,
                        ImageParameters.with(BATCH_SIZE, ISOLATION, DECODE_DEADLINE)),
                Operation.function(
                        "allocate-image",
                        IMAGE,
                        IMAGE,
                        ImageOperations::allocateAlone,
                        ImageParameters.with(ISOLATION, DECODE_DEADLINE)),
                Operation.function("read-image", IMAGE, IMAGE, given -> ImageSample::read),
                Operation.seeded("decode-image", IMAGE, IMAGE, ImageOperations::decoding),
                Operation.function("as-sample", IMAGE, SampleOperations.SAMPLE, given -> PlanSample::of),
                Operation.function(
                        "stack-images",
                        TypeToken.listOf(IMAGE),
                        TypeToken.of(ImageBatch.class),
                        ImageOperations::stacking));
    }

    private static ImageLoaderOptions fileOrder(Arguments given) throws IOException {
        OrderParameters.checkRank(given);
        ImageLoaderOptions options = ImageLoaderOptions.defaults()
                .shard(given.get(RANK), given.get(WORLD_SIZE))
                .even(given.get(EVEN));
        options = given.get(SHUFFLE) ? options.shuffle(given.get(SEED)) : options;
        Optional<SampleOrder> samples = OrderParameters.samples(given);
        return samples.isPresent() ? options.samples(samples.get()) : options;
    }

    private static ImageLoaderOptions order(Arguments given) throws IOException {
        ImageLoaderOptions options = fileOrder(given)
                .interleave(given.get(INTERLEAVE))
                .window(given.get(WINDOW))
                .block(given.get(BLOCK));
        return OrderParameters.filter(given).map(options::where).orElse(options);
    }

    /// Decoded by workers if the plan names them and is not what they run.
    private static Source<ImageSample> images(Arguments given) throws IOException {
        ImageLoaderOptions order = order(given);
        if (order.samples().isPresent() && given.offered(ImageServing.class).isPresent()) {
            throw new IOException("a plan with 'order' cannot be served: workers serve all images of a dataset, in its"
                    + " order or shuffled");
        }
        boolean labeled = !given.get(LABELS).isEmpty();
        SkippedNames skipped = SkippedNames.of(given);
        boolean served = !given.get(SERVICE).isEmpty()
                || given.offered(ImageServing.class).isPresent();
        if (served) {
            skipped.refused("what workers serve, which are all images of a dataset");
        }
        if (labeled && !given.get(SERVICE).isEmpty()) {
            throw new IOException("'labels' does not go with 'service': give it to the workers' plan alone");
        }
        if (labeled) {
            Storage storage = OrderParameters.cachedStorage(given);
            Location folder = OrderParameters.location(given);
            LabeledFiles files = OrderParameters.labeled(LabeledFiles.images(storage, folder), storage, given);
            return images(storage, files, folder, given, order, skipped);
        }
        if (given.get(SERVICE).isEmpty() || given.offered(ImageServing.class).isPresent()) {
            return images(OrderParameters.cachedStorage(given), OrderParameters.location(given), given, order, skipped);
        }
        if (order.where().isPresent()) {
            throw new DatasetException("workers serve files, of which `where` cannot leave any out");
        }
        long seed =
                given.offered(RunOptions.class).orElse(RunOptions.defaults()).seed();
        if (given.get(LOCAL) == Local.AUTO) {
            ImageSource here = given.keep(
                    ImageSource.open(OrderParameters.cachedStorage(given), OrderParameters.location(given), order));
            return announced(given.keep(ServedImages.openBeside(here, given.get(SERVICE), order, seed)), given);
        }
        return announced(given.keep(ServedImages.open(given.get(SERVICE), order, seed)), given);
    }

    private static Source<ImageSample> announced(ImageSource source, Arguments given) {
        announce(source, given);
        return source.images();
    }

    private static Source<ImageSample> images(
            Storage storage, Location location, Arguments given, ImageLoaderOptions options, SkippedNames skipped)
            throws IOException {
        if (skipped.isEmpty()) {
            return images(ImageSource.open(storage, location, options), location, given, options);
        }
        if (!Shards.areMeant(location) || Manifest.isManifest(location)) {
            return images(storage, LabeledFiles.images(storage, location), location, given, options, skipped);
        }
        ImageSource some = ImageSource.open(storage, location, options.leftOut(skipped.names()));
        try {
            skipped.settle(some.leftOutHere());
        } catch (Throwable failure) {
            some.close();
            throw failure;
        }
        return images(some, location, given, options);
    }

    private static Source<ImageSample> images(
            Storage storage,
            LabeledFiles files,
            Location location,
            Arguments given,
            ImageLoaderOptions options,
            SkippedNames skipped)
            throws IOException {
        long[] without = skipped.indices(
                files.size(), given.get(EVEN), index -> files.location(index).toString());
        ImageLoaderOptions some = without.length == 0
                ? options
                : options.samples(OrderParameters.whole(given).without(without));
        return images(ImageSource.of(storage, files, some), location, given, some);
    }

    private static Source<ImageSample> images(
            ImageSource opened, Location location, Arguments given, ImageLoaderOptions options) throws IOException {
        ImageSource source = given.keep(opened);
        if (source.leftOut().files() > 0) {
            System.getLogger(ImageOperations.class.getName())
                    .log(Level.WARNING, location + ": left out files that are not images: " + source.leftOut());
        }
        announce(source, given);
        given.offered(ImageServing.class).ifPresent(serving -> serving.opened(source, options));
        return given.offered(ImageServing.class).isPresent() ? source.placed() : source.images();
    }

    private static StageFunction<List<ImageSample>, ImageBatch> stacking(Arguments given) {
        Optional<RunNotes> notes = given.offered(RunNotes.class);
        return notes.isPresent() ? images -> noted(notes.get(), images) : ImageSteps::stack;
    }

    private static ImageBatch noted(RunNotes notes, List<ImageSample> images) {
        if (!notes.keepsOrigins()) {
            List<int[]> orders = new ArrayList<>(1);
            ImageBatch stacked = ImageSteps.stackTelling(images, orders::add);
            orders.forEach(order -> notes.moved(stacked, order));
            return stacked;
        }
        List<SampleOrigin> origins = new ArrayList<>();
        ImageBatch batch =
                ImageSteps.stack(images, from -> from.forEach(image -> origins.add(OriginDetails.of(image))));
        notes.made(batch, origins);
        return batch;
    }

    private static void announce(ImageSource source, Arguments given) {
        given.offered(RunNotes.class).ifPresent(notes -> notes.reads(source::listing));
        given.offered(ClassNames.class).ifPresent(names -> names.told(source.classes()));
    }

    private static SeededFunction<ImageSample, ImageSample> decoding(Arguments given) {
        String stage = given.stage();
        given.offered(ImageServing.class).ifPresent(serving -> serving.decodedBy(stage));
        return (image, random) -> {
            image.expect(stage);
            return image.decode(random);
        };
    }

    private static String sampleSet() throws Exception {
        SampleFolder folder =
                SampleFolder.inCache(SampleSet.STANDARD, System.getenv(), Path.of(System.getProperty("user.home")));
        if (!folder.isComplete()) {
            folder.ensure(Runtime.getRuntime().availableProcessors(), made -> {});
        }
        return folder.path().toString();
    }

    /// Rows of images that are collated later, where functions of the program see them.
    private static StageFunction<ImageSample, ImageSample> allocateAlone(Arguments given) {
        SlabProvider memory = given.offered(SampleFunctions.class)
                .map(SampleFunctions::memory)
                .orElse(SlabProvider.nativeMemory());
        Isolation isolation = new Isolation(given.get(ISOLATION), given.get(DECODE_DEADLINE));
        return given.keep(ImageSteps.open(ImageParameters.spec(given), JpegBackend.BEST, isolation, 1, memory))
                ::allocate;
    }

    private static StageFunction<ImageSample, ImageSample> allocate(Arguments given) {
        ImageSpec spec = ImageParameters.spec(given);
        given.offered(RunNotes.class)
                .ifPresent(notes -> notes.drawnBy((batch, png) -> {
                    if (batch instanceof ImageBatch images) {
                        ContactSheet.write(images.images(), spec, SHEET_COLUMNS, png);
                    }
                    return batch instanceof ImageBatch;
                }));
        Isolation isolation = new Isolation(given.get(ISOLATION), given.get(DECODE_DEADLINE));
        int rows = given.get(BATCH_SIZE);
        Optional<ImageServing> serving = given.offered(ImageServing.class);
        if (serving.isPresent()) {
            serving.get().decodesTo(spec);
            // rows of their own, so that images that wait for a slow loader hold no memory beside theirs
            return given.keep(ImageSteps.serving(spec, JpegBackend.BEST, isolation, 1))::allocate;
        }
        SlabProvider memory = given.offered(SlabProvider.class).orElse(SlabProvider.nativeMemory());
        return given.keep(ImageSteps.open(spec, JpegBackend.BEST, isolation, rows, memory))::allocate;
    }
}
