package org.jspdl.media.internal.codec;

import org.jspdl.media.ImageFormat;
import org.jspdl.media.internal.webp.LibWebp;
import org.jspecify.annotations.Nullable;

/// The codecs that are native libraries, made when first needed. Used by one thread at a time.
final class NativeCodecs implements AutoCloseable {
    private final JpegLibrary library;
    private @Nullable TurboJpegCodec turboJpeg;
    private @Nullable WebpCodec webp;
    private @Nullable FfmpegCodec other;

    /// @param library what decodes JPEG files
    NativeCodecs(JpegLibrary library) {
        this.library = library;
    }

    /// The codec for `format`.
    ImageCodec of(ImageFormat format) {
        if (format == ImageFormat.JPEG && library == JpegLibrary.TURBOJPEG) {
            return turboJpeg();
        }
        LibWebp libWebp = format == ImageFormat.WEBP ? LibWebp.INSTANCE : null;
        return libWebp != null ? webp(libWebp) : ffmpeg();
    }

    private ImageCodec turboJpeg() {
        TurboJpegCodec codec = turboJpeg;
        if (codec == null) {
            codec = new TurboJpegCodec();
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
