package org.jspdl.data.image;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspdl.data.dataset.DatasetException;
import org.jspdl.data.dataset.LeftOut;
import org.jspdl.data.order.SamplesOfShards;
import org.jspdl.data.order.ShardPlaces;
import org.jspdl.data.shards.ShardNames;
import org.jspdl.data.shards.ShardOptions;
import org.jspdl.data.shards.ShardSample;
import org.jspdl.data.shards.ShardSchema;
import org.jspdl.data.shards.Shards;
import org.jspdl.data.shards.classes.FirstField;
import org.jspdl.data.snapshot.FileVersions;
import org.jspdl.data.snapshot.PinnedStorage;
import org.jspdl.data.storage.FileNames;
import org.jspdl.data.storage.Listing;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;
import org.jspdl.input.FormatException;
import org.jspdl.memory.BufferPool;
import org.jspdl.source.Cursor;
import org.jspdl.source.Position;
import org.jspdl.source.RankedSource;
import org.jspdl.source.ShardStream;
import org.jspdl.source.Source;
import org.jspdl.source.Sources;
import org.jspecify.annotations.Nullable;

/// Images in shards, read from front to back: WebDataset tar, Parquet and what else [Shards] opens.
final class ShardImages implements ImageSource {
    private static final String TRAIN = "train";
    private static final String REMEDY = "leave one of these fields out of the shards";
    private static final String ARCHIVE = "tar";
    private static final Pattern SPLIT = Pattern.compile("(.+)-\\d{5,}-of-\\d{5,}\\.\\w+");

    private final PinnedStorage storage;
    private final List<Location> locations;
    private final ShardStream<ShardSample> shards;
    private final BufferPool encoded;
    private final ShardSchema schema;
    private final String mixing;
    private final SortedSet<String> leftOut;
    private final FirstField pictures;
    private final FirstField labels;
    /// One of the samples that were met with a label, and one without.
    private final AtomicReference<@Nullable String> labeled = new AtomicReference<>();
    private final AtomicReference<@Nullable String> unlabeled = new AtomicReference<>();

    private ShardImages(
            PinnedStorage storage,
            List<Location> locations,
            ShardStream<ShardSample> shards,
            BufferPool encoded,
            ShardSchema schema,
            String mixing,
            SortedSet<String> leftOut) {
        this.storage = storage;
        this.leftOut = leftOut;
        this.locations = locations;
        this.mixing = mixing;
        this.shards = shards;
        this.encoded = encoded;
        this.schema = schema;
        this.pictures = new FirstField(schema.image().map(List::of).orElse(ShardSchema.IMAGES), REMEDY);
        this.labels = new FirstField(schema.label().map(List::of).orElse(ShardSchema.LABELS), REMEDY);
    }

    static ShardImages open(Storage storage, Location pattern, ImageLoaderOptions options) throws IOException {
        if (options.samples().isPresent()) {
            throw new DatasetException("an order of single images ("
                    + options.samples().get() + ") needs images in" + " files of their own: those in shards, as in "
                    + pattern + ", are read one behind the other");
        }
        BufferPool encoded = BufferPool.unbounded("encoded images");
        try {
            List<Location> locations = ofOneSplit(pattern, Shards.locations(storage, pattern));
            ShardSchema schema = Shards.schema(storage, locations.getFirst(), encoded);
            if (!schema.fields().isEmpty() && schema.image().isEmpty()) {
                throw new DatasetException(locations.getFirst() + " has no field with images, only " + schema.fields());
            }
            ShardOptions wanted =
                    ShardOptions.defaults().columns(schema.imageColumns().toArray(String[]::new));
            if (options.where().isPresent()) {
                wanted = wanted.where(options.where().get());
            }
            if (options.shuffles()) {
                wanted = wanted.forInterleaved(options.interleave());
            }
            SortedSet<String> leftOut = SamplesOfShards.of(locations, options.leftOut());
            PinnedStorage pinned = new PinnedStorage(storage);
            ShardStream<ShardSample> shards = Shards.share(
                    SamplesOfShards.without(Shards.open(pinned, locations, wanted, encoded), locations, leftOut),
                    options.rank(),
                    options.worldSize(),
                    options.even());
            String mixing = "";
            if (options.shuffles()) {
                boolean inBlocks = options.block() > 0 && shards.canUseBlocks();
                shards = Shards.shuffled(
                        shards, options.seed(), options.interleave(), options.window(), options.block());
                mixing = mixing(shards.mixedShards(), locations.size(), options.window(), inBlocks);
            }
            return new ShardImages(pinned, locations, shards, encoded, schema, mixing, leftOut);
        } catch (Throwable failure) {
            encoded.close();
            throw failure;
        }
    }

