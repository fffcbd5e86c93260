package org.jspdl.media.image;

/// The filter that resizes; all filters are antialiased.
public enum Interpolation {
    /// The mean of the pixels covered.
    AREA,
    /// A triangle, as torchvision's and Pillow's `BILINEAR` with antialiasing.
    BILINEAR,
    /// A cubic, as torchvision's and Pillow's `BICUBIC` with antialiasing.
    BICUBIC
}
