package org.jspdl.data.shards;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;
import org.jspdl.data.index.DatasetIndex;
import org.jspdl.data.index.KnownSizes;
import org.jspdl.data.shards.classes.SameClasses;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;
import org.jspdl.data.storage.StorageException;
import org.jspdl.data.storage.StoredObject;
import org.jspdl.memory.BufferPool;
import org.jspdl.source.CountableSource;
import org.jspdl.source.Cursor;
import org.jspdl.source.Position;
import org.jspdl.source.RangedSource;
import org.jspdl.source.ShardOrders;
import org.jspdl.source.Source;
import org.jspecify.annotations.Nullable;

/// What is known of the shards of a dataset without opening them, asked for when it is first needed, once: the index of
/// the dataset, which is one request, and for shards that it does not have their numbers of samples, of all at once. Of
/// those, what an earlier run found out still holds if what told it has the same version. Safe for any thread.
///
/// Asking a shard takes a request or two: one after the other, a thousand of them take minutes.
final class ShardCatalog implements ShardOrders {
    /// The storage bounds the requests of each host; this bounds the indexes that are in memory.
    private static final int AT_ONCE = 256;
    /// Shards that are read at once to be counted, each a little ahead.
    private static final int READ_AT_ONCE = 32;
    /// Of the next epoch, which are fetched before it begins.
    private static final int FIRST_SHARDS = 4;

    private final Storage storage;
    private final BufferPool pool;
    private final List<Location> locations;
    private final List<Counting> shards = new ArrayList<>();
    private final SameClasses classes;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile @Nullable Map<Location, DatasetIndex.Shard> indexed;
    private volatile @Nullable List<OptionalLong> sizes;
    private volatile @Nullable List<Long> read;
    private volatile boolean placed;

    /// A shard by itself.
    private record Counting(Source<ShardSample> shard, ShardFile file, ShardFormat format) {}

    ShardCatalog(Storage storage, List<Location> locations, BufferPool pool) {
        this.storage = storage;
        this.locations = List.copyOf(locations);
        this.pool = pool;
        Location first = locations.isEmpty() ? Location.of("") : locations.getFirst();
        this.classes = new SameClasses(first, () -> {
            Counting shard = shards.getFirst();
            ShardSchema _ = shard.format.schema(shard.file);
        });
    }

    /// One of the shards; its size is that of the catalog, and its classes are compared with those of the others.
    ShardFile file(Location shard, ShardOptions options) {
        return new ShardFile(
                storage, shard, options, pool, () -> bytes(shard), features -> classes.told(shard, features));
    }

    /// How large a shard is, if the index of the dataset says it.
    OptionalLong bytes(Location shard) throws IOException {
        DatasetIndex.Shard found = indexed().get(shard);
        return found == null ? OptionalLong.empty() : OptionalLong.of(found.bytes());
    }

    /// The same shard, which is the next of the locations; its size is that of the catalog, and its samples have
    /// what its folders say besides.
    Source<ShardSample> add(ShardFile file, ShardFormat format, FolderValues folders) {
        Source<ShardSample> shard = format.open(file);
        shards.add(new Counting(shard, file, format));
        Sized sized = new Sized(shard, this, shards.size() - 1, folders);
        return shard instanceof RangedSource<ShardSample> ranged ? new SizedRanges(sized, ranged) : sized;
    }

    private Map<Location, DatasetIndex.Shard> indexed() throws IOException {
        Map<Location, DatasetIndex.Shard> known = indexed;
        if (known != null) {
            return known;
        }
        lock.lock();
        try {
            known = indexed;
            if (known == null) {
                known = find();
                indexed = known;
            }
            return known;
        } finally {
            lock.unlock();
        }
    }

    /// One shard is opened sooner than its index is found.
    private Map<Location, DatasetIndex.Shard> find() throws IOException {
        Set<Location> places = new LinkedHashSet<>();
        if (locations.size() > 1) {
            locations.forEach(shard -> DatasetIndex.locationFor(shard).ifPresent(places::add));
        }
        Map<Location, DatasetIndex.Shard> found = new HashMap<>();
        for (Location place : places) {
            DatasetIndex.find(storage, place, pool).ifPresent(index -> found.putAll(index.beside(place)));
        }
        return found;
    }

