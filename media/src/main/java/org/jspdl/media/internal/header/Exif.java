package org.jspdl.media.internal.header;

import java.lang.foreign.MemorySegment;

/// Finds the orientation in EXIF data, which is a small TIFF file inside of another file.
final class Exif {
    private static final int ORIENTATION = 0x0112;
    /// Types of values, of which the orientation should have that of 16 bits; some writers take others.
    private static final int BYTE = 1;
    private static final int LONG = 4;

    private Exif() {}

    /// The orientation in the TIFF structure between `start` and `end`; 1 if there is none or the data makes no
    /// sense.
    static int orientation(MemorySegment bytes, long start, long end) {
        long limit = Math.min(end, bytes.byteSize());
        if (limit - start < 8 || !(HeaderBytes.is(bytes, start, "II*\0") || HeaderBytes.is(bytes, start, "MM\0*"))) {
            return 1;
        }
        boolean little = HeaderBytes.is(bytes, start, "II");
        long directory = start + (number32(bytes, start + 4, little) & 0xFFFFFFFFL);
        if (directory + 2 > limit) {
            return 1;
        }
        int entries = number16(bytes, directory, little);
        for (int i = 0; i < entries; i++) {
            long entry = directory + 2 + 12L * i;
            if (entry + 12 > limit) {
                return 1;
            }
            if (number16(bytes, entry, little) == ORIENTATION) {
                int value = switch (number16(bytes, entry + 2, little)) {
                    case BYTE -> HeaderBytes.u8(bytes, entry + 8);
                    case LONG -> number32(bytes, entry + 8, little);
                    default -> number16(bytes, entry + 8, little);
                };
                return value >= 1 && value <= 8 ? value : 1;
            }
        }
        return 1;
    }

    static int number16(MemorySegment bytes, long at, boolean little) {
        return little ? HeaderBytes.le16(bytes, at) : HeaderBytes.be16(bytes, at);
    }

    static int number32(MemorySegment bytes, long at, boolean little) {
        return little ? HeaderBytes.le32(bytes, at) : HeaderBytes.be32(bytes, at);
    }
}
