package org.jspdl.data.image;

import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspdl.data.order.SampleOrder;
import org.jspdl.data.order.SamplesOfShards;
import org.jspdl.data.shards.filter.RowFilter;
import org.jspdl.media.image.ImageSpec;
import org.jspdl.media.image.Isolation;
import org.jspdl.media.image.JpegBackend;
import org.jspdl.media.image.Layout;
import org.jspdl.memory.ElementType;
import org.jspdl.pipeline.FailurePolicy;
import org.jspdl.pipeline.Order;
import org.jspdl.source.Even;

/// How images are loaded. Immutable.
///
/// The command line, plans and Python have the same options under the same names, with the same defaults.
///
/// ```java
/// ImageLoaderOptions.defaults().batchSize(256).shuffle(7).failures(FailurePolicy.skipRate(0.01))
/// ```
public final class ImageLoaderOptions {
    private static final ImageLoaderOptions DEFAULTS = new ImageLoaderOptions(new Values());

    private final Values values;

    private static final class Values {
        private ImageSpec image = standardImage(224, 256);
        private JpegBackend jpeg = JpegBackend.BEST;
        private Isolation isolation = Isolation.auto();
        private int batchSize = 64;
        private boolean dropLast = false;
        private boolean shuffle = false;
        private long seed = 0;
        private int rank = 0;
        private int worldSize = 1;
        private Even even = Even.COUNT;
        private Optional<SampleOrder> samples = Optional.empty();
        private int interleave = 16;
        private int window = 1_024;
        private int block = 16;
        private Optional<RowFilter> where = Optional.empty();
        private SortedSet<String> leftOut = Collections.emptySortedSet();
        private int workers = Runtime.getRuntime().availableProcessors();
        private boolean tunesWorkers = true;
        private Order order = Order.INPUT;
        private FailurePolicy failures = FailurePolicy.failFast();
        private int prefetch = 2;

        private Values() {}

        private Values(Values other) {
            image = other.image;
            jpeg = other.jpeg;
            isolation = other.isolation;
            batchSize = other.batchSize;
            dropLast = other.dropLast;
            shuffle = other.shuffle;
            seed = other.seed;
            rank = other.rank;
            worldSize = other.worldSize;
            even = other.even;
            samples = other.samples;
            interleave = other.interleave;
            window = other.window;
            block = other.block;
            where = other.where;
            leftOut = other.leftOut;
            workers = other.workers;
            tunesWorkers = other.tunesWorkers;
            order = other.order;
            failures = other.failures;
            prefetch = other.prefetch;
        }

        private List<Object> all() {
            return List.of(
                    image,
                    jpeg,
                    isolation,
                    batchSize,
                    dropLast,
                    shuffle,
                    seed,
                    rank,
                    worldSize,
                    even,
                    samples,
                    interleave,
                    window,
                    block,
                    where,
                    leftOut,
                    workers,
                    tunesWorkers,
                    order,
                    failures,
                    prefetch);
        }
    }

    private ImageLoaderOptions(Values values) {
        this.values = values;
    }

    /// The defaults: batches of 64 images in input order, 224 x 224 pixels, float32 from 0 to 1, channels first
    /// (NCHW).
    public static ImageLoaderOptions defaults() {
        return DEFAULTS;
    }

    /// An image as models are usually given: its shorter side resized, then `size` x `size` pixels from the middle,
    /// float32 from 0 to 1, channels first. Change what you want to be different.
    ///
    /// @param resize what the shorter side is resized to, in pixels
    public static ImageSpec standardImage(int size, int resize) {
        return standard(ImageSpec.shorterSide(resize).centerCrop(size, size));
    }

    /// `framed`, float32 from 0 to 1 and channels first.
    public static ImageSpec standard(ImageSpec framed) {
        return framed.layout(Layout.NCHW).elements(ElementType.FLOAT32);
    }

    private ImageLoaderOptions with(Consumer<Values> change) {
        Values changed = new Values(values);
        change.accept(changed);
        return new ImageLoaderOptions(changed);
    }

    private static int atLeastOne(String name, int value) {
        if (value < 1) {
            throw new IllegalArgumentException(name + " must be at least 1 but was " + value);
        }
        return value;
    }

