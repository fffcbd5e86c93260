package org.jspdl.data.cache;

import static java.util.Objects.requireNonNull;

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspdl.data.cache.order.AnnouncedOrders;
import org.jspdl.data.cache.order.KeyHash;
import org.jspdl.data.storage.FailureReasons;
import org.jspdl.files.LockedFile;
import org.jspdl.files.SafeFolders;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Lease;

/// A cache in a folder that several processes of one machine may use at once.
///
/// An entry appears whole or not at all: it is written to a file of its own and then linked to its place, so a process
/// may be killed at any moment. Each carries a checksum; a damaged one is deleted and counts as a miss. When the disk
/// is full or cannot be written, the cache goes on without adding entries, and says so once.
public final class DiskCache implements ByteCache {
    private static final System.Logger LOG = System.getLogger(DiskCache.class.getName());
    /// What a file takes on disk is a multiple of this.
    private static final long BLOCK = 4096;

    private final EntryFiles files;
    private final CacheUserLock membership;
    private final SharedBudget budget;
    private final CacheCounters counters = new CacheCounters();
    private final AtomicLong unfinished = new AtomicLong();
    private final AtomicBoolean warned = new AtomicBoolean();
    private final Set<Long> touched = ConcurrentHashMap.newKeySet();
    private final AnnouncedOrders orders;
    private final Evictor evictor;

    private DiskCache(
            EntryFiles files, Path members, CacheUserLock membership, SharedBudget budget, LongSupplier nanos) {
        this.orders = new AnnouncedOrders(members, membership::file);
        this.evictor = new Evictor(files.folder(), members, orders, nanos);
        this.files = files;
        this.membership = membership;
        this.budget = budget;
    }

    /// The cache in `folder`, which is made if need be; the caller closes it.
    ///
    /// @param budgetBytes the most that all processes together may store, in blocks of 4,096 bytes
    /// @throws IOException if the folder cannot be used, or others than this user and root could change what lies
    ///     in it
    public static DiskCache open(Path folder, long budgetBytes) throws IOException {
        return open(folder, budgetBytes, false, System::nanoTime);
    }

    /// The same in a folder on the way to which others may write, for machines and mounts where all of them are
    /// trusted: they could exchange the cache for one of theirs.
    public static DiskCache openTrusting(Path folder, long budgetBytes) throws IOException {
        return open(folder, budgetBytes, true, System::nanoTime);
    }

    /// @param nanos tells how old what is known of the folder is
    static DiskCache open(Path folder, long budgetBytes, boolean shared, LongSupplier nanos) throws IOException {
        if (budgetBytes < 0) {
            throw new IllegalArgumentException("budgetBytes must not be negative but was " + budgetBytes);
        }
        CacheFolder place = CacheFolder.prepare(folder, shared);
        Path members = place.members();
        EntryFiles files = new EntryFiles(place.entries());
        // one process, and one thread of it, opens a cache at a time
        try (LockedFile _ = LockedFile.lock(folder.resolve("open.lock"), SafeFolders.ownFile())) {
            SharedBudget budget = SharedBudget.open(folder.resolve("used"), budgetBytes);
            try {
                if (CacheUserLock.cleanUp(members)) {
                    files.deleteOld();
                    budget.set(files.bytes(DiskCache::onDisk));
                }
                return new DiskCache(files, members, CacheUserLock.join(members), budget, nanos);
            } catch (Throwable failure) {
                budget.close();
                throw failure;
            }
        }
    }

    static long onDisk(long bytes) {
        return Math.ceilDiv(bytes, BLOCK) * BLOCK;
    }

    @Override
    public Optional<Lease> get(String key, Predicate<String> version, BufferPool pool) throws IOException {
        Lease[] lease = new Lease[1];
        boolean hit = false;
        try {
            hit = read(key, version, length -> {
                lease[0] = pool.lease(length);
                return Optional.of(lease[0].segment());
            });
        } finally {
            if (!hit && lease[0] != null) {
                lease[0].close();
            }
        }
        return hit ? Optional.of(lease[0]) : Optional.empty();
    }

    @Override
    public boolean get(String key, Predicate<String> version, MemorySegment target) throws IOException {
        return read(key, version, length -> length == target.byteSize() ? Optional.of(target) : Optional.empty());
    }