    private OptionalLong size(int shard) {
        List<OptionalLong> known = sizes;
        if (known == null) {
            lock.lock();
            try {
                known = sizes;
                if (known == null) {
                    known = count();
                    sizes = known;
                }
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            } finally {
                lock.unlock();
            }
        }
        return known.get(shard);
    }

    private List<OptionalLong> count() throws IOException {
        Map<Location, DatasetIndex.Shard> index = indexed();
        Optional<KnownSizes> notes = locations.getFirst().isRemote()
                ? storage.options().notesFolder().map(folder -> KnownSizes.of(folder, locations.getFirst()))
                : Optional.empty();
        List<OptionalLong> counted = ofAll(
                AT_ONCE,
                shard -> count(shards.get(shard), locations.get(shard), index.get(locations.get(shard)), notes));
        notes.ifPresent(KnownSizes::save);
        return counted;
    }

    /// How many samples a shard has, if need be by reading it and all others that do not say it.
    private long samples(int shard) throws IOException {
        List<Long> known = read;
        if (known == null) {
            OptionalLong _ = size(shard); // which the threads below ask for, while this one has the lock
            lock.lock();
            try {
                known = read;
                if (known == null) {
                    known = readAll();
                    read = known;
                }
            } finally {
                lock.unlock();
            }
        }
        return known.get(shard);
    }

    /// What was read is kept apart from what shards say by themselves: else ranks whose machines have notes would
    /// deal otherwise than those that have none, where nothing is counted.
    private List<Long> readAll() throws IOException {
        Optional<KnownSizes> notes = storage.options()
                .notesFolder()
                .map(folder -> KnownSizes.of(folder.resolve("counted"), locations.getFirst()));
        List<Long> found = ofAll(READ_AT_ONCE, shard -> read(shard, notes));
        notes.ifPresent(KnownSizes::save);
        return found;
    }

    private long read(int shard, Optional<KnownSizes> notes) throws IOException {
        OptionalLong said = size(shard);
        if (said.isPresent()) {
            return said.getAsLong();
        }
        Counting counting = shards.get(shard);
        Location location = locations.get(shard);
        String version;
        try (StoredObject object = storage.object(location)) {
            // nothing is remembered of what tells no version
            version = object.version().isEmpty()
                    ? ""
                    : object.version() + counting.file().options().selection();
        }
        OptionalLong noted = notes.isPresent() ? notes.get().samples(location, version) : OptionalLong.empty();
        if (noted.isPresent()) {
            return noted.getAsLong();
        }
        long samples = counting.format().count(counting.file().counting());
        notes.ifPresent(known -> known.learn(location, version, samples));
        return samples;
    }

    /// Something that is asked of a shard.
    @FunctionalInterface
    private interface Question<T> {
        T ask(int shard) throws Exception;
    }

    /// The answers of all shards, which are asked at once.
    private <T> List<T> ofAll(int atOnce, Question<T> question) throws IOException {
        Semaphore places = new Semaphore(atOnce);
        List<Future<T>> asked = new ArrayList<>(shards.size());
        try (ExecutorService threads = Executors.newThreadPerTaskExecutor(
                Thread.ofVirtual().name("jspdl-shard-size-", 0).factory())) {
            try {
                for (int i = 0; i < shards.size(); i++) {
                    int shard = i;
                    places.acquire();
                    asked.add(threads.submit(() -> {
                        try {
                            return question.ask(shard);
                        } finally {
                            places.release();
                        }
                    }));
                }
                List<T> answers = new ArrayList<>(shards.size());
                for (Future<T> each : asked) {
                    answers.add(each.get());
                }
                return List.copyOf(answers);
            } catch (InterruptedException interrupted) {
                threads.shutdownNow();
                Thread.currentThread().interrupt();
                throw new IOException("asking for the sizes of shards was interrupted");
            } catch (ExecutionException failed) {
                threads.shutdownNow();
                if (failed.getCause() instanceof RuntimeException cause) {
                    throw cause;
                }
                throw new IOException("cannot ask for the sizes of shards", failed.getCause());
            }
        }
    }

    /// Makes sure that all shards know where their samples are, before one of them is asked.
    private void place() throws IOException {
        if (placed) {
            return;
        }
        Map<Location, DatasetIndex.Shard> _ = indexed(); // which the threads below ask for, while this one has the lock
        lock.lock();
        try {
            if (!placed) {
                ofAll(
                        AT_ONCE,
                        shard -> shards.get(shard).shard() instanceof RangedSource<?> ranged && ranged.isRanged());
                placed = true;
            }
        } finally {
            lock.unlock();
        }
    }

