package org.jspdl.data.shards;

import io.airlift.compress.v3.MalformedInputException;
import io.airlift.compress.v3.zstd.ZstdNativeDecompressor;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Locale;
import org.jspdl.data.storage.StoredObject;
import org.jspdl.input.FormatException;
import org.jspdl.memory.Lease;

/// A file compressed with Zstandard, decompressed as a whole when it is opened.
///
/// The native decompressor has no streaming. A frame tells its size unless it was written to a pipe; then memory is
/// enlarged until it suffices, up to [ShardOptions#largestSample].
final class ZstdFile extends InputStream {
    private static final long LARGEST = Integer.MAX_VALUE - 64L;
    private static final long FIRST_GUESS = 8;
    /// What the library says where there is more, as in further frames.
    private static final String TOO_SMALL = "too small";

    private final Lease content;
    private final long size;
    private long at;

    private record Content(Lease lease, long size) {}

    ZstdFile(ShardFile file) throws IOException {
        Content decompressed = decompress(file);
        this.content = decompressed.lease;
        this.size = decompressed.size;
    }

    private static Content decompress(ShardFile file) throws IOException {
        try (StoredObject object = file.object();
                Lease compressed = object.readAll(file.pool(), LARGEST)) {
            long most = Math.min(LARGEST, file.options().largestSample());
            long known = knownSize(compressed.segment());
            long room = known >= 0 ? known : Math.min(most, FIRST_GUESS * compressed.byteSize());
            if (known > most) {
                file.options().within(0, known, "what the file decompresses to");
            }
            for (; ; ) {
                Lease lease = file.pool().lease(room);
                try {
                    return new Content(
                            lease, new ZstdNativeDecompressor().decompress(compressed.segment(), lease.segment()));
                } catch (MalformedInputException | IllegalArgumentException failed) {
                    lease.close();
                    boolean isSmall = String.valueOf(failed.getMessage()).contains(TOO_SMALL);
                    if (!isSmall || room >= Math.min(most, 4096 * compressed.byteSize())) {
                        throw FormatException.because(String.format(
                                        Locale.ROOT,
                                        "zstd: the file is corrupt, or takes more than the %,d bytes that"
                                                + " ShardOptions.largestSample and a limit of 2 GiB allow: %s",
                                        most,
                                        failed.getMessage()))
                                .withSource(file.shown());
                    }
                    room = Math.min(most, 4 * Math.max(room, 64));
                } catch (Throwable failure) {
                    lease.close();
                    throw failure;
                }
            }
        }
    }

    /// What the first frame says; -1 if it says nothing. More frames may follow.
    private static long knownSize(MemorySegment compressed) {
        byte[] head = compressed.asSlice(0, Math.min(32, compressed.byteSize())).toArray(ValueLayout.JAVA_BYTE);
        try {
            long size = new ZstdNativeDecompressor().getDecompressedSize(head, 0, head.length);
            return size > LARGEST || size > 100_000 * compressed.byteSize() ? -1 : size;
        } catch (MalformedInputException | IllegalArgumentException unknown) {
            return -1;
        }
    }

    @Override
    public int read() {
        return at == size ? -1 : content.segment().get(ValueLayout.JAVA_BYTE, at++) & 0xFF;
    }

    @Override
    public int read(byte[] target, int from, int length) {
        int n = (int) Math.min(length, size - at);
        if (n <= 0) {
            return length == 0 ? 0 : -1;
        }
        MemorySegment.copy(content.segment(), ValueLayout.JAVA_BYTE, at, target, from, n);
        at += n;
        return n;
    }

    @Override
    public void close() {
        content.close();
    }
}
