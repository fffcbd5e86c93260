package org.jspdl.data.cache;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/// The bytes of an entry, opened to be sent; they can be read even if the entry is evicted meanwhile. Its checksum is
/// not compared here but by whom they are sent to. One thread; closed by whoever opened it.
///
/// @param start    where the bytes begin in the file
/// @param length   how many there are
/// @param checksum CRC-32C of the version and of them
record CachedPiece(FileChannel file, long start, long length, int checksum) implements Closeable {
    private static final int CHUNK = 64 << 10;

    /// Writes all bytes to `target`.
    ///
    /// @throws EOFException if the file has become shorter
    void send(OutputStream target) throws IOException {
        ByteBuffer chunk = ByteBuffer.allocate((int) Math.min(CHUNK, length));
        for (long at = 0; at < length; at += chunk.position()) {
            chunk.clear().limit((int) Math.min(chunk.capacity(), length - at));
            if (file.read(chunk, start + at) <= 0) {
                throw new EOFException("the entry became shorter");
            }
            target.write(chunk.array(), 0, chunk.position());
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
