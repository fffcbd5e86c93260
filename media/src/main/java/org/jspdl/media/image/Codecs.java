package org.jspdl.media.image;

import org.jspecify.annotations.Nullable;

/// The codecs of one context, made when first needed.
final class Codecs implements AutoCloseable {
    private final JpegBackend backend;
    private @Nullable Codec jpeg;
    private @Nullable Codec other;

    Codecs(JpegBackend backend) {
        this.backend = backend;
    }

    /// The codec for `format`.
    Codec of(ImageFormat format) {
        if (format == ImageFormat.JPEG && backend == JpegBackend.TURBOJPEG) {
            Codec codec = jpeg;
            if (codec == null) {
                codec = new TurboJpegCodec();
                jpeg = codec;
            }
            return codec;
        }
        Codec codec = other;
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
        if (other != null) {
            other.close();
        }
    }
}