    /// These options with another value: what each image becomes; by default 224 x 224 pixels from the middle,
    /// float32 from 0 to 1, channels first.
    public ImageLoaderOptions image(ImageSpec image) {
        ImageSpec checked = Objects.requireNonNull(image, "image");
        return with(changed -> changed.image = checked);
    }

    /// These options with another value: the code that decodes JPEG; by default the fastest that the machine has.
    public ImageLoaderOptions jpeg(JpegBackend jpeg) {
        JpegBackend checked = Objects.requireNonNull(jpeg, "jpeg");
        return with(changed -> changed.jpeg = checked);
    }

    /// These options with another value: which images are decoded in helper processes that may crash, and how long
    /// one may take; by default those that crashed or took longer than 30 s before.
    public ImageLoaderOptions isolation(Isolation isolation) {
        Isolation checked = Objects.requireNonNull(isolation, "isolation");
        return with(changed -> changed.isolation = checked);
    }

    /// These options with another value: images in a batch; 64 by default.
    public ImageLoaderOptions batchSize(int batchSize) {
        int checked = atLeastOne("batchSize", batchSize);
        return with(changed -> changed.batchSize = checked);
    }

    /// These options with another value: shards, or blocks of them, that are read round-robin if the order
    /// is shuffled; 16 by default.
    public ImageLoaderOptions interleave(int interleave) {
        int checked = atLeastOne("interleave", interleave);
        return with(changed -> changed.interleave = checked);
    }

    /// These options with another value: images of shards that are shuffled together; 1,024 by default.
    public ImageLoaderOptions window(int window) {
        int checked = atLeastOne("window", window);
        return with(changed -> changed.window = checked);
    }

    /// These options with another value: images of a block of a shard; 16 by default. If all shards are indexed tar
    /// files, a shuffled order is one of all their blocks, each of which takes a request; 0 to read whole shards.
    public ImageLoaderOptions block(int block) {
        if (block < 0) {
            throw new IllegalArgumentException("block must not be negative but was " + block);
        }
        return with(changed -> changed.block = block);
    }

    /// These options, loading only the rows of Parquet shards that a filter leaves. Other datasets refuse it.
    public ImageLoaderOptions where(RowFilter filter) {
        Optional<RowFilter> given = Optional.of(filter);
        return with(changed -> changed.where = given);
    }

    /// These options without the images of shards that have these names, such as `train-000.tar/n01440764_10026`;
    /// see [SamplesOfShards]. Images in files of their own are left out by [SampleOrder#without].
    public ImageLoaderOptions leftOut(Collection<String> names) {
        SortedSet<String> given = Collections.unmodifiableSortedSet(new TreeSet<>(names));
        return with(changed -> changed.leftOut = given);
    }

    /// These options with another value: images that are read, and images that are decoded, at once; by default the
    /// run's tuner chooses them, see [#autoWorkers].
    public ImageLoaderOptions workers(int workers) {
        int checked = atLeastOne("workers", workers);
        return with(changed -> {
            changed.workers = checked;
            changed.tunesWorkers = false;
        });
    }

    /// These options with workers that the run's tuner chooses while it goes on, which is the default; see
    /// [org.jspdl.pipeline.StageOptions#auto]. It begins with as many as there are processors; reads from other
    /// machines begin with as many as they have without it.
    public ImageLoaderOptions autoWorkers() {
        return with(changed -> {
            changed.workers = Runtime.getRuntime().availableProcessors();
            changed.tunesWorkers = true;
        });
    }

    /// These options with another value: whether batches are filled in the order of the dataset (by default), or
    /// as images are finished.
    public ImageLoaderOptions order(Order order) {
        Order checked = Objects.requireNonNull(order, "order");
        return with(changed -> changed.order = checked);
    }

    /// These options with another value: what happens when a file cannot be read or decoded; by default the first
    /// failure ends the run. All failures of a file count once, and a rate holds for datasets smaller than its
    /// first calls too.
    public ImageLoaderOptions failures(FailurePolicy failures) {
        FailurePolicy checked = Objects.requireNonNull(failures, "failures");
        return with(changed -> changed.failures = checked);
    }

