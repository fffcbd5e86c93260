package org.jspdl.media.internal.codec;

/// The native libraries for JPEG.
public enum JpegLibrary {
    TURBOJPEG,
    FFMPEG
}
