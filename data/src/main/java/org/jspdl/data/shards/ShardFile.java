package org.jspdl.data.shards;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;
import org.jspdl.data.storage.StoredObject;
import org.jspdl.memory.BufferPool;

/// A shard that is not open yet: where it lies, and how it is to be read. Owns nothing.
///
/// @param storage  holds it
/// @param location where it lies there
/// @param options  how it is read
/// @param pool     what samples are put into
public record ShardFile(Storage storage, Location location, ShardOptions options, BufferPool pool) {

    /// What it is called in messages, samples and checkpoints.
    public String shown() {
        return location.toString();
    }

    /// Its content from byte `offset` on, read ahead if it is remote; the caller closes it.
    public SeekableByteChannel open(long offset) throws IOException {
        StoredObject object = storage.object(location);
        try {
            SeekableByteChannel channel = location.isRemote()
                    ? new ReadAheadChannel(object, options.readAheadBytes(), pool)
                    : new ObjectChannel(object);
            return channel.position(offset);
        } catch (Throwable failure) {
            object.close();
            throw failure;
        }
    }

    /// Its content from the beginning, decompressed if its name says that it is compressed; the caller closes it.
    public InputStream decompressed() throws IOException {
        if (location.endsWith(".zst", ".zstd")) {
            return new ZstdFile(this);
        }
        return location.endsWith(".gz", ".tgz") ? GzipInput.open(this) : Channels.newInputStream(open(0));
    }
}
