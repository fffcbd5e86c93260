package org.jspdl.data.image;

import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.jspdl.data.dataset.LabeledFiles;
import org.jspdl.data.dataset.LeftOut;
import org.jspdl.data.loader.DataLoader;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;
import org.jspdl.memory.SlabProvider;
import org.jspdl.pipeline.Checkpoint;
import org.jspdl.pipeline.FailurePolicy;
import org.jspdl.pipeline.Order;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.Remainder;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.pipeline.StageOptions;
import org.jspdl.source.Source;
import org.jspdl.stats.PipelineStats;

/// Batches of images, epoch after epoch: files are read, decoded, resized, augmented and batched.
///
/// ```java
/// try (ImageLoader loader = ImageLoader.open("photos", ImageLoaderOptions.defaults().shuffle(7))) {
///     for (int epoch = 0; epoch < 10; epoch++) {
///         for (ImageBatch batch : loader) try (batch) { model.step(batch.images(), batch.labels()); }
///     }
/// }
/// ```
///
/// Each image is decoded where it stays: it gets a row in the memory of a coming batch before its file is read. Each
/// loop over the loader is an epoch. Used by one thread; batches belong to whoever received them, and are closed before
/// the loader.
public final class ImageLoader implements Iterable<ImageBatch>, AutoCloseable {
    /// Reads under way at once where a read waits for another machine.
    private static final int REMOTE_READS = 128;
    /// The stage that decodes.
    static final String DECODING = "decode";

    private final ImageLoaderOptions options;
    private final Source<ImageSample> images;
    private final OptionalLong perEpoch;
    private final LeftOut leftOut;
    private final String mixing;
    private final List<String> classes;
    private final ImageSteps steps;
    private final ImageSource.Access access;
    private final DataLoader<ImageBatch> loader;

    private ImageLoader(ImageSource source, ImageLoaderOptions options, List<AutoCloseable> owned) {
        this.options = options;
        this.images = source.images();
        this.access = source.access();
        this.leftOut = source.leftOut();
        this.mixing = source.mixing();
        this.classes = source.classes();
        this.perEpoch = images.size();
        this.steps = ImageSteps.open(
                options.image(), options.jpeg(), options.isolation(), options.batchSize(), SlabProvider.nativeMemory());
        this.loader = DataLoader.over(pipeline(), runOptions(Long.MAX_VALUE), size(), resources(source, owned));
    }

    private List<AutoCloseable> resources(ImageSource source, List<AutoCloseable> owned) {
        return Stream.concat(Stream.of(steps, source), owned.stream()).toList();
    }

    /// Loads the images at `location`: a folder with one sub-folder for each class; a list or manifest of files; or
    /// shards, such as `train-{000..127}.tar`. On a local disk, or in any other storage. The caller closes the
    /// loader.
    ///
    /// @throws org.jspdl.data.dataset.DatasetException if there are none, or they cannot be loaded so
    public static ImageLoader open(String location, ImageLoaderOptions options) throws IOException {
        Storage storage = Storage.open();
        try {
            return open(ImageSource.open(storage, Location.of(location), options), options, List.of(storage));
        } catch (Throwable failure) {
            storage.close();
            throw failure;
        }
    }

    /// The same in `storage`, which stays the caller's.
    public static ImageLoader open(Storage storage, Location location, ImageLoaderOptions options) throws IOException {
        return of(ImageSource.open(storage, location, options), options);
    }

    /// Loads the images `files`, which lie in `storage`, which stays the caller's.
    public static ImageLoader of(Storage storage, LabeledFiles files, ImageLoaderOptions options) throws IOException {
        return of(ImageSource.of(storage, files, options), options);
    }

    /// Loads the images of `source`, which it owns from here.
    public static ImageLoader of(ImageSource source, ImageLoaderOptions options) {
        return open(source, options, List.of());
    }

    private static ImageLoader open(ImageSource source, ImageLoaderOptions options, List<AutoCloseable> owned) {
        try {
            return new ImageLoader(source, options, owned);
        } catch (Throwable failure) {
            source.close();
            throw failure;
        }
    }

