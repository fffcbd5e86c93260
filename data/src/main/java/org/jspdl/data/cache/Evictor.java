package org.jspdl.data.cache;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspdl.data.cache.order.AnnouncedOrder;
import org.jspdl.data.cache.order.AnnouncedOrders;
import org.jspdl.data.cache.order.KeyHash;

/// Chooses which entry makes room for another. Guarded by its monitor.
///
/// What no reader of now has announced or used goes first, the oldest first: it belongs to another dataset. Then what
/// is needed last of what was announced (Belady, "A study of replacement algorithms for a virtual-storage computer",
/// 1966), unless the new entry is needed later still: then that is not kept. What was used without being announced
/// stays: in a shuffled order that is not known, no entry is worth more than another.
final class Evictor {
    /// A look at the folder serves for this long, or twenty times as long as it took.
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private final Path entries;
    private final Path members;
    private final AnnouncedOrders orders;
    private final LongSupplier nanos;
    private final Map<Long, Integer> inUse = new ConcurrentHashMap<>();
    private final Map<Long, ArrayDeque<Candidate>> announced = new HashMap<>();
    private ArrayDeque<Candidate> stale = new ArrayDeque<>();
    private long goodUntil;

    /// An entry that may go.
    record Candidate(Path file, long object, long bytes, long usedAtMillis) {}

    /// @param nanos nanoseconds since any moment
    Evictor(Path entries, Path members, AnnouncedOrders orders, LongSupplier nanos) {
        this.entries = entries;
        this.members = members;
        this.orders = orders;
        this.nanos = nanos;
        this.goodUntil = nanos.getAsLong();
    }

    /// A reader of this process reads `object`, until what is returned is closed: what is cached of it is needed
    /// now.
    Closeable use(long object) {
        inUse.merge(object, 1, Integer::sum);
        return () -> inUse.computeIfPresent(object, (_, users) -> users == 1 ? null : users - 1);
    }

    /// An entry was added.
    synchronized void added(Path file, long object, long bytes) {
        if (orders.distance(object) < AnnouncedOrder.NEVER) {
            announced.computeIfAbsent(object, _ -> new ArrayDeque<>()).add(new Candidate(file, object, bytes, 0));
        }
    }

    /// The entry that is to be deleted to make room for one of `object`, or nothing if that is not worth it.
    synchronized Optional<Candidate> victim(long object) throws IOException {
        if (nanos.getAsLong() - goodUntil >= 0) {
            look();
        }
        for (Candidate candidate = stale.poll(); candidate != null; candidate = stale.poll()) {
            if (orders.distance(candidate.object()) == AnnouncedOrder.NEVER) {
                return Optional.of(candidate);
            }
        }
        int needed = orders.distance(object);
        int latest = -1;
        Optional<ArrayDeque<Candidate>> last = Optional.empty();
        for (Map.Entry<Long, ArrayDeque<Candidate>> each : announced.entrySet()) {
            int distance = inUse.containsKey(each.getKey()) ? -1 : orders.distance(each.getKey());
            if (distance > latest && !each.getValue().isEmpty()) {
                latest = distance;
                last = Optional.of(each.getValue());
            }
        }
        boolean worthIt = needed < AnnouncedOrder.NEVER && latest > needed;
        return worthIt ? last.map(ArrayDeque::pollLast) : Optional.empty();
    }

    private void look() throws IOException {
        long begun = nanos.getAsLong();
        orders.refresh();
        long joined = oldestMember();
        announced.clear();
        List<Candidate> old = new ArrayList<>();
        try (Stream<Path> all = Files.walk(entries, 2)) {
            all.forEach(file -> candidate(file, joined, old));
        } catch (UncheckedIOException gone) {
            throw gone.getCause();
        }
        old.sort(Comparator.comparingLong(Candidate::usedAtMillis)
                .thenComparing(candidate -> candidate.file().toString()));
        stale = new ArrayDeque<>(old);
        long now = nanos.getAsLong();
        goodUntil = now + Math.max(LOOK_NANOS, 20 * (now - begun));
    }

    private void candidate(Path file, long joined, List<Candidate> old) {
        try {
            BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
            if (!attributes.isRegularFile()) {
                return;
            }
            long object = KeyHash.objectOf(String.valueOf(file.getFileName()));
            long used = attributes.lastModifiedTime().toMillis();
            Candidate candidate = new Candidate(file, object, DiskCache.onDisk(attributes.size()), used);
            if (orders.distance(object) < AnnouncedOrder.NEVER) {
                announced.computeIfAbsent(object, _ -> new ArrayDeque<>()).add(candidate);
            } else if (used < joined) {
                old.add(candidate);
            }
        } catch (IOException gone) {
            // another process was faster
        }
    }

    /// When the first of those joined who use the folder now.
    private long oldestMember() throws IOException {
        long oldest = Long.MAX_VALUE;
        try (Stream<Path> all = Files.list(members)) {
            for (Path each : (Iterable<Path>) all.filter(file -> file.toString().endsWith(".member"))::iterator) {
                if (Files.exists(each)) {
                    oldest = Math.min(oldest, Files.getLastModifiedTime(each).toMillis());
                }
            }
        }
        return oldest;
    }
}
