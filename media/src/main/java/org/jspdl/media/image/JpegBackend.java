package org.jspdl.media.image;

/// Which library decodes JPEG.
public enum JpegBackend {
    /// TurboJPEG if the machine has it, else FFmpeg.
    BEST,
    /// TurboJPEG; an error if the machine lacks it.
    TURBOJPEG,
    /// FFmpeg's own decoder.
    FFMPEG
}