    private OptionalLong count(
            Counting shard, Location location, DatasetIndex.@Nullable Shard index, Optional<KnownSizes> notes)
            throws IOException {
        if (shard.file().options().where().isPresent()) {
            return OptionalLong.empty(); // indexes and notes are of all rows
        }
        if (index != null) {
            requireAsIndexed(location, index);
            return OptionalLong.of(index.samples());
        }
        if (notes.isEmpty()) {
            return shard.shard().size();
        }
        String version;
        try (StoredObject telling = storage.object(shard.format().countedBy(location))) {
            version = telling.version();
        } catch (StorageException absent) {
            return shard.shard().size(); // which knows what that means
        }
        OptionalLong known = notes.get().samples(location, version);
        if (known.isPresent()) {
            return known;
        }
        OptionalLong counted = shard.shard().size();
        counted.ifPresent(samples -> notes.get().learn(location, version, samples));
        return counted;
    }

    /// Looking costs nothing on a local disk; elsewhere the first read does.
    private void requireAsIndexed(Location location, DatasetIndex.Shard index) throws IOException {
        if (!location.isRemote()) {
            try (StoredObject object = storage.object(location)) {
                object.expect(index.bytes());
            }
        }
    }

    /// Tells a cache what is needed soonest. What the next epoch begins with is fetched when all shards of this one
    /// are open, if it is kept.
    @Override
    public Epoch begins(long epoch, int[] now, int[] next) {
        List<Location> order = IntStream.concat(Arrays.stream(now), Arrays.stream(next))
                .mapToObj(locations::get)
                .toList();
        boolean kept = storage.announce(this, order);
        return new ShardPrefetch(
                kept
                        ? Arrays.stream(next)
                                .limit(FIRST_SHARDS)
                                .mapToObj(shard -> shards.get(shard).file())
                                .toList()
                        : List.of());
    }

    private record Sized(Source<ShardSample> shard, ShardCatalog catalog, int number, FolderValues folders)
            implements CountableSource<ShardSample> {
        @Override
        public long count() throws IOException {
            return catalog.samples(number);
        }

        @Override
        public Cursor<ShardSample> open(long epoch, Position from) throws Exception {
            return using(() -> shard.open(epoch, from));
        }

        private Cursor<ShardSample> using(Callable<Cursor<ShardSample>> opening) throws Exception {
            Closeable use = catalog.storage.use(catalog, catalog.locations.get(number));
            try {
                return new UsingCursor(opening.call(), use, folders);
            } catch (Throwable failure) {
                use.close();
                throw failure;
            }
        }

        @Override
        public OptionalLong size() {
            return catalog.size(number);
        }

        @Override
        public String identity() {
            return shard.identity();
        }

        @Override
        public Resume resume() {
            return shard.resume();
        }
    }

    /// A shard that can be read from any sample on.
    private record SizedRanges(Sized sized, RangedSource<ShardSample> shard)
            implements RangedSource<ShardSample>, CountableSource<ShardSample> {
        @Override
        public long count() throws IOException {
            return sized.count();
        }

        @Override
        public boolean isRanged() {
            return size().isPresent();
        }

        @Override
        public Cursor<ShardSample> open(long epoch, Position from, long to) throws Exception {
            sized.catalog.place();
            return sized.using(() -> shard.open(epoch, from, to));
        }

        @Override
        public Cursor<ShardSample> open(long epoch, Position from) throws Exception {
            return sized.open(epoch, from);
        }

        @Override
        public OptionalLong size() {
            return sized.size();
        }

        @Override
        public String identity() {
            return sized.identity();
        }

        @Override
        public Resume resume() {
            return sized.resume();
        }
    }

    /// A pass over a shard, which the cache keeps meanwhile.
    private record UsingCursor(Cursor<ShardSample> cursor, Closeable use, FolderValues folders)
            implements Cursor<ShardSample> {
        @Override
        public boolean advance() throws Exception {
            boolean more = cursor.advance();
            if (more) {
                folders.addTo(cursor.item());
            }
            return more;
        }

        @Override
        public ShardSample item() {
            return cursor.item();
        }

        @Override
        public Position position() {
            return cursor.position();
        }

        @Override
        public void close() throws IOException {
            try (use) {
                cursor.close();
            }
        }
    }
}
