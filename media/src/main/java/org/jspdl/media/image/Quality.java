package org.jspdl.media.image;

/// How close a decoded image is to the reference: a full decode followed by an antialiased resize.
public enum Quality {
    /// Every coefficient is decoded; the error is rounding alone.
    EXACT,
    /// Work that cannot be seen is left out.
    DEFAULT,
    /// Speed first: the codec reduces the image as far as it can.
    FASTEST
}
