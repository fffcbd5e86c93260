package org.jspdl.media.image;

import java.lang.foreign.MemorySegment;
import org.jspdl.media.internal.natives.Scratch;
import org.jspdl.media.internal.resample.Picture;
import org.jspdl.media.internal.resample.Resampler;
import org.jspdl.media.internal.resample.Target;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Tensor;
import org.jspecify.annotations.Nullable;

/// Everything that one decoding call needs to itself: codec handles, native scratch, tables. Used by one thread at a
/// time.
final class DecodeContext implements AutoCloseable {
    private static final int FRAMES = 64;

    private final ImageSpec spec;
    private final Codecs codecs;
    private final Header header = new Header();
    private final Picture picture = new Picture();
    private final Resampler resampler = new Resampler();
    private final Scratch input = new Scratch();
    private final Scratch bytes = new Scratch();
    private final ElementWriter elements;
    private final @Nullable KnownFrame[] frames = new KnownFrame[FRAMES];

    /// A frame worked out before, for pictures of one size.
    private record KnownFrame(int width, int height, int reduce, long byteSize, Frame frame) {}

    DecodeContext(ImageSpec spec, JpegBackend backend) {
        this.spec = spec;
        this.codecs = new Codecs(backend);
        this.elements = new ElementWriter(spec.pixels());
    }

    /// Reads the header of `encoded` and checks it against the limits.
    Header open(MemorySegment encoded) {
        Headers.read(encoded, header);
        long pixels = (long) header.width * header.height;
        if (pixels > spec.decoding().maxPixels()) {
            throw DecodeException.because(String.format(
                    "%s of %d x %d pixels: %,d are more than the limit of %,d",
                    header.format.label(),
                    header.width,
                    header.height,
                    pixels,
                    spec.decoding().maxPixels()));
        }
        return header;
    }

    /// Decodes an image whose header was just read by [#open] into `row`.
    void decode(MemorySegment encoded, MemorySegment row) {
        KnownFrame known = frame(header.width, header.height);
        Placement placement = known.frame().placement();
        long needed = known.byteSize();
        if (row.byteSize() != needed) {
            throw new IllegalArgumentException("the image becomes " + placement.width() + " x " + placement.height()
                    + " pixels in " + needed + " bytes but the row has " + row.byteSize());
        }
        MemorySegment data = encoded.isNative() ? encoded : toNative(encoded);
        codecs.of(header.format)
                .decode(data, header, known.reduce(), spec.decoding().quality(), picture);
        boolean direct = spec.pixels().type() == ElementType.UINT8;
        Target target = known.frame().target();
        MemorySegment destination = direct ? row : bytes.atLeast(target.byteSize());
        if (!known.frame().covers()) {
            destination.asSlice(0, target.byteSize()).fill((byte) 0);
        }
        if (!known.frame().isEmpty()) {
            resampler.run(picture, known.frame().x(), known.frame().y(), filter(), target, destination);
        }
        if (!direct) {
            elements.write(destination, (long) placement.width() * placement.height(), row);
        }
    }

    private KnownFrame frame(int width, int height) {
        int slot = ((width * 31 + height) * 0x9E3779B9) >>> 26;
        KnownFrame known = frames[slot];
        if (known == null || known.width != width || known.height != height) {
            Placement placement = spec.place(width, height);
            int reduce = reduction(placement);
            known = new KnownFrame(
                    width,
                    height,
                    reduce,
                    Tensor.byteSize(spec.pixels().type(), spec.shapeOf(width, height)),
                    Frame.of(placement, reduce, width, height, spec.pixels().layout() == Layout.NHWC, channels()));
            frames[slot] = known;
        }
        return known;
    }

    /// How far the codec may reduce the picture itself: to no less than `margin` source pixels for one of the output.
    private int reduction(Placement placement) {
        if (header.format != ImageFormat.JPEG || spec.decoding().quality() == Quality.EXACT) {
            return 1;
        }
        double margin = spec.decoding().quality() == Quality.FASTEST ? 1 : 2;
        double ratio = Math.min(
                (double) placement.boxWidth() / placement.scaledWidth(),
                (double) placement.boxHeight() / placement.scaledHeight());
        int reduce = 8;
        while (reduce > 1 && ratio / reduce < margin) {
            reduce /= 2;
        }
        return reduce;
    }

    private Target.Channels channels() {
        return switch (spec.pixels().channels()) {
            case RGB -> Target.Channels.RGB;
            case BGR -> Target.Channels.BGR;
            case GREY -> Target.Channels.GREY;
        };
    }

    private org.jspdl.media.internal.resample.Filter filter() {
        return switch (spec.decoding().interpolation()) {
            case AREA -> org.jspdl.media.internal.resample.Filter.AREA;
            case BILINEAR -> org.jspdl.media.internal.resample.Filter.BILINEAR;
            case BICUBIC -> org.jspdl.media.internal.resample.Filter.BICUBIC;
        };
    }

    private MemorySegment toNative(MemorySegment encoded) {
        MemorySegment copy = input.atLeast(encoded.byteSize()).asSlice(0, encoded.byteSize());
        return copy.copyFrom(encoded);
    }

    @Override
    public void close() {
        codecs.close();
        input.close();
        bytes.close();
    }
}