    private boolean read(String key, Predicate<String> version, LongFunction<Optional<MemorySegment>> room)
            throws IOException {
        Path file = files.of(key);
        boolean[] asked = new boolean[1];
        boolean[] outdated = new boolean[1];
        Predicate<String> wanted = kept -> {
            outdated[0] = !version.test(kept);
            return !outdated[0];
        };
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            Optional<MemorySegment> read = Entry.read(channel, key, wanted, length -> {
                Optional<MemorySegment> target = room.apply(length);
                asked[0] = target.isEmpty();
                return target;
            });
            if (read.isEmpty() && outdated[0]) {
                delete(file);
            } else if (read.isEmpty() && !asked[0]) {
                throwAway(file);
            } else if (read.isPresent() && touched.add(KeyHash.object(key))) {
                Files.setLastModifiedTime(file, FileTime.from(Instant.now())); // a reader of now uses it
            }
            return counters.found(read.isPresent());
        } catch (NoSuchFileException miss) {
            return counters.found(false);
        } catch (ClosedByInterruptException interrupt) {
            throw new InterruptedIOException(file + ": the read was interrupted");
        } catch (IOException failure) {
            throwAway(file);
            return counters.found(false);
        }
    }

    private void throwAway(Path file) {
        counters.damaged.increment();
        delete(file);
    }

    private void delete(Path file) {
        try {
            long size = onDisk(Files.size(file));
            if (Files.deleteIfExists(file)) {
                budget.release(size);
            }
        } catch (IOException gone) {
            warn("an entry that is damaged or of another version cannot be deleted", gone);
        }
    }

    /// Where it is.
    Path folder() {
        return requireNonNull(files.folder().getParent()); // entries lie in a folder of the cache
    }

    /// What is free on its disk; empty if that is not known.
    OptionalLong freeBytes() {
        try {
            return OptionalLong.of(Files.getFileStore(files.folder()).getUsableSpace());
        } catch (IOException unknown) {
            return OptionalLong.empty();
        }
    }

    /// Takes it upon this process to let other machines read the folder, until it is closed; empty if another does.
    Optional<LockedFile> claimServing() throws IOException {
        return membership.claim("serving.lock");
    }

    /// The entry that another machine asks for, which closes it; empty if it is not here in that version.
    Optional<CachedPiece> piece(PieceName name) throws IOException {
        FileChannel file;
        try {
            file = FileChannel.open(files.named(name.entry()), StandardOpenOption.READ);
        } catch (NoSuchFileException none) {
            return Optional.empty();
        }
        Optional<CachedPiece> piece = Optional.empty();
        try {
            piece = Entry.head(file)
                    .filter(head -> name.isOf(head) && head.length() > 0)
                    .map(head -> new CachedPiece(file, head.start(), head.length(), head.checksum()));
        } finally {
            if (piece.isEmpty()) {
                file.close();
            }
        }
        return piece;
    }

    @Override
    public void offer(String key, String version, MemorySegment bytes) {
        Path file = files.of(key);
        if (Files.exists(file)) {
            return;
        }
        long size = onDisk(Entry.fileSize(key, version, bytes.byteSize()));
        if (!reserve(KeyHash.object(key), size)) {
            counters.refused.increment();
            return;
        }
        boolean kept = false;
        try {
            kept = store(file, key, version, bytes);
            if (kept) {
                evictor.added(file, KeyHash.object(key), size);
                counters.stored.increment();
            }
        } catch (IOException failure) {
            counters.failed.increment();
            warn("nothing can be added", failure);
        } finally {
            if (!kept) {
                budget.release(size);
            }
        }
    }

    /// Takes `bytes` of the budget, for which others make room if that is worth it.
    private boolean reserve(long object, long bytes) {
        if (bytes > budget.budgetBytes()) {
            return false;
        }
        try {
            while (!budget.reserve(bytes)) {
                Optional<Evictor.Candidate> victim = evictor.victim(object);
                if (victim.isEmpty()) {
                    return false;
                }
                if (Files.deleteIfExists(victim.get().file())) {
                    budget.release(victim.get().bytes());
                    counters.evicted.increment();
                }
            }
            return true;
        } catch (IOException failure) {
            warn("no room can be made", failure);
            return false;
        }
    }

    @Override
    public void announce(Object reader, List<String> keys) {
        try {
            orders.announce(reader, keys.stream().mapToLong(KeyHash::object).toArray());
        } catch (IOException failure) {
            warn("what is needed next cannot be said", failure);
        }
    }

    @Override
    public Closeable use(Object reader, String key) {
        long object = KeyHash.object(key);
        try {
            orders.used(reader, object);
        } catch (IOException failure) {
            warn("what is needed next cannot be said", failure);
        }
        return evictor.use(object);
    }

    private boolean store(Path file, String key, String version, MemorySegment bytes) throws IOException {
        Path part = membership.unfinished(unfinished.incrementAndGet());
        try {
            try (FileChannel channel =
                    CacheFolder.open(part, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
                Entry.write(channel, key, version, bytes);
            }
            CacheFolder.createFolder(requireNonNull(file.getParent())); // an entry lies in a folder of the cache
            Files.createLink(file, part); // fails if another process was faster
            return true;
        } catch (FileAlreadyExistsException faster) {
            return false;
        } finally {
            Files.deleteIfExists(part);
        }
    }

    private void warn(String what, IOException failure) {
        if (!(failure instanceof ClosedByInterruptException) && warned.compareAndSet(false, true)) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "disk cache {0}: {1} ({2}); reading goes on",
                    files,
                    what,
                    FailureReasons.withFile(failure));
        }
    }

    @Override
    public CacheStats stats() {
        return counters.snapshot(budget.used(), budget.budgetBytes());
    }

    @Override
    public void close() {
        try (budget;
                membership;
                orders) {
            // both are closed even if one fails
        }
    }

    /// Where the entries are: two levels of folders by a hash of their keys.
    record EntryFiles(Path folder) {
        Path of(String key) {
            return named(KeyHash.of(key));
        }

        Path named(String name) {
            return folder.resolve(name.substring(0, 2)).resolve(name);
        }

        /// Deletes the entries of versions that called them otherwise.
        void deleteOld() throws IOException {
            try (Stream<Path> all = Files.walk(folder, 2)) {
                for (Path each : (Iterable<Path>) all.filter(Files::isRegularFile)::iterator) {
                    if (KeyHash.isOldName(folder.relativize(each).toString())) {
                        Files.deleteIfExists(each);
                    }
                }
            }
        }

        long bytes(java.util.function.LongUnaryOperator onDisk) throws IOException {
            try (Stream<Path> all = Files.walk(folder, 2)) {
                return all.filter(Files::isRegularFile)
                        .mapToLong(file -> onDisk.applyAsLong(size(file)))
                        .sum();
            }
        }

        private static long size(Path file) {
            try {
                return Files.size(file);
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
        }

        @Override
        public String toString() {
            return String.valueOf(folder.getParent());
        }
    }
}
