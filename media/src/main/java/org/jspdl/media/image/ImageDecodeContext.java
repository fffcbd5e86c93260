package org.jspdl.media.image;

import java.lang.foreign.MemorySegment;
import jdk.jfr.FlightRecorder;
import org.jspdl.files.MappedInput;
import org.jspdl.input.DecodeException;
import org.jspdl.media.ImageFormat;
import org.jspdl.media.internal.codec.CodecIsolation;
import org.jspdl.media.internal.codec.DecodeMode;
import org.jspdl.media.internal.codec.ImageCodecs;
import org.jspdl.media.internal.header.ImageHeader;
import org.jspdl.media.internal.header.ImageHeaders;
import org.jspdl.media.internal.header.JpegHeader;
import org.jspdl.media.internal.lifetime.LargePictures;
import org.jspdl.media.internal.lifetime.SharedWork;
import org.jspdl.media.internal.natives.Scratch;
import org.jspdl.media.internal.resample.Alpha;
import org.jspdl.media.internal.resample.HighBitDepthPicture;
import org.jspdl.media.internal.resample.HighBitDepthResampler;
import org.jspdl.media.internal.resample.HighBitDepthResampler.AlphaUse;
import org.jspdl.media.internal.resample.Picture;
import org.jspdl.media.internal.resample.PixelTranspose;
import org.jspdl.media.internal.resample.Precision;
import org.jspdl.media.internal.resample.ResampleTarget;
import org.jspdl.media.internal.resample.Resampler;
import org.jspdl.memory.ElementType;
import org.jspecify.annotations.Nullable;

/// Everything that one decoding call needs to itself: codec handles, native scratch, tables. Used by one thread at a
/// time.
final class ImageDecodeContext implements AutoCloseable {
    private static final int FRAMES = 64;
    /// JPEG pictures of which only the DC coefficients are kept.
    private static final int MOST_REDUCED = 8;

    private final ImageSpec spec;
    private final LargePictures largePictures;
    private final ImageCodecs codecs;
    private final DecodeMode mode;
    private final boolean reducesJpeg;
    private final ImageHeader header = new ImageHeader();
    private final Picture picture = new Picture();
    private final Resampler resampler = new Resampler();
    private final Scratch input = new Scratch();
    private final Scratch bytes = new Scratch();
    private final Scratch turned = new Scratch();
    private final HighBitDepthPicture highBitDepthPicture = new HighBitDepthPicture();
    private final HighBitDepthResampler highBitDepthResampler = new HighBitDepthResampler();
    private final ElementWriter elements;
    private boolean wasLarge;
    private final @Nullable KnownPlan[] frames = new KnownPlan[FRAMES];

    /// A frame worked out before, for pictures of one size, one orientation, and a codec that reduces them or not.
    private record KnownPlan(int width, int height, int way, ResamplePlan frame) {}

    ImageDecodeContext(
            ImageSpec spec,
            JpegBackend backend,
            CodecIsolation isolation,
            LargePictures largePictures,
            SharedWork work) {
        this.largePictures = largePictures;
        this.spec = spec;
        this.codecs = new ImageCodecs(backend == JpegBackend.BEST, JpegBackends.toDecode(backend), isolation, work);
        this.mode = spec.decodeMode();
        this.reducesJpeg = backend != JpegBackend.FFMPEG && spec.decoding().quality() != Quality.EXACT;
        this.elements = new ElementWriter(spec.pixels());
    }

    /// Reads the header of `file` and checks it against the limits; what to decode, a copy of a file that is
    /// mapped.
    MemorySegment open(MemorySegment file) {
        MemorySegment encoded = file.isMapped() ? toNative(file) : file;
        ImageHeaders.read(encoded, header);
        long pixels = header.mostPixels();
        if (pixels > spec.decoding().maxPixels()) {
            throw DecodeException.because(String.format(
                    "%s of %d x %d pixels: %,d are more than the limit of %,d",
                    header.format.label(),
                    header.width,
                    header.height,
                    pixels,
                    spec.decoding().maxPixels()));
        }
        return encoded;
    }

    /// The width of the image that was just opened, as it is seen: upright if that was asked for.
    int width() {
        return Orientation.transposes(exif()) ? header.height : header.width;
    }

    /// The height of the image that was just opened, as it is seen.
    int height() {
        return Orientation.transposes(exif()) ? header.width : header.height;
    }

    private int exif() {
        return spec.decoding().orientation() == Orientation.UPRIGHT ? header.orientation : 1;
    }

