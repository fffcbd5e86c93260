package org.jspdl.media.internal.codec;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Files that crashed a process or exceeded their deadline, known by their content; and formats of which several did.
///
/// Files are remembered in a folder, if there is one, for processes to come. Safe for use by any number of threads.
public final class Suspects {
    /// The number of different files that make their format suspect.
    private static final int FILES_OF_A_FORMAT = 3;
    private static final int MOST_FILES = 10_000;
    private static final long SAMPLED = 1024;
    private static final String NAME = "suspects";

    private final Optional<Path> store;
    private final Map<Long, Boolean> files = new ConcurrentHashMap<>();
    private final Map<String, Set<Long>> formats = new ConcurrentHashMap<>();

    /// @param folder where files are remembered
    Suspects(Optional<Path> folder) {
        store = folder.map(found -> found.resolve(NAME));
        store.filter(Files::exists).ifPresent(this::read);
    }

    private void read(Path file) {
        try {
            ByteBuffer keys = ByteBuffer.wrap(Files.readAllBytes(file));
            if (keys.remaining() > MOST_FILES * Long.BYTES) {
                Files.delete(file);
                return;
            }
            while (keys.remaining() >= Long.BYTES) {
                files.put(keys.getLong(), true);
            }
        } catch (IOException unreadable) {
            throw new UncheckedIOException("cannot read " + file + "; delete it", unreadable);
        }
    }

    /// What tells one file from another: its length, its beginning and its end.
    public static long key(MemorySegment file) {
        long length = file.byteSize();
        long hash = length;
        long words = Math.min(length, SAMPLED) / Long.BYTES * Long.BYTES;
        for (long at = 0; at < words; at += Long.BYTES) {
            hash = mix(hash, file.get(ValueLayout.JAVA_LONG_UNALIGNED, at));
            hash = mix(hash, file.get(ValueLayout.JAVA_LONG_UNALIGNED, length - Long.BYTES - at));
        }
        for (long at = words; at < Math.min(length, words + Long.BYTES - 1); at++) {
            hash = mix(hash, file.get(ValueLayout.JAVA_BYTE, at));
        }
        return hash == 0 ? 1 : hash;
    }

    private static long mix(long hash, long value) {
        return Long.rotateLeft((hash ^ value) * 0x9E3779B97F4A7C15L, 29);
    }

    /// Whether there is reason to decode a file in a helper.
    public boolean contains(String format, long key) {
        return !files.isEmpty()
                && (files.containsKey(key)
                        || formats.getOrDefault(format, Set.of()).size() >= FILES_OF_A_FORMAT);
    }

    /// Adds a file of which it is not known whether it is to blame.
    void add(long key) {
        if (files.size() >= MOST_FILES || files.put(key, true) != null) {
            return;
        }
        store.ifPresent(file -> {
            byte[] bytes = ByteBuffer.allocate(Long.BYTES).putLong(key).array();
            try {
                Files.write(file, bytes, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            } catch (IOException unwritable) {
                // It is remembered for as long as this process lives.
            }
        });
    }

    /// Adds a file that did crash or overrun.
    public void convict(String format, long key) {
        add(key);
        formats.compute(format, (same, known) -> {
            Set<Long> keys = known == null ? new HashSet<>() : new HashSet<>(known);
            if (keys.size() < FILES_OF_A_FORMAT) {
                keys.add(key);
            }
            return keys;
        });
    }
}
