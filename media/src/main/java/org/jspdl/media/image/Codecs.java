package org.jspdl.media.image;

import org.jspdl.media.internal.webp.LibWebp;
import org.jspecify.annotations.Nullable;

/// The codecs of one context, made when first needed.
final class Codecs implements AutoCloseable {
    private final JpegBackend backend;
    private @Nullable TurboJpegCodec jpeg;
    private @Nullable WebpCodec webp;
    private @Nullable FfmpegCodec other;

    Codecs(JpegBackend backend) {
        this.backend = backend;
    }

    /// The codec for `format`.
    Codec of(ImageFormat format) {
        LibWebp library = LibWebp.INSTANCE;
        if (format == ImageFormat.JPEG && backend == JpegBackend.TURBOJPEG) {
            return turboJpeg();
        }
        return format == ImageFormat.WEBP && library != null ? webp(library) : ffmpeg();
    }

    private Codec turboJpeg() {
        TurboJpegCodec codec = jpeg;
        if (codec == null) {
            codec = new TurboJpegCodec();
            jpeg = codec;
        }
        return codec;
    }

    private Codec webp(LibWebp library) {
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
        if (jpeg != null) {
            jpeg.close();
        }
        if (webp != null) {
            webp.close();
        }
        if (other != null) {
            other.close();
        }
    }
}