    /// Of a folder with several splits, as Hugging Face's datasets are, the one for training.
    private static List<Location> ofOneSplit(Location pattern, List<Location> shards) throws DatasetException {
        SortedMap<String, List<Location>> splits = new TreeMap<>();
        for (Location shard : shards) {
            splits.computeIfAbsent(split(shard), _ -> new ArrayList<>()).add(shard);
        }
        if (splits.size() <= 1) {
            return shards;
        }
        List<Location> train = splits.get(TRAIN);
        if (train == null) {
            throw new DatasetException(pattern + " has shards of several splits, " + splits.keySet()
                    + "; name those of one, such as '"
                    + splits.firstEntry().getValue().getFirst().parent() + "/"
                    + splits.firstKey() + "-*'");
        }
        System.getLogger(ShardImages.class.getName())
                .log(
                        System.Logger.Level.INFO,
                        pattern + " has the splits " + splits.keySet() + "; " + TRAIN + " is loaded");
        return train;
    }

    /// What comes before `-00000-of-00012`, or the folder of `data-00000-of-00012`; empty where shards are not
    /// numbered so.
    private static String split(Location shard) {
        String name = shard.name();
        int begin = name.lastIndexOf('/') + 1;
        Matcher numbered = SPLIT.matcher(name.substring(begin));
        if (!numbered.matches()) {
            return "";
        }
        boolean inFolder = numbered.group(1).equals("data") && begin > 0;
        return inFolder ? name.substring(name.lastIndexOf('/', begin - 2) + 1, begin - 1) : numbered.group(1);
    }

    @Override
    public Source<ImageSample> images() {
        return new LookaheadSource<>("images in ", shards, this::image);
    }

    @Override
    public Source<ImageSample> placed() throws IOException {
        RankedSource<ShardSample> found = ShardPlaces.of(shards, 0);
        return Sources.through(found, (epoch, cursor) -> new Placed(cursor, epoch, found.places()));
    }

    @Override
    public String order(ImageServiceProvider.Wanted wanted, long places) {
        return shards.identity();
    }

    /// Labels are inside of the shards, whose versions tell that one was labeled anew. From here on shards of other
    /// versions are not read.
    @Override
    public String snapshot() throws IOException {
        MessageDigest hash = FileImages.sha256();
        hash.update("shards\n".getBytes(StandardCharsets.UTF_8));
        int common = ShardNames.folder(locations);
        FileVersions versions = FileVersions.ofShards(storage, locations);
        for (int i = 0; i < locations.size(); i++) {
            String version = Long.toHexString(versions.get(i));
            hash.update(FileNames.bytes(locations.get(i).name().substring(common) + " " + version + "\n"));
        }
        storage.pin(locations, versions);
        return HexFormat.of().formatHex(hash.digest());
    }

    /// Images at neighboring places.
    private final class Placed implements Cursor<ImageSample> {
        private final Cursor<? extends ShardSample> cursor;
        private final long epoch;
        private final long places;

        Placed(Cursor<? extends ShardSample> cursor, long epoch, long places) {
            this.cursor = cursor;
            this.epoch = epoch;
            this.places = places;
        }

        @Override
        public boolean advance() throws Exception {
            return cursor.advance();
        }

        @Override
        public ImageSample item() {
            long next = cursor.position().index();
            return image(cursor.item(), epoch, next - 1, next == places);
        }

        @Override
        public Position position() {
            return cursor.position();
        }

        @Override
        public void close() throws IOException {
            cursor.close();
        }
    }

    @Override
    public List<String> classes() {
        return schema.classes();
    }

    @Override
    public Access access() {
        return Access.IN_MEMORY;
    }

    @Override
    public String listing() {
        return Listing.of("shard", locations.size(), i -> locations.get((int) i).name());
    }

    @Override
    public String mixing() {
        return mixing;
    }

