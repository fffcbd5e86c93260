package org.jspdl.media.image;

import java.lang.foreign.MemorySegment;
import org.jspdl.input.DecodeException;

/// Reads the header chunk of a PNG file, and its EXIF chunk if that comes before the pixels.
final class PngHeader {
    private PngHeader() {}

    static void read(MemorySegment bytes, Header header) {
        if (!Bytes.is(bytes, 12, "IHDR")) {
            throw DecodeException.because("the first chunk is not IHDR");
        }
        int colours = Bytes.u8(bytes, 25);
        int channels = switch (colours) {
            case 0 -> 1;
            case 2, 3 -> 3;
            case 4 -> 2;
            case 6 -> 4;
            default -> throw DecodeException.because("unknown colour type " + colours);
        };
        header.size(Bytes.be32(bytes, 16), Bytes.be32(bytes, 20), channels, colours == 3 ? 8 : Bytes.u8(bytes, 24));
        long at = 8;
        while (at >= 8 && at + 12 <= bytes.byteSize() && !Bytes.is(bytes, at + 4, "IDAT")) {
            long length = Bytes.be32(bytes, at) & 0xFFFFFFFFL;
            if (Bytes.is(bytes, at + 4, "eXIf")) {
                header.orientation = Exif.orientation(bytes, at + 8, at + 8 + length);
            }
            at += 12 + length;
        }
    }
}
