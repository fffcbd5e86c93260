package org.jspdl.media.internal.codec;

import java.util.EnumMap;
import java.util.Map;
import org.jspdl.media.ImageFormat;
import org.jspecify.annotations.Nullable;

/// The codecs of one context, made when first needed. Used by one thread at a time.
public final class ImageCodecs implements AutoCloseable {
    private final boolean baselineInJava;
    private final JpegLibrary library;
    private final CodecIsolation isolation;
    private final NativeCodecs here;
    private final IsolatedCodec helper;
    private final InFlight.Slot slot;
    private final Map<ImageFormat, ImageCodec> natives = new EnumMap<>(ImageFormat.class);
    private @Nullable BaselineJpegCodec baseline;

    /// @param baselineInJava whether sound baseline files are decoded in Java
    /// @param library        what decodes other JPEG files
    /// @param isolation      where native codecs work; owned by the caller
    public ImageCodecs(boolean baselineInJava, JpegLibrary library, CodecIsolation isolation) {
        this.baselineInJava = baselineInJava;
        this.library = library;
        this.isolation = isolation;
        here = new NativeCodecs(library, !baselineInJava);
        helper = new IsolatedCodec(isolation);
        slot = isolation.slot();
    }

    /// The codec for `format`.
    public ImageCodec of(ImageFormat format) {
        return format == ImageFormat.JPEG && baselineInJava ? baseline() : ofLibrary(format);
    }

    private ImageCodec baseline() {
        BaselineJpegCodec codec = baseline;
        if (codec == null) {
            // FFmpeg's transform rounds otherwise, and which files it got would be seen
            Warmup warmup = library == JpegLibrary.TURBOJPEG ? Warmup.OF_PROCESS : Warmup.none();
            codec = new BaselineJpegCodec(() -> ofLibrary(ImageFormat.JPEG), warmup);
            baseline = codec;
        }
        return codec;
    }

    private ImageCodec ofLibrary(ImageFormat format) {
        return switch (isolation.scope()) {
            case NONE -> here.of(format);
            case ALL -> helper;
            case SUSPECTS ->
                natives.computeIfAbsent(format, wanted -> new GuardedCodec(here.of(wanted), helper, isolation, slot));
        };
    }

    @Override
    public void close() {
        if (baseline != null) {
            baseline.close();
        }
        helper.close();
        here.close();
        slot.close();
    }
}
