package org.jspdl.media.image;

/// How large an image becomes before it is cropped.
sealed interface Resize {
    /// As it is.
    record Original() implements Resize {}

    /// The shorter side becomes `pixels`, the other one keeps the aspect ratio (rounded down).
    record ShorterSide(int pixels) implements Resize {}

    /// Exactly this size, whatever the aspect ratio.
    record Exact(int width, int height) implements Resize {}
}
