package org.jspdl.data.shards.arrow;

import io.airlift.compress.v3.MalformedInputException;
import io.airlift.compress.v3.zstd.ZstdNativeDecompressor;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.jspdl.data.shards.ShardFile;
import org.jspdl.data.storage.StoredObject;
import org.jspdl.input.FormatException;
import org.jspdl.memory.Lease;

/// The buffers of a batch, read and decompressed when a column asks for them. Owns their memory.
final class ArrowBody implements AutoCloseable {
    private static final int BUFFER = 16;
    private static final int LZ4 = 0;
    private static final int ZSTD = 1;
    private static final int NOT_COMPRESSED = -1;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final MemorySegment NOTHING = MemorySegment.ofArray(new byte[0]);

    private final StoredObject object;
    private final ShardFile file;
    private final ArrowMessage message;
    private final FlatTable batch;
    private final int codec;
    private final List<Lease> leases = new ArrayList<>();
    private long taken;

    ArrowBody(StoredObject object, ShardFile file, ArrowMessage message) {
        this.object = object;
        this.file = file;
        this.message = message;
        this.batch = message.batch();
        FlatTable compression = batch.table(3);
        this.codec = compression == null ? NOT_COMPRESSED : compression.small(0);
        if (codec > ZSTD) {
            throw FormatException.because("Arrow: the buffers are compressed by the method " + codec
                    + ", which is not known; LZ4 and Zstandard are");
        }
    }

    FlatTable batch() {
        return batch;
    }

    ArrowMessage message() {
        return message;
    }

    /// The content of a buffer.
    ///
    /// @throws FormatException if it does not lie in the body, or the batch takes more than a sample may
    MemorySegment buffer(int number) throws IOException {
        if (number >= batch.count(2)) {
            throw FormatException.because("Arrow: a batch has fewer buffers than its columns need");
        }
        long offset = batch.within(2, number, BUFFER, 0);
        long length = batch.within(2, number, BUFFER, Long.BYTES);
        if (length == 0) {
            return NOTHING;
        }
        if (offset < 0 || length < 0 || offset > message.bodyLength() - length) {
            throw FormatException.because(String.format(
                    "Arrow: a buffer of %,d bytes at %,d lies outside of its body of %,d",
                    length, offset, message.bodyLength()));
        }
        Lease stored = object.read(message.body() + offset, length, file.pool());
        leases.add(stored);
        return codec == NOT_COMPRESSED ? stored.segment() : decompressed(stored.segment());
    }

    private MemorySegment decompressed(MemorySegment stored) {
        if (stored.byteSize() < Long.BYTES) {
            throw FormatException.because("Arrow: a compressed buffer has " + stored.byteSize() + " bytes");
        }
        long size = stored.get(LONG, 0);
        MemorySegment content = stored.asSlice(Long.BYTES);
        if (size == NOT_COMPRESSED) {
            return content;
        }
        if (size < 0) {
            throw FormatException.because("Arrow: a buffer claims " + size + " bytes");
        }
        if (size == 0) {
            return NOTHING;
        }
        taken = file.options().within(taken, size, "a batch of Arrow");
        Lease lease = file.pool().lease(size);
        leases.add(lease);
        if (codec == LZ4) {
            Lz4Frame.decompress(content, lease.segment());
            return lease.segment();
        }
        try {
            if (new ZstdNativeDecompressor().decompress(content, lease.segment()) == size) {
                return lease.segment();
            }
        } catch (MalformedInputException | IllegalArgumentException damaged) {
            throw FormatException.because("Arrow: a buffer is damaged: " + damaged.getMessage());
        }
        throw FormatException.because("Arrow: a buffer holds less than the " + size + " bytes that it claims");
    }

    @Override
    public void close() {
        leases.forEach(Lease::close);
        leases.clear();
    }
}
