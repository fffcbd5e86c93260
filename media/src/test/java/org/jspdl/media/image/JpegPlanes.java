package org.jspdl.media.image;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.jspdl.input.DecodeException;
import org.jspdl.media.internal.codec.DecodeMode;
import org.jspdl.media.internal.codec.ImageCodec;
import org.jspdl.media.internal.codec.JpegCodec;
import org.jspdl.media.internal.codec.Region;
import org.jspdl.media.internal.header.ImageHeader;
import org.jspdl.media.internal.header.ImageHeaders;
import org.jspdl.media.internal.resample.Picture;
import org.jspecify.annotations.Nullable;

/// What a codec makes of a JPEG file: the planes, or why it refuses the file.
///
/// @param model   what the planes are
/// @param planes  the samples of each, row by row; undefined outside of the part that was asked for
/// @param widths  of the planes
/// @param refusal why there are none; empty if there are
record JpegPlanes(Picture.Model model, byte[][] planes, int[] widths, String refusal) {
    private static final int BLOCK = 8;
    private static final int GRAY = 128;
    private static final int MOST_NARROW = 2;

    static final DecodeMode KEPT = new DecodeMode(false, true, false);

    static JpegPlanes of(ImageCodec codec, byte[] file, int reduce, DecodeMode mode) {
        return of(codec, file, reduce, mode, null);
    }

    /// @param part the part to be decoded; null for all of the picture
    static JpegPlanes of(ImageCodec codec, byte[] file, int reduce, DecodeMode mode, @Nullable Region part) {
        try (Arena arena = Arena.ofConfined()) {
            return of(codec, TestFiles.toNative(file, arena), reduce, mode, part);
        }
    }

    /// The same of a file in memory that the caller chooses.
    static JpegPlanes of(ImageCodec codec, MemorySegment bytes, int reduce, DecodeMode mode, @Nullable Region part) {
        try {
            ImageHeader header = new ImageHeader();
            ImageHeaders.read(bytes, header);
            if ((long) header.width * header.height > 4_000_000) {
                throw DecodeException.because("too large for a test");
            }
            Picture picture = new Picture();
            Region wanted = part == null ? Region.whole(header.width, header.height) : part;
            codec.decode(bytes, header, reduce, wanted, mode, picture);
            int count = picture.model().planes();
            byte[][] planes = new byte[count][];
            int[] widths = new int[count];
            for (int p = 0; p < count; p++) {
                Picture.Plane plane = picture.plane(p);
                ByteArrayOutputStream samples = new ByteArrayOutputStream();
                for (int y = 0; y < plane.height(); y++) {
                    samples.writeBytes(
                            plane.memory().asSlice(plane.row(y), plane.width()).toArray(ValueLayout.JAVA_BYTE));
                }
                planes[p] = samples.toByteArray();
                widths[p] = plane.width();
            }
            return new JpegPlanes(picture.model(), planes, widths, "");
        } catch (DecodeException refused) {
            return new JpegPlanes(Picture.Model.GRAY, new byte[0][], new int[0], String.valueOf(refused.getMessage()));
        }
    }

    /// Leaves the samples of another picture in the memory of a codec.
    static void poison(ImageCodec codec, MemorySegment picture) {
        ImageHeader header = new ImageHeader();
        ImageHeaders.read(picture, header);
        Region whole = Region.whole(header.width, header.height);
        codec.decode(picture, header, 1, whole, DecodeMode.STRICT, new Picture());
    }

    /// Where these planes differ from others within a part of the picture; empty if nowhere.
    ///
    /// @param part   at full size; of each plane the samples that it touches are compared
    /// @param reduce samples of the picture to one of the planes; chroma may be half of that
    String differenceWithin(Region part, int reduce, JpegPlanes other) {
        if (!refusal.equals(other.refusal) || model != other.model || planes.length != other.planes.length) {
            return this + " and " + other;
        }
        for (int p = 0; p < planes.length; p++) {
            int rows = planes[p].length / widths[p];
            int across = widths[p] < widths[0] ? 2 * reduce : reduce;
            int down = rows < planes[0].length / widths[0] ? 2 * reduce : reduce;
            int from = part.left() / across;
            int to = Math.min(widths[p], Math.ceilDiv(part.right(), across));
            int last = Math.min(rows, Math.ceilDiv(part.bottom(), down));
            for (int y = part.top() / down; y < last; y++) {
                int row = y * widths[p];
                int at = Arrays.mismatch(planes[p], row + from, row + to, other.planes[p], row + from, row + to);
                if (at >= 0) {
                    return String.format("plane %d, sample %d of row %d", p, from + at, y);
                }
            }
        }
        return "";
    }

    boolean isRefused() {
        return !refusal.isEmpty();
    }

