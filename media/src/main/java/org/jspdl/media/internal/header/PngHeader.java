package org.jspdl.media.internal.header;

import java.lang.foreign.MemorySegment;
import org.jspdl.input.DecodeException;

/// Reads the header chunk of a PNG file, that of EXIF wherever it is, and that of transparency before the pixels.
final class PngHeader {
    private PngHeader() {}

    static void read(MemorySegment bytes, ImageHeader header) {
        if (!HeaderBytes.is(bytes, 12, "IHDR")) {
            throw DecodeException.because("the first chunk is not IHDR");
        }
        int colors = HeaderBytes.u8(bytes, 25);
        int channels = switch (colors) {
            case 0 -> 1;
            case 2, 3 -> 3;
            case 4 -> 2;
            case 6 -> 4;
            default -> throw DecodeException.because("unknown color type " + colors);
        };
        header.size(
                HeaderBytes.be32(bytes, 16),
                HeaderBytes.be32(bytes, 20),
                channels,
                colors == 3 ? 8 : HeaderBytes.u8(bytes, 24));
        boolean pixels = false;
        long at = 8;
        while (at >= 8 && at + 12 <= bytes.byteSize()) {
            long length = HeaderBytes.be32(bytes, at) & 0xFFFFFFFFL;
            pixels |= HeaderBytes.is(bytes, at + 4, "IDAT");
            if (HeaderBytes.is(bytes, at + 4, "eXIf")) {
                header.orientation = Exif.orientation(bytes, at + 8, at + 8 + length);
            }
            if (!pixels && colors == 0 && header.bitDepth < 8 && HeaderBytes.is(bytes, at + 4, "tRNS")) {
                int most = (1 << header.bitDepth) - 1;
                header.transparentGray = (HeaderBytes.be16(bytes, at + 8) & most) * 255 / most;
            }
            at += 12 + length;
        }
    }
}
