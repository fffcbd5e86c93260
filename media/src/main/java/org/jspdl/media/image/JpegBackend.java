package org.jspdl.media.image;

/// What decodes and encodes JPEG.
public enum JpegBackend {
    /// The decoder in Java, whose verdict and samples are the same everywhere; to encode, TurboJPEG if the machine
    /// has it, else FFmpeg.
    BEST,
    /// TurboJPEG alone; an error if the machine lacks it.
    TURBOJPEG,
    /// FFmpeg's own codec alone.
    FFMPEG
}
