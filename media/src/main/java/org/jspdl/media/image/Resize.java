package org.jspdl.media.image;

/// How large an image becomes before it is cropped.
sealed interface Resize {
    /// As it is.
    record Original() implements Resize {}

    /// The shorter side becomes `pixels`, the other one keeps the aspect ratio (rounded down).
    record ShorterSide(int pixels) implements Resize {}

    /// Exactly this size, whatever the aspect ratio.
    record Exact(int width, int height) implements Resize {}

    /// As large as fits into this size at its own aspect ratio (rounded to the nearest pixel).
    record Fit(int width, int height) implements Resize {}

    /// The width that an image of this size becomes.
    default int scaledWidth(int width, int height) {
        return switch (this) {
            case Original() -> width;
            case ShorterSide(int side) -> width <= height ? side : longer(side, width, height);
            case Exact(int exact, int _) -> exact;
            case Fit(int widest, int highest) ->
                (long) width * highest >= (long) height * widest ? widest : nearest(width, highest, height);
        };
    }

    /// The height that an image of this size becomes.
    default int scaledHeight(int width, int height) {
        return switch (this) {
            case Original() -> height;
            case ShorterSide(int side) -> width <= height ? longer(side, height, width) : side;
            case Exact(int _, int exact) -> exact;
            case Fit(int widest, int highest) ->
                (long) width * highest >= (long) height * widest ? nearest(height, widest, width) : highest;
        };
    }

    private static int longer(int side, int longer, int shorter) {
        return (int) Math.min(Integer.MAX_VALUE, (long) side * longer / shorter);
    }

    private static int nearest(int pixels, int numerator, int denominator) {
        return (int) Math.max(1, Math.round((double) pixels * numerator / denominator));
    }
}