    private static String mixing(int mixed, int all, int window, boolean inBlocks) {
        if (all < 2) {
            return "";
        }
        String windows = mixed + " of " + all + " shards at a time, in windows of " + window + " images";
        if (mixed == all) {
            return windows;
        }
        return windows
                + (inBlocks
                        ? "; a larger window mixes more"
                        : "; a larger 'interleave' mixes more, and so does an index of tar files ('jspdl index')");
    }

    @Override
    public SortedSet<String> leftOutHere() {
        return leftOut;
    }

    @Override
    public LeftOut leftOut() {
        return LeftOut.NONE;
    }

    @Override
    public void close() {
        encoded.close();
    }

    /// The class number; -1 if no sample has one.
    ///
    /// @throws FormatException if there is a label that is no class number, or some samples have labels and others
    ///     none: taking it for none would train a model on unlabeled images silently
    private int label(ShardSample found) throws FormatException {
        labels.require(found::has, name(found));
        for (String field : labels.names()) {
            if (found.has(field)) {
                requireAlike(found, labeled, unlabeled, "has a label, and ", " has none");
                try {
                    return Math.toIntExact(found.number(field));
                } catch (FormatException | ArithmeticException noNumber) {
                    throw FormatException.because(
                            "the label in '" + field + "' is no class number; number the classes, or leave"
                                    + " the field out of the shards with 'jspdl pack --columns'");
                }
            }
        }
        requireAlike(found, unlabeled, labeled, "has no label, and ", " has one");
        return -1;
    }

    private static void requireAlike(
            ShardSample found,
            AtomicReference<@Nullable String> alike,
            AtomicReference<@Nullable String> others,
            String one,
            String other)
            throws FormatException {
        String met = others.get();
        if (met != null) {
            throw FormatException.because(one + met + other + ": give all of them labels, such as -1 where the class is"
                    + " not known, or none");
        }
        if (alike.get() == null) { // those of the first kind stay, whatever is skipped
            alike.compareAndSet(null, name(found));
        }
    }

    private static String name(ShardSample found) {
        return found.shard() + "/" + found.key();
    }

    private ShardImage image(ShardSample found, long epoch, long position, boolean last) {
        int everywhere = shards.everywhere() == Long.MAX_VALUE ? -1 : position < shards.everywhere() ? 1 : 0;
        try {
            pictures.require(found::has, name(found));
            return new ShardImage(found, ShardImages.this.label(found), null, epoch, position, last, everywhere);
        } catch (FormatException unclear) {
            return new ShardImage(found, -1, unclear, epoch, position, last, everywhere);
        }
    }

    private final class ShardImage extends ImageSample {
        private @Nullable ShardSample found;
        private final @Nullable FormatException unclear;
        private final String name;
        private final String file;
        private final Optional<ShardSample.Extent> range;

        /// @param unclear why the image fails when it is opened, where the failure policy sees it
        ShardImage(
                ShardSample found,
                int label,
                @Nullable FormatException unclear,
                long epoch,
                long position,
                boolean last,
                int everywhere) {
            super(Math.toIntExact(position), label, epoch, last, everywhere);
            this.found = found;
            this.unclear = unclear;
            this.name = ShardImages.name(found);
            this.file = found.shard();
            this.range = found.extent();
        }

        @Override
        Optional<ShardSample.Extent> range() {
            return range;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        String file() {
            return file;
        }

        @Override
        void open() {
            ShardSample sample = found;
            if (sample == null) {
                throw new IllegalStateException(name + " was read already");
            }
            if (unclear != null) {
                releaseOrigin();
                throw unclear.withSource(name);
            }
            try {
                holds(sample.firstOf(pictures.names().toArray(String[]::new)));
            } catch (FormatException missing) {
                boolean isArchive = sample.has(ARCHIVE);
                releaseOrigin();
                throw isArchive
                        ? FormatException.because(
                                        "is no image but an archive itself: unpack an archive of archives, such"
                                                + " as ImageNet's for training, as docs/how-to/datasets.md says")
                                .withSource(name + "." + ARCHIVE)
                        : missing.withSource(name);
            }
        }

        @Override
        void releaseOrigin() {
            if (found != null) {
                found.close();
                found = null;
            }
        }
    }
}
