package org.jspdl.media.internal.codec;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.Stream;
import org.jspdl.files.LockedFile;
import org.jspdl.media.internal.natives.CacheFolder;

/// Notes in a mapped file of what native codecs are decoding at this moment. They outlive a process that a codec
/// crashes: what they say then is suspect.
///
/// The file is locked for as long as its process lives, which is how others know. Writing a note is a store to memory.
/// Safe for use by any number of threads.
public final class InFlight {
    private static final int SLOTS = 256;
    private static final int SLOT_BYTES = 64;
    private static final String ENDING = ".inflight";

    private final MemorySegment notes;
    private final AtomicLongArray taken = new AtomicLongArray(SLOTS);
    private final Suspects suspects;

    /// The file, as long as the process lives; empty without one.
    private final Optional<LockedFile> locked;

    private InFlight(MemorySegment notes, Optional<LockedFile> locked, Suspects suspects) {
        this.notes = notes;
        this.locked = locked;
        this.suspects = suspects;
    }

    /// Those of this process, made once.
    private static final class OfProcess {
        static final InFlight INSTANCE = of(CacheFolder.of("decoding"));

        private OfProcess() {}
    }

    static InFlight ofProcess() {
        return OfProcess.INSTANCE;
    }

    /// Notes in a new file in `folder`, and suspects from those that dead processes left there.
    static InFlight of(Optional<Path> folder) {
        Suspects suspects = new Suspects(folder);
        if (folder.isPresent()) {
            try {
                return opened(folder.get(), suspects);
            } catch (IOException unwritable) {
                // Notes are taken all the same; nobody will read them.
            }
        }
        return new InFlight(Arena.global().allocate(SLOTS * SLOT_BYTES, SLOT_BYTES), Optional.empty(), suspects);
    }

    private static InFlight opened(Path folder, Suspects suspects) throws IOException {
        for (Path file : files(folder)) {
            collect(file, suspects);
        }
        Path file = Files.createTempFile(folder, "", ENDING);
        LockedFile locked = LockedFile.lock(file);
        MemorySegment notes = locked.channel().map(MapMode.READ_WRITE, 0, SLOTS * SLOT_BYTES, Arena.global());
        return new InFlight(notes, Optional.of(locked), suspects);
    }

    private static List<Path> files(Path folder) throws IOException {
        List<Path> found = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder)) {
            files.filter(file -> file.toString().endsWith(ENDING)).forEach(found::add);
        } catch (UncheckedIOException failure) {
            throw failure.getCause();
        }
        return found;
    }

    /// Takes what a dead process left, and deletes it.
    private static void collect(Path file, Suspects suspects) {
        try (LockedFile left = LockedFile.tryLock(file).orElse(null)) {
            if (left == null || left.channel().size() != SLOTS * SLOT_BYTES) {
                return;
            }
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment notes = left.channel().map(MapMode.READ_ONLY, 0, SLOTS * SLOT_BYTES, arena);
                for (long at = 0; at < notes.byteSize(); at += SLOT_BYTES) {
                    long key = notes.get(ValueLayout.JAVA_LONG, at);
                    if (key != 0) {
                        suspects.add(key);
                    }
                }
            }
            Files.deleteIfExists(file);
        } catch (IOException gone) {
            // Another process has taken it.
        }
    }

    Suspects suspects() {
        return suspects;
    }

    /// Whether notes outlive the process.
    boolean isKept() {
        return locked.isPresent();
    }

    /// A slot that the caller releases; if there are no more, one without effect.
    Slot slot() {
        for (int i = 0; i < SLOTS; i++) {
            if (taken.get(i) == 0 && taken.compareAndSet(i, 0, 1)) {
                return new Slot(this, i);
            }
        }
        return new Slot(this, -1);
    }

    /// Where one thread at a time notes what it is decoding.
    public static final class Slot implements AutoCloseable {
        private final InFlight owner;
        private final int index;

        private Slot(InFlight owner, int index) {
            this.owner = owner;
            this.index = index;
        }

        /// Notes that the file with `key` is being decoded, before any native code sees it.
        public void enter(long key) {
            if (index >= 0) {
                owner.notes.set(ValueLayout.JAVA_LONG, (long) index * SLOT_BYTES, key);
            }
        }

        /// Notes that nothing is.
        public void leave() {
            enter(0);
        }

        @Override
        public void close() {
            if (index >= 0) {
                leave();
                owner.taken.set(index, 0);
            }
        }
    }
}
