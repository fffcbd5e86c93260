package org.jspdl.media.internal.pixels;

import org.jspdl.media.frame.Frame;
import org.jspdl.media.internal.ffmpeg.AvNames;

/// Where the chroma samples of a frame lie, and its planes from a pixel on.
///
/// A part of a picture may begin between two samples. Where chroma has planes of its own, the part's planes then begin
/// at the next sample inside of what is read, and libswscale is told how far that is from the first pixel.
final class ChromaGrid {
    /// libswscale's way to say that chroma lies in the middle of the pixels that it belongs to.
    static final int CENTERED = -513;

    /// A pixel in libswscale's unit of chroma positions.
    private static final int PIXEL = 256;
    /// Pixels of formats of bits that begin at a whole byte.
    private static final int PIXELS_IN_BYTES = 8;

    private final Frame frame;
    private final AvNames.Pixels pixels;
    private final boolean separate;

    private ChromaGrid(Frame frame, AvNames.Pixels pixels) {
        this.frame = frame;
        this.pixels = pixels;
        this.separate = pixels.isPlanar() || frame.stride(1) != 0;
    }

    static ChromaGrid of(Frame frame, AvNames.Pixels pixels) {
        return new ChromaGrid(frame, pixels);
    }

    /// How many columns lie between `x` and the pixel before from which planes can begin.
    int columnsBefore(int x) {
        if (pixels.isBitstream()) {
            return x % PIXELS_IN_BYTES;
        }
        if (pixels.log2ChromaW() > 1 && !pixels.isPlanar()) {
            return x; // pixels in groups of uneven bytes
        }
        return x & mask(pixels.log2ChromaW());
    }

    /// How many rows lie between `y` and the row before from which planes can begin.
    int rowsBefore(int y) {
        return y & mask(pixels.log2ChromaH());
    }

    /// How many columns lie between `end` and the next one at which chroma samples end, as far as there is memory.
    int columnsAfter(int end) {
        int more = -end & (1 << pixels.log2ChromaW()) - 1;
        return end + more <= frame.width() || (pixels.isPlanar() && hasRoom(end + more)) ? more : 0;
    }

    /// How many rows lie between `end` and the next one at which chroma samples end, as far as the picture goes.
    int rowsAfter(int end) {
        int more = -end & (1 << pixels.log2ChromaH()) - 1;
        return end + more <= frame.height() ? more : 0;
    }

    private int mask(int log2) {
        return pixels.isBayer() ? 1 : (1 << log2) - 1;
    }

    /// Whether a part that is resized can begin at any pixel.
    boolean canBeginAnywhere() {
        return separate && pixels.log2ChromaW() <= 1 && pixels.log2ChromaH() <= 1 && !pixels.isBayer();
    }

    /// The first chroma sample of a part of `size` pixels from `begin` on, such that no sample beyond the picture
    /// is read: the one before for an uneven number of pixels, which need it, and else the one after.
    private static int first(int begin, int size, int log2) {
        int pixels = 1 << log2;
        return size % pixels == 0 ? (begin + pixels - 1) >> log2 : begin >> log2;
    }

    /// Where the first chroma sample of a part lies across.
    int across(int x, int width) {
        int log2 = pixels.isRgb() ? 0 : pixels.log2ChromaW();
        return position(
                x,
                width,
                log2,
                switch (frame.chromaLocation()) {
                    case 1, 3, 5 -> 0; // left, top left, bottom left
                    default -> CENTERED;
                });
    }

    /// Where the first chroma sample of a part lies down.
    int down(int y, int height) {
        int log2 = pixels.isRgb() ? 0 : pixels.log2ChromaH();
        return position(
                y,
                height,
                log2,
                switch (frame.chromaLocation()) {
                    case 3, 4 -> 0; // top left, top
                    case 5, 6 -> ((1 << log2) - 1) * PIXEL; // bottom left, bottom
                    default -> CENTERED;
                });
    }

    private static int position(int begin, int size, int log2, int inside) {
        if (log2 == 0) {
            return CENTERED;
        }
        int offset = (first(begin, size, log2) << log2) - begin;
        int known = inside == CENTERED ? ((1 << log2) - 1) * PIXEL / 2 : inside;
        return offset == 0 ? inside : known + offset * PIXEL;
    }

    /// Whether the lines of all planes have memory for `width` pixels.
    boolean hasRoom(int width) {
        int bytes = (pixels.depth() + 7) / 8;
        int chroma = -(-width >> pixels.log2ChromaW()) * bytes;
        return frame.stride(0) >= width * bytes
                && (frame.stride(2) == 0
                        ? frame.stride(1) >= 2 * chroma
                        : frame.stride(1) >= chroma && frame.stride(2) >= chroma);
    }

    /// Gives the planes of a part to `scaler`.
    void give(PictureScaler scaler, int x, int y, int width, int height) {
        for (int p = 0; p < 4; p++) {
            int stride = frame.stride(p);
            boolean chroma = (p == 1 || p == 2) && !pixels.isRgb();
            long row = chroma ? first(y, height, pixels.log2ChromaH()) : y;
            long column = chroma ? first(x, width, pixels.log2ChromaW()) : x;
            // Chroma that is interleaved in one plane has two samples a step.
            int step = chroma && frame.stride(2) == 0 ? 2 * ((pixels.depth() + 7) / 8) : pixels.step();
            long bytes = pixels.isBitstream() ? column * step / PIXELS_IN_BYTES : column * step;
            // A palette is a plane without lines.
            scaler.source(p, frame.planeAddress(p) + (stride == 0 ? 0 : row * stride + bytes), stride);
        }
    }
}
