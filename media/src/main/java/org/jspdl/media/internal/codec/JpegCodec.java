package org.jspdl.media.internal.codec;

import java.lang.foreign.MemorySegment;
import org.jspdl.input.DecodeException;
import org.jspdl.media.internal.header.ImageHeader;
import org.jspdl.media.internal.jpeg.JpegColors;
import org.jspdl.media.internal.jpeg.JpegDecoder;
import org.jspdl.media.internal.jpeg.parallel.BandedDecoder;
import org.jspdl.media.internal.lifetime.SharedWork;
import org.jspdl.media.internal.natives.Scratch;
import org.jspdl.media.internal.resample.Picture;
import org.jspdl.media.internal.resample.Picture.Model;
import org.jspdl.media.internal.resample.Upsampling;

/// JPEG by the decoder in Java: planes as they are stored where they can be resampled so, else at full size.
public final class JpegCodec implements ImageCodec {
    private static final int ALIGNMENT = 64;
    /// As far as interpolated samples reach, in samples of a plane.
    private static final int REACH = 1;

    private final JpegDecoder decoder = new JpegDecoder();
    private final BandedDecoder bands;
    private final Scratch planes = new Scratch();
    private final Scratch pixels = new Scratch();
    private final JpegPlane[] stored = {new JpegPlane(), new JpegPlane(), new JpegPlane(), new JpegPlane()};

    /// A codec that decodes each picture by the calling thread alone.
    public JpegCodec() {
        this(SharedWork.alone());
    }

    /// A codec of which large pictures are decoded with the help of others.
    ///
    /// @param work owned by the caller
    public JpegCodec(SharedWork work) {
        this(work, BandedDecoder.FEWEST_PIXELS);
    }

    /// @param fewestPixels of the rows that are wanted: fewer are decoded by one thread
    public JpegCodec(SharedWork work, long fewestPixels) {
        this.bands = new BandedDecoder(decoder, work, fewestPixels);
    }

    @Override
    public void decode(
            MemorySegment encoded, ImageHeader header, int reduce, Region part, DecodeMode mode, Picture into) {
        decoder.open(encoded, mode.keepsDamaged(), reduce);
        if (decoder.width() != header.width || decoder.height() != header.height) {
            throw DecodeException.because("JPEG has two frame headers, of " + header.width + " x " + header.height
                    + " and " + decoder.width() + " x " + decoder.height() + " pixels");
        }
        int width = ceiling(decoder.width(), reduce);
        int height = ceiling(decoder.height(), reduce);
        MemorySegment memory = place(width, height);
        if (isResampledAsStored()) {
            bands.decode(memory, part.left(), part.top(), part.right(), part.bottom());
            Model model = switch (decoder.colors()) {
                case GRAY -> Model.GRAY;
                case RGB -> Model.RGB;
                case YCBCR, CMYK, YCCK -> Model.YCBCR;
            };
            JpegPlane last = stored[decoder.planes() - 1];
            Upsampling across = Upsampling.acrossOfJpeg(last.across, last.width);
            into.begin(width, height, model, across, Upsampling.downOfJpeg(last.down, across));
            for (int p = 0; p < decoder.planes(); p++) {
                JpegPlane plane = stored[p];
                into.plane(p).set(memory, plane.origin, plane.stride, plane.width, plane.height);
            }
        } else {
            decodeToPixels(memory, width, height, reduce, part, into);
        }
    }

    /// Reads the header of what [#decodePlanes] is to decode.
    void open(MemorySegment encoded, boolean keepsDamaged) {
        decoder.open(encoded, keepsDamaged, 1);
    }

    /// Decodes every sample at the full size; colors stay what they are in the file.
    ///
    /// @return planes of [#width] x [#height] bytes, one after the other, valid until the next call
    MemorySegment decodePlanes() {
        MemorySegment memory = place(decoder.width(), decoder.height());
        return fullPlanes(
                memory, decoder.width(), decoder.height(), 1, Region.whole(decoder.width(), decoder.height()));
    }

    int width() {
        return decoder.width();
    }

    int height() {
        return decoder.height();
    }

    int planes() {
        return decoder.planes();
    }

