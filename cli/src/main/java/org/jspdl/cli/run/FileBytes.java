package org.jspdl.cli.run;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Lease;

/// Reads whole files into pooled memory outside the heap.
///
/// @param pool       where the bytes go
/// @param limitBytes the largest file that is read
record FileBytes(BufferPool pool, long limitBytes) {

    /// The content of `file`, owned by the caller.
    ///
    /// @throws IOException if it cannot be read, is empty, or larger than the limit
    Lease read(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            long size = channel.size();
            if (size == 0) {
                throw new IOException("the file is empty");
            }
            if (size > limitBytes) {
                throw new IOException(String.format(
                        Locale.ROOT, "the file has %,d bytes, more than the %,d allowed", size, limitBytes));
            }
            Lease lease = pool.lease(size);
            try {
                fill(lease.segment().asByteBuffer(), channel, size);
                return lease;
            } catch (Throwable failure) {
                lease.close();
                throw failure;
            }
        }
    }

    private static void fill(ByteBuffer buffer, FileChannel channel, long size) throws IOException {
        while (buffer.hasRemaining()) {
            if (channel.read(buffer) < 0) {
                throw new IOException(String.format(
                        Locale.ROOT,
                        "the file ended after %,d of %,d bytes; it shrank while it was read",
                        buffer.position(),
                        size));
            }
        }
    }
}