    /// Whether the codec may decode the picture at a part of its size.
    private boolean reduces() {
        return header.format == ImageFormat.JPEG && reducesJpeg;
    }

    /// Decodes the image that was just opened into `row`, placed where nothing is left to chance.
    void decode(MemorySegment encoded, MemorySegment row) {
        int way = 2 * exif() + (reduces() ? 1 : 0);
        int slot = (((width() * 31 + height()) * 31 + way) * 0x9E3779B9) >>> 26;
        KnownPlan known = frames[slot];
        if (known == null || known.width != header.width || known.height != header.height || known.way != way) {
            known = new KnownPlan(header.width, header.height, way, frame(spec.place(width(), height())));
            frames[slot] = known;
        }
        decode(encoded, row, known.frame, ColorChange.NONE);
    }

    /// Decodes the image that was just opened into `row`, transformed as told.
    void decode(MemorySegment encoded, MemorySegment row, ImageTransform transform) {
        transform.placement().check(width(), height());
        decode(encoded, row, frame(transform.placement()), transform.colors());
    }

    private void decode(MemorySegment encoded, MemorySegment row, ResamplePlan frame, ColorChange colors) {
        if (FlightRecorder.isInitialized()) {
            ImageDecodeEvent.around(this, encoded, row, () -> decodeInTurn(encoded, row, frame, colors));
        } else {
            decodeInTurn(encoded, row, frame, colors);
        }
    }

    private void decodeInTurn(MemorySegment encoded, MemorySegment row, ResamplePlan frame, ColorChange colors) {
        boolean keeps = header.format == ImageFormat.JPEG && frame.reduce() < MOST_REDUCED;
        long bytes = LargePictures.bytes(header.widest(), header.highest(), header.bitDepth, frame.reduce())
                + (keeps ? LargePictures.coefficientBytes(JpegHeader.keptCoefficients(encoded, header)) : 0);
        try {
            if (bytes <= LargePictures.SMALL) {
                decodeQuietly(encoded, row, frame, colors);
            } else {
                wasLarge = true;
                largePictures.run(bytes, () -> decodeQuietly(encoded, row, frame, colors));
            }
        } finally {
            codecs.release();
        }
    }

    /// Whether it decoded a large picture, so that its memory is to be freed rather than kept.
    boolean wasLarge() {
        return wasLarge;
    }

    private void decodeQuietly(MemorySegment encoded, MemorySegment row, ResamplePlan frame, ColorChange colors) {
        ImagePlacement placement = frame.placement();
        long pixels = (long) placement.width() * placement.height();
        long needed =
                pixels * spec.pixels().channels().count() * spec.pixels().type().byteSize();
        if (row.byteSize() != needed) {
            throw new IllegalArgumentException("the image becomes " + placement.width() + " x " + placement.height()
                    + " pixels in " + needed + " bytes but the row has " + row.byteSize());
        }
        MemorySegment data = encoded.isNative() ? encoded : toNative(encoded);
        boolean deep = header.bitDepth > 8 && header.format != ImageFormat.JPEG;
        if (deep && spec.isHighBitDepth() && colors.isNone()) {
            decodeHighBitDepth(data, frame, row);
            return;
        }
        codecs.of(header.format).decode(data, header, frame.reduce(), frame.part(), mode, picture);
        boolean direct = spec.pixels().type() == ElementType.UINT8;
        MemorySegment image = direct ? row : bytes.atLeast(needed);
        if (!frame.covers()) {
            image.asSlice(0, pixels * spec.pixels().channels().count()).fill((byte) 0);
        }
        if (!frame.isEmpty()) {
            boolean divides = multiplyAlpha(placement);
            MemorySegment target =
                    frame.transposed() ? turned.atLeast(frame.target().byteSize()) : image;
            resampler.run(picture, frame.x(), frame.y(), filter(), precision(), frame.target(), target);
            if (frame.transposed()) {
                PixelTranspose.copy(
                        target,
                        frame.target(),
                        image,
                        placement.width(),
                        placement.height(),
                        frame.left(),
                        frame.top());
            }
            if (divides) {
                boolean interleaved = spec.pixels().layout() == Layout.NHWC;
                Alpha.divide(image, pixels, interleaved ? 4 : 1, interleaved ? 1 : pixels);
            }
        }
        if (!colors.isNone()) {
            ColorChanger.apply(colors, image, pixels, spec.pixels());
        }
        if (!direct) {
            elements.write(image, pixels, row);
        }
    }

