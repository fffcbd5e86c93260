package org.jspdl.media.internal.header;

import java.lang.foreign.MemorySegment;
import org.jspdl.input.DecodeException;

/// Reads the first chunk of a WebP file: lossy, lossless or extended.
final class WebpHeader {
    private static final int ANIMATED = 2;
    private static final int FRAME_HEADER = 16;

    private WebpHeader() {}

    static void read(MemorySegment bytes, ImageHeader header) {
        if (HeaderBytes.is(bytes, 12, "VP8 ")) {
            header.size(HeaderBytes.le16(bytes, 26) & 0x3FFF, HeaderBytes.le16(bytes, 28) & 0x3FFF, 3, 8);
        } else if (HeaderBytes.is(bytes, 12, "VP8L")) {
            int bits = HeaderBytes.le32(bytes, 21);
            header.size((bits & 0x3FFF) + 1, ((bits >>> 14) & 0x3FFF) + 1, ((bits >>> 28) & 1) == 1 ? 4 : 3, 8);
        } else if (HeaderBytes.is(bytes, 12, "VP8X")) {
            header.size(
                    HeaderBytes.le24(bytes, 24) + 1,
                    HeaderBytes.le24(bytes, 27) + 1,
                    (HeaderBytes.u8(bytes, 20) & 0x10) == 0 ? 3 : 4,
                    8);
            exif(bytes, header);
            if ((HeaderBytes.u8(bytes, 20) & ANIMATED) != 0) {
                firstPicture(bytes, header);
            }
        } else {
            throw DecodeException.because("the first chunk is neither VP8, VP8L nor VP8X");
        }
    }

    /// Finds the first picture of an animation, which lies anywhere on the canvas.
    private static void firstPicture(MemorySegment bytes, ImageHeader header) {
        long at = 12;
        while (!HeaderBytes.is(bytes, at, "ANMF")) {
            if (at < 12 || at + 8 > bytes.byteSize()) {
                throw DecodeException.because("the animation has no picture");
            }
            long length = HeaderBytes.le32(bytes, at + 4) & 0xFFFFFFFFL;
            at += 8 + length + (length & 1);
        }
        int width = HeaderBytes.le24(bytes, at + 14) + 1;
        int height = HeaderBytes.le24(bytes, at + 17) + 1;
        int left = 2 * HeaderBytes.le24(bytes, at + 8);
        int top = 2 * HeaderBytes.le24(bytes, at + 11);
        if (width > header.width - left || height > header.height - top) {
            throw DecodeException.because(String.format(
                    "the animation is of %d x %d pixels but its first picture of %d x %d at %d, %d",
                    header.width, header.height, width, height, left, top));
        }
        if (width < header.width || height < header.height) {
            header.place = new ImageHeader.Place(left, top, width, height);
        }
        long length = (HeaderBytes.le32(bytes, at + 4) & 0xFFFFFFFFL) - FRAME_HEADER;
        if (length <= 0 || length > bytes.byteSize() - at - 8 - FRAME_HEADER) {
            throw DecodeException.because("the animation's first picture is not all there");
        }
        header.picture = new ImageHeader.Part(at + 8 + FRAME_HEADER, length);
    }

    private static void exif(MemorySegment bytes, ImageHeader header) {
        long at = 12;
        while (at + 8 <= bytes.byteSize()) {
            long length = HeaderBytes.le32(bytes, at + 4) & 0xFFFFFFFFL;
            if (HeaderBytes.is(bytes, at, "EXIF")) {
                long start = HeaderBytes.is(bytes, at + 8, "Exif\0\0") ? at + 14 : at + 8;
                header.orientation = Exif.orientation(bytes, start, at + 8 + length);
                return;
            }
            at += 8 + length + (length & 1);
        }
    }
}
