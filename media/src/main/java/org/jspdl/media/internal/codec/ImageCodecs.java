package org.jspdl.media.internal.codec;

import java.util.EnumMap;
import java.util.Map;
import org.jspdl.media.ImageFormat;
import org.jspdl.media.internal.lifetime.SharedWork;
import org.jspecify.annotations.Nullable;

/// The codecs of one context, made when first needed. Used by one thread at a time.
public final class ImageCodecs implements AutoCloseable {
    private final boolean jpegInJava;
    private final CodecIsolation isolation;
    private final SharedWork work;
    private final NativeCodecs here;
    private final IsolatedCodec helper;
    private final Map<ImageFormat, ImageCodec> natives = new EnumMap<>(ImageFormat.class);
    private @Nullable JpegCodec jpeg;
    private @Nullable TiffCodec tiff;
    private InFlight.@Nullable Slot slot;

    /// @param jpegInJava whether JPEG files are decoded in Java
    /// @param library    what decodes them if not
    /// @param isolation  where native codecs work; owned by the caller
    /// @param work       who helps with large pictures; owned by the caller
    public ImageCodecs(boolean jpegInJava, JpegLibrary library, CodecIsolation isolation, SharedWork work) {
        this.work = work;
        this.jpegInJava = jpegInJava;
        this.isolation = isolation;
        here = new NativeCodecs(library);
        helper = new IsolatedCodec(isolation);
    }

    /// The codec for `format`.
    public ImageCodec of(ImageFormat format) {
        return switch (format) {
            case TIFF -> tiff();
            case JPEG -> jpegInJava ? jpeg() : ofLibrary(format);
            case PNG, WEBP, GIF, BMP, AVIF, HEIC -> ofLibrary(format);
        };
    }

    private ImageCodec tiff() {
        TiffCodec codec = tiff;
        if (codec == null) {
            codec = new TiffCodec(() -> ofLibrary(ImageFormat.TIFF));
            tiff = codec;
        }
        return codec;
    }

    private ImageCodec jpeg() {
        JpegCodec codec = jpeg;
        if (codec == null) {
            codec = new JpegCodec(work);
            jpeg = codec;
        }
        return codec;
    }

    private ImageCodec ofLibrary(ImageFormat format) {
        return switch (isolation.scope()) {
            case NONE -> here.of(format);
            case ALL -> helper;
            case SUSPECTS ->
                natives.computeIfAbsent(format, wanted -> new GuardedCodec(here.of(wanted), helper, isolation, slot()));
        };
    }

    private InFlight.Slot slot() {
        InFlight.Slot known = slot;
        if (known == null) {
            known = isolation.slot();
            slot = known;
        }
        return known;
    }

    /// Declares that the last picture was used, which may lie in memory that others are waiting for.
    public void release() {
        helper.release();
    }

    @Override
    public void close() {
        if (jpeg != null) {
            jpeg.close();
        }
        if (tiff != null) {
            tiff.close();
        }
        helper.close();
        here.close();
        if (slot != null) {
            slot.close();
        }
    }
}
