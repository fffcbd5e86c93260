package org.jspdl.data.shards;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.SeekableByteChannel;
import org.jspdl.data.storage.StoredObject;

/// A stored object as a channel: each read is a read of the object. Owns the object. Used by one thread at a time.
class ObjectChannel implements SeekableByteChannel {
    final StoredObject object;
    private final long size;
    private long position;
    private volatile boolean open = true;

    /// @param size how far the object is read
    ObjectChannel(StoredObject object, long size) {
        this.object = object;
        this.size = size;
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        if (!open) {
            throw new ClosedChannelException();
        }
        if (position >= size) {
            return -1;
        }
        int n = (int) Math.min(target.remaining(), size - position);
        fill(position, MemorySegment.ofBuffer(target).asSlice(0, n));
        target.position(target.position() + n);
        position += n;
        return n;
    }

    /// Fills `target`, which lies within the object, from byte `offset` on.
    void fill(long offset, MemorySegment target) throws IOException {
        object.read(offset, target);
    }

    @Override
    public long position() {
        return position;
    }

    @Override
    public SeekableByteChannel position(long newPosition) {
        if (newPosition < 0) {
            throw new IllegalArgumentException("position must not be negative but was " + newPosition);
        }
        position = newPosition;
        return this;
    }

    @Override
    public long size() {
        return size;
    }

    @Override
    public int write(ByteBuffer source) {
        throw new NonWritableChannelException();
    }

    @Override
    public SeekableByteChannel truncate(long newSize) {
        throw new NonWritableChannelException();
    }

    @Override
    public boolean isOpen() {
        return open;
    }

    @Override
    public void close() throws IOException {
        open = false;
        object.close();
    }
}
