package org.jspdl.media.internal.header;

import java.lang.foreign.MemorySegment;

/// Reads the first directory of a TIFF file.
final class TiffHeader {
    private TiffHeader() {}

    static void read(MemorySegment bytes, ImageHeader header) {
        TiffDirectory directory = new TiffDirectory(bytes);
        header.size(
                clamp(directory.value(TiffDirectory.WIDTH, 0)),
                clamp(directory.value(TiffDirectory.HEIGHT, 0)),
                Math.clamp(directory.value(TiffDirectory.SAMPLES, 1), 1, 4),
                clamp(directory.value(TiffDirectory.BITS, 1)));
        header.orientation = Exif.orientation(bytes, 0, bytes.byteSize());
    }

    private static int clamp(long value) {
        return (int) Math.min(value, Integer.MAX_VALUE);
    }
}