    /// These options with another value: finished batches that may wait for the consumer; 2 by default.
    public ImageLoaderOptions prefetch(int prefetch) {
        int checked = atLeastOne("prefetch", prefetch);
        return with(changed -> changed.prefetch = checked);
    }

    /// These options without the last batch of an epoch if it is incomplete.
    public ImageLoaderOptions dropLast() {
        return with(changed -> changed.dropLast = true);
    }

    /// These options with another order in every epoch. Shards are shuffled, interleaved, and their images shuffled
    /// within windows.
    ///
    /// @param seed the key of the order, and of all augmentation
    public ImageLoaderOptions shuffle(long seed) {
        return with(changed -> {
            changed.shuffle = true;
            changed.seed = seed;
        });
    }

    /// These options with another key of all that is random: the same seed gives the same batches; 0 by default.
    public ImageLoaderOptions seed(long seed) {
        return with(changed -> changed.seed = seed);
    }

    /// These options for one rank of several, each of which loads an equal share; a remainder is dropped.
    public ImageLoaderOptions shard(int rank, int worldSize) {
        if (worldSize < 1 || rank < 0 || rank >= worldSize) {
            throw new IllegalArgumentException(
                    "rank must be from 0 to worldSize - 1 but was " + rank + " of " + worldSize);
        }
        return with(changed -> {
            changed.rank = rank;
            changed.worldSize = worldSize;
        });
    }

    /// These options with ranks that match in this way. By default all get equally many: shards that do not say how
    /// many images they have are counted.
    public ImageLoaderOptions even(Even how) {
        return with(changed -> changed.even = how);
    }

    /// These options with the images that `order` visits in each epoch, in its order, instead of all;
    /// [#shuffle(long)] then has no part in it. For images in files of their own, which their number finds: shards
    /// and workers of a data service refuse it.
    public ImageLoaderOptions samples(SampleOrder order) {
        Optional<SampleOrder> checked = Optional.of(order);
        return with(changed -> changed.samples = checked);
    }

    /// What each image becomes.
    public ImageSpec image() {
        return values.image;
    }

    /// The code that decodes JPEG.
    public JpegBackend jpeg() {
        return values.jpeg;
    }

    /// Which images are decoded in helper processes.
    public Isolation isolation() {
        return values.isolation;
    }

    /// Images in a batch.
    public int batchSize() {
        return values.batchSize;
    }

    /// Whether an incomplete last batch is left out.
    public boolean dropsLast() {
        return values.dropLast;
    }

    /// Whether every epoch has another order.
    public boolean shuffles() {
        return values.shuffle;
    }

    /// The key of all that is random.
    public long seed() {
        return values.seed;
    }

    /// Which share is loaded, from 0.
    public int rank() {
        return values.rank;
    }

    /// How many shares there are.
    public int worldSize() {
        return values.worldSize;
    }

    /// How ranks match.
    public Even even() {
        return values.even;
    }

    /// Which images an epoch visits; empty for all of them.
    public Optional<SampleOrder> samples() {
        return values.samples;
    }

    /// Shards that are read round-robin.
    public int interleave() {
        return values.interleave;
    }

    /// Images of shards that are shuffled together.
    public int window() {
        return values.window;
    }

    /// As in [#block(int)].
    public int block() {
        return values.block;
    }

    /// Which rows of Parquet are loaded; all if it is empty.
    public Optional<RowFilter> where() {
        return values.where;
    }

    /// Images of shards that are left out, by their names.
    public SortedSet<String> leftOut() {
        return values.leftOut;
    }

    /// Images that are read, and images that are decoded, at once; at the start if the run's tuner chooses.
    public int workers() {
        return values.workers;
    }

    /// Whether the run's tuner chooses the workers.
    public boolean tunesWorkers() {
        return values.tunesWorkers;
    }

    /// In which order batches are filled.
    public Order order() {
        return values.order;
    }

    /// What happens when a file cannot be read or decoded.
    public FailurePolicy failures() {
        return values.failures;
    }

    /// Finished batches that may wait for the consumer.
    public int prefetch() {
        return values.prefetch;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ImageLoaderOptions options && values.all().equals(options.values.all());
    }

    @Override
    public int hashCode() {
        return values.all().hashCode();
    }

    @Override
    public String toString() {
        return "ImageLoaderOptions" + values.all();
    }
}
