package org.jspdl.media.stream;

import java.io.EOFException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Memory read as a stream, of which parts can be taken where they lie.
final class SegmentInput extends InputStream {
    private final MemorySegment bytes;
    private long position;

    SegmentInput(MemorySegment bytes) {
        this.bytes = bytes;
    }

    @Override
    public int read() {
        return position == bytes.byteSize() ? -1 : bytes.get(ValueLayout.JAVA_BYTE, position++) & 0xFF;
    }

    @Override
    public int read(byte[] into, int offset, int length) {
        if (length > 0 && position == bytes.byteSize()) {
            return -1;
        }
        int count = (int) Math.min(length, bytes.byteSize() - position);
        MemorySegment.copy(bytes, ValueLayout.JAVA_BYTE, position, into, offset, count);
        position += count;
        return count;
    }

    /// The next `length` bytes, where they lie.
    MemorySegment take(int length) throws EOFException {
        if (length > bytes.byteSize() - position) {
            throw new EOFException(
                    "the packets end after " + (bytes.byteSize() - position) + " of " + length + " bytes");
        }
        MemorySegment part = bytes.asSlice(position, length);
        position += length;
        return part;
    }
}