    /// Where these planes differ from others; empty if nowhere.
    String difference(JpegPlanes other) {
        if (!refusal.equals(other.refusal) || model != other.model || planes.length != other.planes.length) {
            return this + " and " + other;
        }
        for (int p = 0; p < planes.length; p++) {
            byte[] samples = planes[p];
            byte[] others = other.inSizeOf(this, p);
            int at = Arrays.mismatch(samples, others);
            if (at >= 0) {
                return String.format(
                        "plane %d, sample %d of row %d: %d and %d",
                        p,
                        at % widths[p],
                        at / widths[p],
                        samples[Math.min(at, samples.length - 1)] & 0xFF,
                        others[Math.min(at, others.length - 1)] & 0xFF);
            }
        }
        return "";
    }

    /// The samples of plane `p`, each repeated as often as it takes for the size of that of `larger`: a decoder may
    /// give chroma of so few columns that libjpeg does not interpolate them at the full size.
    byte[] inSizeOf(JpegPlanes larger, int p) {
        int width = larger.widths[p];
        int height = larger.planes[p].length / width;
        if (larger.planes[p].length <= planes[p].length || widths[p] > MOST_NARROW) {
            return planes[p];
        }
        int across = times(width, widths[p]);
        int down = times(height, planes[p].length / widths[p]);
        byte[] enlarged = new byte[width * height];
        for (int i = 0; i < enlarged.length; i++) {
            enlarged[i] = planes[p][i / width / down * widths[p] + i % width / across];
        }
        return enlarged;
    }

    private static int times(int large, int small) {
        int times = 1;
        while ((large + times - 1) / times > small) {
            times *= 2;
        }
        return times;
    }

    /// Where these planes differ from others in a block without a sample that is 0 or 255; empty if nowhere. In
    /// other blocks coefficients may have been beyond what an encoder makes, for which each decoder has its own
    /// arithmetic. Blocks that are gray here do not count: of an interval whose restart marker is lost, TurboJPEG
    /// makes a unit of zero bits.
    String differenceInRange(JpegPlanes other) {
        return differenceInRange(other, this);
    }

    /// The same, where `stored` are these planes with the samples beyond the picture that fill up its last blocks,
    /// which tell of coefficients beyond range, too.
    String differenceInRange(JpegPlanes other, JpegPlanes stored) {
        for (int p = 0; p < planes.length; p++) {
            int width = widths[p];
            int height = planes[p].length / width;
            byte[] others = other.inSizeOf(this, p);
            for (int top = 0; top < height; top += BLOCK) {
                for (int left = 0; left < width; left += BLOCK) {
                    boolean differs = false;
                    boolean gray = true;
                    for (int y = top; y < Math.min(top + BLOCK, height); y++) {
                        for (int x = left; x < Math.min(left + BLOCK, width); x++) {
                            int sample = planes[p][y * width + x] & 0xFF;
                            gray &= sample == GRAY;
                            differs |= sample != (others[y * width + x] & 0xFF);
                        }
                    }
                    if (differs && !gray && !stored.isClamped(p, left, top)) {
                        return String.format("plane %d, block at %d of row %d", p, left, top);
                    }
                }
            }
        }
        return "";
    }

    /// Whether a sample of a block is 0 or 255.
    private boolean isClamped(int p, int left, int top) {
        int width = widths[p];
        int bottom = Math.min(top + BLOCK, planes[p].length / width);
        for (int y = top; y < bottom; y++) {
            for (int x = left; x < Math.min(left + BLOCK, width); x++) {
                int sample = planes[p][y * width + x] & 0xFF;
                if (sample == 0 || sample == 255) {
                    return true;
                }
            }
        }
        return false;
    }

    /// These planes of the decoder in Java with the samples that fill up their last blocks; others as they are.
    static JpegPlanes stored(JpegCodec codec, byte[] file, DecodeMode mode) {
        JpegPlanes planes = of(codec, file, 1, mode);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment bytes = TestFiles.toNative(file, arena);
            ImageHeader header = new ImageHeader();
            ImageHeaders.read(bytes, header);
            Picture picture = new Picture();
            codec.decode(bytes, header, 1, Region.whole(header.width, header.height), mode, picture);
            byte[][] stored = new byte[planes.planes.length][];
            int[] widths = new int[stored.length];
            for (int p = 0; p < stored.length; p++) {
                Picture.Plane plane = picture.plane(p);
                widths[p] = Math.ceilDiv(plane.width(), BLOCK) * BLOCK;
                int rows = Math.ceilDiv(plane.height(), BLOCK) * BLOCK;
                if (plane.row(1) - plane.row(0) < widths[p]) {
                    return planes; // enlarged: there is nothing beyond the picture
                }
                stored[p] = new byte[widths[p] * rows];
                for (int y = 0; y < rows; y++) {
                    MemorySegment.copy(
                            plane.memory(), ValueLayout.JAVA_BYTE, plane.row(y), stored[p], y * widths[p], widths[p]);
                }
            }
            return new JpegPlanes(planes.model, stored, widths, "");
        }
    }

    @Override
    public String toString() {
        return isRefused() ? "refused: " + refusal : model + " of " + Arrays.toString(widths);
    }
}
