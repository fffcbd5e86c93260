package org.jspdl.media.image;

import java.lang.foreign.MemorySegment;

/// Reads the first chunk of a WebP file: lossy, lossless or extended.
final class WebpHeader {
    private WebpHeader() {}

    static void read(MemorySegment bytes, Header header) {
        if (Bytes.is(bytes, 12, "VP8 ")) {
            header.size(Bytes.le16(bytes, 26) & 0x3FFF, Bytes.le16(bytes, 28) & 0x3FFF, 3, 8);
        } else if (Bytes.is(bytes, 12, "VP8L")) {
            int bits = Bytes.le32(bytes, 21);
            header.size((bits & 0x3FFF) + 1, ((bits >>> 14) & 0x3FFF) + 1, ((bits >>> 28) & 1) == 1 ? 4 : 3, 8);
        } else if (Bytes.is(bytes, 12, "VP8X")) {
            header.size(
                    Bytes.le24(bytes, 24) + 1, Bytes.le24(bytes, 27) + 1, (Bytes.u8(bytes, 20) & 0x10) == 0 ? 3 : 4, 8);
            exif(bytes, header);
        } else {
            throw DecodeException.because("the first chunk is neither VP8, VP8L nor VP8X");
        }
    }

    private static void exif(MemorySegment bytes, Header header) {
        long at = 12;
        while (at + 8 <= bytes.byteSize()) {
            long length = Bytes.le32(bytes, at + 4) & 0xFFFFFFFFL;
            if (Bytes.is(bytes, at, "EXIF")) {
                long start = Bytes.is(bytes, at + 8, "Exif\0\0") ? at + 14 : at + 8;
                header.orientation = Exif.orientation(bytes, start, at + 8 + length);
            }
            at += 8 + length + (length & 1);
        }
    }
}