    /// Whether a resampler can take the planes as they are.
    private boolean isResampledAsStored() {
        if (decoder.colors() == JpegColors.CMYK || decoder.colors() == JpegColors.YCCK) {
            return false;
        }
        JpegPlane first = stored[0];
        JpegPlane last = stored[decoder.planes() - 1];
        boolean whole = first.across == 1 && first.down == 1;
        boolean alike = decoder.planes() == 1 || (stored[1].across == last.across && stored[1].down == last.down);
        boolean usual = (last.across <= 2 && last.down <= 2)
                || (last.across == 4 && last.down == 1)
                || (last.across == 1 && last.down == 4);
        boolean plain = decoder.colors() != JpegColors.RGB || (last.across == 1 && last.down == 1);
        return whole && alike && usual && plain;
    }

    /// Makes room for the planes.
    private MemorySegment place(int width, int height) {
        long needed = 0;
        for (int p = 0; p < decoder.planes(); p++) {
            int mostAcross = decoder.mostAcross();
            int mostDown = decoder.mostDown();
            if (mostAcross % decoder.across(p) != 0 || mostDown % decoder.down(p) != 0) {
                throw DecodeException.because(String.format(
                        "JPEG: component %d is sampled %d x %d times where others are sampled %d x %d times",
                        p, decoder.across(p), decoder.down(p), mostAcross, mostDown));
            }
            int stride = (decoder.storedWidth(p) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
            JpegPlane plane = stored[p];
            plane.across = mostAcross / decoder.across(p);
            plane.down = mostDown / decoder.down(p);
            plane.width = ceiling(width, plane.across);
            plane.height = ceiling(height, plane.down);
            plane.origin = (int) needed;
            plane.stride = stride;
            decoder.place(p, (int) needed, stride);
            needed += (long) stride * decoder.storedHeight(p);
            if (needed > Integer.MAX_VALUE) {
                throw DecodeException.because(String.format(
                        "JPEG of %d x %d pixels: its planes take more than 2 GiB", decoder.width(), decoder.height()));
            }
        }
        return planes.atLeast(needed);
    }

    private MemorySegment fullPlanes(MemorySegment memory, int width, int height, int reduce, Region part) {
        int beyondX = REACH * decoder.mostAcross() * reduce;
        int beyondY = REACH * decoder.mostDown() * reduce;
        bands.decode(
                memory,
                Math.max(0, part.left() - beyondX),
                Math.max(0, part.top() - beyondY),
                Math.min(decoder.width(), part.right() + beyondX),
                Math.min(decoder.height(), part.bottom() + beyondY));
        Region seen = seen(width, height, reduce, part);
        long size = (long) width * height;
        MemorySegment full = pixels.atLeast(size * decoder.planes());
        for (int p = 0; p < decoder.planes(); p++) {
            stored[p].enlarge(memory, full.asSlice(p * size, size), width, seen);
        }
        return full;
    }

    private static Region seen(int width, int height, int reduce, Region part) {
        return new Region(
                part.left() / reduce,
                part.top() / reduce,
                Math.min(width, ceiling(part.right(), reduce)),
                Math.min(height, ceiling(part.bottom(), reduce)));
    }

    /// Enlarges planes to the full size as libjpeg does it, and makes red, green and blue of inks.
    private void decodeToPixels(MemorySegment memory, int width, int height, int reduce, Region part, Picture into) {
        MemorySegment full = fullPlanes(memory, width, height, reduce, part);
        long size = (long) width * height;
        if (decoder.planes() == 4) {
            JpegInks.toRgb(full, size, width, seen(width, height, reduce, part), decoder.colors() == JpegColors.YCCK);
        }
        Model model = decoder.colors() == JpegColors.YCBCR ? Model.YCBCR : Model.RGB;
        into.begin(width, height, model, Upsampling.NONE, Upsampling.NONE);
        for (int p = 0; p < 3; p++) {
            into.plane(p).set(full, p * size, width, width, height);
        }
    }

    private static int ceiling(int value, int divisor) {
        return (value + divisor - 1) / divisor;
    }

    @Override
    public void close() {
        bands.close();
        decoder.close();
        planes.close();
        pixels.close();
    }
}
