package org.jspdl.data.shards;

import java.io.FilterInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import org.jspdl.archive.GzipStream;
import org.jspdl.input.FormatException;

/// The content of a gzipped shard, as [GzipStream] gives it. What is damaged is a [FormatException].
public final class GzipInput extends FilterInputStream {
    private static final byte[] MAGIC = {0x1f, (byte) 0x8b, 8};

    private GzipInput(GzipStream content) {
        super(content);
    }

    /// Opens a shard from its beginning.
    public static GzipInput open(ShardFile file) throws IOException {
        return over(file.open(0), file);
    }

    /// Reads from `channel`, which it owns from here.
    public static GzipInput over(SeekableByteChannel channel, ShardFile file) throws IOException {
        try {
            return new GzipInput(GzipStream.over(Channels.newInputStream(channel)));
        } catch (FormatException noGzip) {
            throw noGzip.withSource(file.shown());
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
}
