package org.jspdl.device;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspdl.memory.SlabProvider;

/// Pinned chunks through which memory that is not pinned is copied: while the device reads one, the next is filled.
///
/// Made when first needed. Used by one thread at a time.
final class Staging implements AutoCloseable {
    static final int CHUNKS = 4;
    static final long CHUNK_BYTES = 4 << 20;

    private final Device device;
    private final ArrayDeque<Chunk> ring = new ArrayDeque<>(CHUNKS);

    /// @param slab pinned memory
    /// @param read set behind the copy from it
    private record Chunk(SlabProvider.Slab slab, DeviceEvent read) {}

    Staging(Device device) {
        this.device = device;
    }

    /// Queues the copy of `from`, which is free for other use when this returns.
    void copy(MemorySegment from, long to, DeviceStream stream) {
        for (long at = 0; at < from.byteSize(); at += CHUNK_BYTES) {
            long length = Math.min(CHUNK_BYTES, from.byteSize() - at);
            Chunk chunk = next();
            MemorySegment pinned = chunk.slab().segment().asSlice(0, length);
            pinned.copyFrom(from.asSlice(at, length));
            stream.copyToDevice(pinned, to + at);
            chunk.read().record(stream.handle());
        }
    }

    /// The chunk that was used longest ago, when its copy has ended.
    private Chunk next() {
        if (ring.size() < CHUNKS) {
            ring.addLast(create());
            return ring.getLast();
        }
        Chunk oldest = ring.removeFirst();
        ring.addLast(oldest);
        oldest.read().await();
        return oldest;
    }

    private Chunk create() {
        DeviceEvent read = device.newEvent();
        try {
            return new Chunk(device.pinnedSlabs().allocate(CHUNK_BYTES), read);
        } catch (Throwable failure) {
            read.close();
            throw failure;
        }
    }

    /// Frees the chunks after the last copy.
    @Override
    public void close() {
        List<Chunk> chunks = new ArrayList<>(ring);
        ring.clear();
        DeviceTransfer.forAll(chunks, chunk -> {
            try (DeviceEvent read = chunk.read()) {
                read.await();
            } finally {
                chunk.slab().release().run();
            }
        });
    }
}
