package org.jspdl.media.internal.header;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspdl.input.DecodeException;

/// Reads numbers of an encoded image; reading beyond its end is a [DecodeException].
final class HeaderBytes {
    private HeaderBytes() {}

    static int u8(MemorySegment bytes, long at) {
        if (at < 0 || at >= bytes.byteSize()) {
            throw DecodeException.at(bytes.byteSize(), "the data ends too early");
        }
        return bytes.get(ValueLayout.JAVA_BYTE, at) & 0xFF;
    }

    static int be16(MemorySegment bytes, long at) {
        return (u8(bytes, at) << 8) | u8(bytes, at + 1);
    }

    static int le16(MemorySegment bytes, long at) {
        return u8(bytes, at) | (u8(bytes, at + 1) << 8);
    }

    static int le24(MemorySegment bytes, long at) {
        return le16(bytes, at) | (u8(bytes, at + 2) << 16);
    }

    static int be32(MemorySegment bytes, long at) {
        return (be16(bytes, at) << 16) | be16(bytes, at + 2);
    }

    static int le32(MemorySegment bytes, long at) {
        return le16(bytes, at) | (le16(bytes, at + 2) << 16);
    }

    /// Whether the bytes from `at` on are the characters of `text`.
    static boolean is(MemorySegment bytes, long at, String text) {
        if (at < 0 || bytes.byteSize() - at < text.length()) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            if ((bytes.get(ValueLayout.JAVA_BYTE, at + i) & 0xFF) != text.charAt(i)) {
                return false;
            }
        }
        return true;
    }
}
