package org.jspdl.data.storage;

/// Some bytes of an object: `length` of them, from `offset` on.
public record ByteRange(long offset, long length) {

    /// @throws IllegalArgumentException if the range is empty or begins before the object
    public ByteRange {
        if (offset < 0 || length < 1 || offset > Long.MAX_VALUE - length) {
            throw new IllegalArgumentException("a range must have an offset of at least 0 and at least 1 byte, but was "
                    + length + " bytes at " + offset);
        }
    }

    /// The first byte after the range.
    public long end() {
        return offset + length;
    }
}
