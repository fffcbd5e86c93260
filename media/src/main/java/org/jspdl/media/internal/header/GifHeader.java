package org.jspdl.media.internal.header;

import java.lang.foreign.MemorySegment;
import org.jspdl.input.DecodeException;

/// Reads the screen size of a GIF file, and walks its blocks to the end of the first picture, because FFmpeg's decoder
/// takes a picture that was cut off for a whole one.
final class GifHeader {
    private static final int EXTENSION = 0x21;
    private static final int PICTURE = 0x2C;

    private GifHeader() {}

    static void read(MemorySegment bytes, ImageHeader header) {
        header.size(HeaderBytes.le16(bytes, 6), HeaderBytes.le16(bytes, 8), 3, 8);
        long at = 13 + colorTableBytes(HeaderBytes.u8(bytes, 10));
        for (; ; ) {
            int block = HeaderBytes.u8(bytes, at);
            switch (block) {
                case EXTENSION -> at = skipSubBlocks(bytes, at + 2);
                case PICTURE -> {
                    skipSubBlocks(bytes, at + 11 + colorTableBytes(HeaderBytes.u8(bytes, at + 9)));
                    return;
                }
                default -> throw DecodeException.at(at, String.format("no block begins with 0x%02X", block));
            }
        }
    }

    private static long colorTableBytes(int flags) {
        return (flags & 0x80) == 0 ? 0 : 3L << ((flags & 7) + 1);
    }

    private static long skipSubBlocks(MemorySegment bytes, long at) {
        long next = at;
        for (int length = HeaderBytes.u8(bytes, next); length > 0; length = HeaderBytes.u8(bytes, next)) {
            next += length + 1;
        }
        return next + 1;
    }
}
