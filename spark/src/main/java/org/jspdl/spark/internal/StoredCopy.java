package org.jspdl.spark.internal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;
import org.jspdl.data.storage.StoredObject;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Lease;

/// Copies of objects on a local disk.
public final class StoredCopy {
    private static final int PART = 16 << 20;

    private StoredCopy() {}

    /// Makes `to`, which is not there, of an object.
    public static void fetch(Storage storage, Location from, Path to) throws IOException {
        try (StoredObject object = storage.object(from);
                BufferPool pool = BufferPool.unbounded("copies of shards");
                FileChannel file = FileChannel.open(to, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            long size = object.size();
            for (long at = 0; at < size; at += PART) {
                try (Lease part = object.read(at, Math.min(PART, size - at), pool)) {
                    ByteBuffer bytes = part.segment().asByteBuffer();
                    while (bytes.hasRemaining()) {
                        file.write(bytes);
                    }
                }
            }
        }
    }
}
