package org.jspdl.media.image;

import java.lang.foreign.MemorySegment;

/// Reads the first directory of a TIFF file.
final class TiffHeader {
    private TiffHeader() {}

    static void read(MemorySegment bytes, Header header) {
        boolean little = Bytes.is(bytes, 0, "II");
        long directory = Exif.number32(bytes, 4, little) & 0xFFFFFFFFL;
        int entries = Exif.number16(bytes, directory, little);
        int width = 0;
        int height = 0;
        int channels = 1;
        int depth = 1;
        for (int i = 0; i < entries; i++) {
            long entry = directory + 2 + 12L * i;
            int tag = Exif.number16(bytes, entry, little);
            int value = Exif.number16(bytes, entry + 2, little) == 3
                    ? Exif.number16(bytes, entry + 8, little)
                    : Exif.number32(bytes, entry + 8, little);
            switch (tag) {
                case 0x100 -> width = value;
                case 0x101 -> height = value;
                case 0x102 -> depth = depth(bytes, entry, value, little);
                case 0x115 -> channels = value;
                default -> {}
            }
        }
        header.size(width, height, Math.clamp(channels, 1, 4), depth);
        header.orientation = Exif.orientation(bytes, 0, bytes.byteSize());
    }

    /// Bits of the first channel: more than two numbers are kept elsewhere in the file.
    private static int depth(MemorySegment bytes, long entry, int value, boolean little) {
        return Exif.number32(bytes, entry + 4, little) <= 2
                ? value
                : Exif.number16(bytes, Exif.number32(bytes, entry + 8, little) & 0xFFFFFFFFL, little);
    }
}
