package org.jspdl.media.image;

/// How many color samples a JPEG file keeps.
public enum ChromaSampling {
    /// One for every pixel.
    FULL,
    /// One for two pixels of a row (4:2:2).
    HALF_ACROSS,
    /// One for four pixels (4:2:0).
    HALF_BOTH
}
