package org.jspdl.data.cache.order;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspdl.files.SafeFolders;
import org.jspecify.annotations.Nullable;

/// What all readers of a cache folder are going to use: those of this process, each in a file that other processes
/// read, and those of the others. Guarded by its monitor.
///
/// A file has, big-endian: a magic number; the process and when it started, so that the orders of those that are gone
/// do not count; how many objects were used; how many there are; their hashes.
public final class AnnouncedOrders implements AutoCloseable {
    private static final String ENDING = ".order";
    private static final long MAGIC = 0x4A5350444C4F3031L; // "JSPDLO01"
    private static final int USED_AT = 24;
    private static final int HEAD = 40;
    private static final int MOST_OBJECTS = 1 << 22;
    /// Readers that were forgotten do not keep their objects for good.
    private static final int MOST_READERS = 16;

    private final Path folder;
    private final Function<String, Path> file;
    private final Map<Object, Own> own = new LinkedHashMap<>();
    private final Map<Path, Other> others = new HashMap<>();
    private int named;

    private record Own(AnnouncedOrder order, Path file, FileChannel channel) {}

    private record Other(AnnouncedOrder order, long bytes) {}

    /// Nothing is announced yet.
    ///
    /// @param folder where all members have their files
    /// @param file   the file of this member that ends with what is given
    public AnnouncedOrders(Path folder, Function<String, Path> file) {
        this.folder = folder;
        this.file = file;
    }

    /// A reader is going to use these objects, in this order, instead of what it announced before.
    public synchronized void announce(Object reader, long[] objects) throws IOException {
        forget(reader);
        if (own.size() == MOST_READERS) {
            forget(own.keySet().iterator().next());
        }
        int count = Math.min(objects.length, MOST_OBJECTS);
        ByteBuffer text = ByteBuffer.allocate(HEAD + 8 * count)
                .putLong(MAGIC)
                .putLong(ProcessHandle.current().pid())
                .putLong(started(ProcessHandle.current()))
                .putLong(0) // used so far
                .putLong(count);
        for (int i = 0; i < count; i++) {
            text.putLong(objects[i]);
        }
        Path place = file.apply("-" + ++named + ENDING);
        Path part = file.apply("-order-" + named + ".part");
        FileChannel channel = FileChannel.open(
                part, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), SafeFolders.ownFile());
        try {
            text.flip();
            while (text.hasRemaining()) {
                channel.write(text);
            }
            Files.move(part, place, StandardCopyOption.ATOMIC_MOVE);
            own.put(reader, new Own(new AnnouncedOrder(objects, 0), place, channel));
        } catch (Throwable failure) {
            channel.close();
            throw failure;
        }
    }

    private void forget(Object reader) throws IOException {
        Own before = own.remove(reader);
        if (before != null) {
            try (FileChannel _ = before.channel()) {
                Files.deleteIfExists(before.file());
            }
        }
    }

    /// A reader uses an object now.
    public synchronized void used(Object reader, long object) throws IOException {
        Own order = own.get(reader);
        if (order != null) {
            order.channel()
                    .write(
                            ByteBuffer.allocate(8)
                                    .putLong(order.order().used(object))
                                    .flip(),
                            USED_AT);
        }
    }

    /// Looks at what other processes have announced.
    public synchronized void refresh() throws IOException {
        Map<Path, Other> found = new HashMap<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*" + ENDING)) {
            for (Path each : files) {
                if (own.values().stream().noneMatch(mine -> mine.file().equals(each))) {
                    read(each).ifPresent(other -> found.put(each, other));
                }
            }
        }
        others.clear();
        others.putAll(found);
    }

    private Optional<Other> read(Path each) throws IOException {
        try (FileChannel channel = FileChannel.open(each, StandardOpenOption.READ)) {
            long bytes = channel.size();
            if (bytes < HEAD || bytes > HEAD + 8L * MOST_OBJECTS) {
                return Optional.empty();
            }
            @Nullable Other before = others.get(each);
            boolean known = before != null && before.bytes() == bytes;
            ByteBuffer text = ByteBuffer.allocate(known ? HEAD : (int) bytes);
            while (text.hasRemaining() && channel.read(text, text.position()) >= 0) {
                // until all is read
            }
            text.flip();
            if (text.remaining() < HEAD || text.getLong() != MAGIC || !lives(text.getLong(), text.getLong())) {
                return Optional.empty();
            }
            int used = (int) text.getLong();
            if (before != null && known) {
                before.order().moveTo(used);
                return Optional.of(before);
            }
            long[] objects = new long[(int) Math.min(text.getLong(), text.remaining() / 8)];
            text.asLongBuffer().get(objects);
            return Optional.of(new Other(new AnnouncedOrder(objects, used), bytes));
        } catch (NoSuchFileException gone) {
            return Optional.empty();
        }
    }

    private static boolean lives(long pid, long started) {
        return ProcessHandle.of(pid).map(process -> started(process) == started).orElse(false);
    }

    private static long started(ProcessHandle process) {
        return process.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
    }

    /// How soon a reader needs `object`, in its own uses; [AnnouncedOrder#NEVER] if none does.
    public synchronized int distance(long object) {
        int soonest = AnnouncedOrder.NEVER;
        for (Own each : own.values()) {
            soonest = Math.min(soonest, each.order().distance(object));
        }
        for (Other each : others.values()) {
            soonest = Math.min(soonest, each.order().distance(object));
        }
        return soonest;
    }

    @Override
    public synchronized void close() {
        List<Object> readers = new ArrayList<>(own.keySet());
        for (Object reader : readers) {
            try {
                forget(reader);
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
        }
    }
}
