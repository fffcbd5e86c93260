package org.jspdl.data.shards;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.jspdl.input.FormatException;

/// The content of a gzipped shard. What is damaged is a [FormatException].
public final class GzipInput extends InputStream {
    private static final int BUFFER = 1 << 16;
    private static final byte[] MAGIC = {0x1f, (byte) 0x8b, 8};

    private final InputStream content;

    private GzipInput(InputStream content) {
        this.content = content;
    }

    /// Opens a shard from its beginning.
    public static GzipInput open(ShardFile file) throws IOException {
        return over(file.open(0), file);
    }

    /// Reads from `channel`, which it owns from here.
    public static GzipInput over(SeekableByteChannel channel, ShardFile file) throws IOException {
        try {
            return new GzipInput(
                    new GZIPInputStream(new BufferedInputStream(Channels.newInputStream(channel), BUFFER), BUFFER));
        } catch (ZipException | EOFException noGzip) {
            channel.close();
            throw broken(noGzip).withSource(file.shown());
        } catch (Throwable failure) {
            channel.close();
            throw failure;
        }
    }

    /// Whether the channel, which is at its beginning and stays there, begins as gzip does.
    public static boolean begins(SeekableByteChannel channel) throws IOException {
        ByteBuffer head = ByteBuffer.allocate(MAGIC.length);
        while (head.hasRemaining() && channel.read(head) > 0) {
            // until they are read
        }
        channel.position(0);
        return head.flip().equals(ByteBuffer.wrap(MAGIC));
    }

    private static FormatException broken(IOException cause) {
        return FormatException.because("gzip: the file is truncated or corrupt: " + cause.getMessage());
    }

    @Override
    public int read() throws IOException {
        try {
            return content.read();
        } catch (ZipException | EOFException damaged) {
            throw broken(damaged);
        }
    }

    @Override
    public int read(byte[] target, int from, int length) throws IOException {
        try {
            return content.read(target, from, length);
        } catch (ZipException | EOFException damaged) {
            throw broken(damaged);
        }
    }

    @Override
    public void close() throws IOException {
        content.close();
    }
}