    /// The recipe; it can be run by itself, one run at a time, with [#runOptions]. Batches belong to whoever
    /// receives them.
    public Pipeline<ImageBatch> pipeline() {
        Pipeline<ImageSample> allocated = Pipeline.from(images).named("images").map(steps::allocate);
        Pipeline<ImageSample> read = access == ImageSource.Access.IN_MEMORY
                ? allocated.map(ImageSample::read)
                : allocated.pipe("read", ImageSample::read, ordered(reading()));
        StageOptions decoding = ordered(computing()).failures(limited(options.failures()));
        Pipeline<ImageSample> decoded = options.image().isRandom()
                ? read.pipeSeeded(DECODING, ImageSample::decode, decoding)
                : read.pipe(DECODING, ImageSample::decode, decoding);
        return decoded.batch(options.batchSize(), options.dropsLast() ? Remainder.DROP : Remainder.KEEP)
                .map(ImageSteps::stack)
                .prefetch(options.prefetch());
    }

    private StageOptions reading() {
        if (access != ImageSource.Access.REMOTE) {
            return computing();
        }
        return options.tunesWorkers()
                ? StageOptions.io(StageOptions.auto().startingAt(REMOTE_READS))
                : StageOptions.io(REMOTE_READS);
    }

    private StageOptions computing() {
        return options.tunesWorkers() ? StageOptions.cpu(StageOptions.auto()) : StageOptions.cpu(options.workers());
    }

    private StageOptions ordered(StageOptions stage) {
        return options.order() == Order.INPUT ? stage.inputOrder() : stage;
    }

    /// A rate holds for small datasets too.
    private FailurePolicy limited(FailurePolicy policy) {
        return switch (policy) {
            case FailurePolicy.SkipRate(double rate, long probation) ->
                FailurePolicy.skipRate(rate, Math.max(1, Math.min(probation, perEpoch.orElse(probation))));
            case FailurePolicy.Quarantine(FailurePolicy base, var recorder) ->
                limited(base).quarantine(recorder);
            case FailurePolicy.Retry _, FailurePolicy.SkipCount _, FailurePolicy.FailFast _ -> policy;
        };
    }

    /// How [#pipeline] is run: with the seed of the options, and a compute thread for each worker, of which there
    /// are at most as many as processors.
    public RunOptions runOptions(long epochs) {
        return RunOptions.defaults()
                .epochs(epochs)
                .seed(options.seed())
                .computeThreads(Math.min(options.workers(), Runtime.getRuntime().availableProcessors()));
    }

    /// The batches of the next epoch; after [#restore], those that are left of the epoch under way.
    @Override
    public Iterator<ImageBatch> iterator() {
        return loader.iterator();
    }

    /// How many batches an epoch has on this rank, if that is known.
    public OptionalLong size() {
        if (perEpoch.isEmpty()) {
            return perEpoch;
        }
        long count = perEpoch.getAsLong();
        return OptionalLong.of(
                options.dropsLast() ? count / options.batchSize() : Math.ceilDiv(count, options.batchSize()));
    }

    /// How many images an epoch has on this rank, if that is known.
    public OptionalLong imagesPerEpoch() {
        return perEpoch;
    }

    /// Files of the dataset that are not images.
    public LeftOut leftOut() {
        return leftOut;
    }

    /// How a shuffled order mixes shards, for people; empty where there are no shards to mix.
    public String mixing() {
        return mixing;
    }

    /// The names of the classes in the order of their numbers; empty if only the numbers are known.
    public List<String> classes() {
        return classes;
    }

    /// What decodes JPEG, and other formats.
    public String decoders() {
        return steps.decoder().backend();
    }

    /// As [DataLoader#state].
    public Checkpoint state() {
        return loader.state();
    }

    /// As [DataLoader#restore].
    public void restore(Checkpoint state) {
        loader.restore(state);
    }

    /// As [DataLoader#stats].
    public PipelineStats stats() {
        return loader.stats();
    }

    @Override
    public void close() {
        loader.close();
    }
}
