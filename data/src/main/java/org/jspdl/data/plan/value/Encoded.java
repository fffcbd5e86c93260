package org.jspdl.data.plan.value;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.function.Function;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.ObjectVersion;
import org.jspdl.data.storage.Storage;
import org.jspdl.data.storage.StoredObject;
import org.jspdl.media.stream.MediaSource;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Lease;

/// The bytes of a file that a field holds: in memory already, or in a storage.
public sealed interface Encoded {
    /// No file is larger.
    long MOST_BYTES = 4L << 30;

    /// Bytes of a shard, whose memory belongs to the sample.
    record InMemory(MemorySegment bytes) implements Encoded {}

    /// A file, not read yet.
    ///
    /// @param version that it must have, as [ObjectVersion#hash] tells it
    record InFile(Storage storage, Location location, long version) implements Encoded {
        /// The whole file.
        ///
        /// @throws StorageException also if it is of another version
        public Lease readAll(BufferPool pool) throws IOException {
            return ObjectVersion.readAll(storage, location, pool, MOST_BYTES, version);
        }

        private void requireVersion() throws IOException {
            if (version != ObjectVersion.UNKNOWN) {
                try (StoredObject object = storage.object(location)) {
                    ObjectVersion.require(object, version);
                }
            }
        }
    }

    /// What `use` makes of the bytes, which it sees for as long as it runs.
    ///
    /// @param pool what they are read into, if they have to be
    default <T> T read(BufferPool pool, Reading<T> use) throws Exception {
        return switch (this) {
            case InMemory(MemorySegment bytes) -> use.of(bytes);
            case InFile file -> {
                try (Lease lease = file.readAll(pool)) {
                    yield use.of(lease.segment());
                }
            }
        };
    }

    /// As [#read], for media, which are read in parts where that is possible.
    default <T> T open(BufferPool pool, String name, Function<MediaSource, T> use) throws Exception {
        if (this instanceof InFile file && !file.location().isRemote()) {
            T made;
            try {
                made = use.apply(MediaSource.of(file.location().path()));
            } catch (RuntimeException failed) {
                file.requireVersion(); // what has changed is no broken sample
                throw failed;
            }
            try {
                file.requireVersion();
                return made;
            } catch (Throwable other) {
                if (made instanceof AutoCloseable resource) {
                    resource.close();
                }
                throw other;
            }
        }
        return read(pool, bytes -> use.apply(MediaSource.of(bytes, name)));
    }

    /// The bytes as text.
    ///
    /// @throws IOException if they are not UTF-8
    default String text(BufferPool pool) throws Exception {
        byte[] bytes = read(pool, segment -> segment.toArray(ValueLayout.JAVA_BYTE));
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException notText) {
            throw new IOException("the bytes are not UTF-8", notText);
        }
    }

    /// Makes something of bytes.
    @FunctionalInterface
    interface Reading<T> {
        /// What becomes of `bytes`, which are gone afterwards.
        T of(MemorySegment bytes) throws Exception;
    }
}