    /// Makes the elements of `row` of the bytes of an image.
    void convert(MemorySegment image, MemorySegment row) {
        elements.write(image, image.byteSize() / spec.pixels().channels().count(), row);
    }

    /// Prepares a picture with alpha for resampling; returns whether it has to be divided out afterwards.
    private boolean multiplyAlpha(ImagePlacement placement) {
        if (picture.model() != Picture.Model.RGBA) {
            return false;
        }
        DecodeSettings decoding = spec.decoding();
        if (decoding.hasBackground()) {
            int color = decoding.background();
            Alpha.compose(picture, color >> 16 & 0xFF, color >> 8 & 0xFF, color & 0xFF);
            return false;
        }
        if (placement.resizes()) {
            Alpha.premultiply(picture);
        }
        return placement.resizes();
    }

    private void decodeHighBitDepth(MemorySegment data, ResamplePlan frame, MemorySegment row) {
        codecs.of(header.format).decodeHighBitDepth(data, header, mode, highBitDepthPicture);
        if (!frame.covers()) {
            fillHighBitDepth(row);
        }
        if (frame.isEmpty()) {
            return;
        }
        DecodeSettings decoding = spec.decoding();
        boolean kept = spec.pixels().channels() == Channels.RGBA;
        AlphaUse use = !highBitDepthPicture.hasAlpha()
                ? AlphaUse.IGNORED
                : decoding.hasBackground()
                        ? AlphaUse.COMPOSED
                        : kept && frame.placement().resizes() ? AlphaUse.MULTIPLIED : AlphaUse.IGNORED;
        if (use == AlphaUse.COMPOSED) {
            highBitDepthPicture.showColors();
        }
        int color = decoding.background();
        double[] background = {(color >> 16 & 0xFF) / 255.0, (color >> 8 & 0xFF) / 255.0, (color & 0xFF) / 255.0};
        float[] values =
                highBitDepthResampler.run(highBitDepthPicture, frame.x(), frame.y(), filter(), use, background);
        new HighBitDepthWriter(spec.pixels()).write(values, highBitDepthPicture.channels(), use, frame, row);
    }

    /// Black, as bytes become it.
    private void fillHighBitDepth(MemorySegment row) {
        long count = row.byteSize() / spec.pixels().type().byteSize();
        MemorySegment black = bytes.atLeast(count).asSlice(0, count);
        black.fill((byte) 0);
        elements.write(black, count / spec.pixels().channels().count(), row);
    }

    private ResamplePlan frame(ImagePlacement placement) {
        int exif = exif();
        boolean interleaved = spec.pixels().layout() == Layout.NHWC;
        return ResamplePlan.of(
                placement, reduction(placement), header.width, header.height, exif, interleaved, channels());
    }

    /// How far the codec may reduce the picture itself: to no less than `margin` source pixels for one of the
    /// output.
    private int reduction(ImagePlacement placement) {
        if (!reduces()) {
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

    private ResampleTarget.Channels channels() {
        return switch (spec.pixels().channels()) {
            case RGB -> ResampleTarget.Channels.RGB;
            case BGR -> ResampleTarget.Channels.BGR;
            case RGBA -> ResampleTarget.Channels.RGBA;
            case GRAY -> ResampleTarget.Channels.GRAY;
        };
    }

    private Precision precision() {
        if (spec.decoding().interpolation() == Interpolation.BICUBIC) {
            return Precision.EXACT;
        }
        return switch (spec.decoding().quality()) {
            case EXACT -> Precision.EXACT;
            case DEFAULT -> Precision.FINE;
            case FASTEST -> Precision.COARSE;
        };
    }

    private org.jspdl.media.internal.resample.ResampleFilter filter() {
        return switch (spec.decoding().interpolation()) {
            case AREA -> org.jspdl.media.internal.resample.ResampleFilter.AREA;
            case BILINEAR -> org.jspdl.media.internal.resample.ResampleFilter.BILINEAR;
            case BICUBIC -> org.jspdl.media.internal.resample.ResampleFilter.BICUBIC;
        };
    }

    private MemorySegment toNative(MemorySegment encoded) {
        MemorySegment copy = input.atLeast(encoded.byteSize()).asSlice(0, encoded.byteSize());
        MappedInput.copy(encoded, copy);
        return copy;
    }

    @Override
    public void close() {
        codecs.close();
        input.close();
        bytes.close();
        turned.close();
    }
}
