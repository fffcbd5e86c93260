package org.jspdl.media.internal.codec;

import org.jspdl.media.ImageFormat;
import org.jspdl.media.internal.webp.LibWebp;
import org.jspecify.annotations.Nullable;

/// The codecs of one context, made when first needed.
public final class ImageCodecs implements AutoCloseable {
    private final boolean baselineInJava;
    private final JpegLibrary library;
    private @Nullable BaselineJpegCodec baseline;
    private @Nullable TurboJpegCodec turboJpeg;
    private @Nullable WebpCodec webp;
    private @Nullable FfmpegCodec other;

    /// @param baselineInJava whether sound baseline files are decoded in Java
    /// @param library        what decodes other JPEG files
    public ImageCodecs(boolean baselineInJava, JpegLibrary library) {
        this.baselineInJava = baselineInJava;
        this.library = library;
    }

    /// The codec for `format`.
    public ImageCodec of(ImageFormat format) {
        LibWebp libWebp = LibWebp.INSTANCE;
        if (format == ImageFormat.JPEG) {
            return baselineInJava ? baseline() : jpegLibrary();
        }
        return format == ImageFormat.WEBP && libWebp != null ? webp(libWebp) : ffmpeg();
    }

    private ImageCodec baseline() {
        BaselineJpegCodec codec = baseline;
        if (codec == null) {
            // FFmpeg's transform rounds otherwise, and which files it got would be seen
            Warmup warmup = library == JpegLibrary.TURBOJPEG ? Warmup.OF_PROCESS : Warmup.none();
            codec = new BaselineJpegCodec(this::jpegLibrary, warmup);
            baseline = codec;
        }
        return codec;
    }

    private ImageCodec jpegLibrary() {
        if (library == JpegLibrary.FFMPEG) {
            return ffmpeg();
        }
        TurboJpegCodec codec = turboJpeg;
        if (codec == null) {
            codec = new TurboJpegCodec(!baselineInJava);
            turboJpeg = codec;
        }
        return codec;
    }

    private ImageCodec webp(LibWebp library) {
        WebpCodec codec = webp;
        if (codec == null) {
            codec = new WebpCodec(library, ffmpeg());
            webp = codec;
        }
        return codec;
    }

    private FfmpegCodec ffmpeg() {
        FfmpegCodec codec = other;
        if (codec == null) {
            codec = new FfmpegCodec();
            other = codec;
        }
        return codec;
    }

    @Override
    public void close() {
        if (baseline != null) {
            baseline.close();
        }
        if (turboJpeg != null) {
            turboJpeg.close();
        }
        if (webp != null) {
            webp.close();
        }
        if (other != null) {
            other.close();
        }
    }
}
