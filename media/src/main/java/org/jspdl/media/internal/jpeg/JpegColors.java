package org.jspdl.media.internal.jpeg;

/// What the components of a JPEG file are.
public enum JpegColors {
    GRAY,
    YCBCR,
    RGB,
    /// Cyan, magenta, yellow and black; by Adobe's custom, which all follow, 255 stands for no ink.
    CMYK,
    /// The same, the first three as luminance and chroma.
    YCCK
}
