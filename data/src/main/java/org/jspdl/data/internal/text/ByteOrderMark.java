package org.jspdl.data.internal.text;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// The bytes that some programs begin a text in UTF-8 with.
public final class ByteOrderMark {
    private static final MemorySegment MARK = MemorySegment.ofArray(new byte[] {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF});

    private ByteOrderMark() {}

    /// How many bytes of `text` are such a mark: 3 or none.
    public static int length(MemorySegment text) {
        return text.byteSize() >= MARK.byteSize()
                        && text.asSlice(0, MARK.byteSize()).mismatch(MARK) < 0
                ? (int) MARK.byteSize()
                : 0;
    }

    /// The same of bytes.
    public static int length(byte[] text) {
        return length(MemorySegment.ofArray(text));
    }
}
