package org.jspdl.media.image;

/// Which part of an image goes where: the box of the source is resized to `scaledWidth` x `scaledHeight`, of which a
/// window becomes the output; what the window has beyond it is filled.
///
/// @param boxX         left edge of the box, in source pixels
/// @param boxY         upper edge of the box
/// @param boxWidth     width of the box
/// @param boxHeight    height of the box
/// @param scaledWidth  what `boxWidth` is resized to
/// @param scaledHeight what `boxHeight` is resized to
/// @param left         where the window begins, in resized pixels; negative leaves room to fill
/// @param top          where the window begins
/// @param width        the output's width
/// @param height       the output's height
/// @param flipped     whether left and right are exchanged
public record ImagePlacement(
        int boxX,
        int boxY,
        int boxWidth,
        int boxHeight,
        int scaledWidth,
        int scaledHeight,
        int left,
        int top,
        int width,
        int height,
        boolean flipped) {

    /// Checks that this can be made of an image of `imageWidth` x `imageHeight` pixels.
    ///
    /// @throws IllegalArgumentException if it cannot, saying why
    void check(int imageWidth, int imageHeight) {
        boolean inside = boxX >= 0
                && boxY >= 0
                && boxWidth >= 1
                && boxHeight >= 1
                && boxX <= imageWidth - boxWidth
                && boxY <= imageHeight - boxHeight;
        if (!inside || scaledWidth < 1 || scaledHeight < 1 || width < 1 || height < 1) {
            throw new IllegalArgumentException(
                    this + " does not fit an image of " + imageWidth + " x " + imageHeight + " pixels");
        }
    }

    /// The whole output is the resized box.
    static ImagePlacement of(int boxX, int boxY, int boxWidth, int boxHeight, int width, int height) {
        return new ImagePlacement(boxX, boxY, boxWidth, boxHeight, width, height, 0, 0, width, height, false);
    }

    /// Whether pixels are made of others, rather than copied.
    boolean resizes() {
        return boxWidth != scaledWidth || boxHeight != scaledHeight;
    }

    /// This with another window of the same size.
    ImagePlacement at(int newLeft, int newTop) {
        return new ImagePlacement(
                boxX, boxY, boxWidth, boxHeight, scaledWidth, scaledHeight, newLeft, newTop, width, height, flipped);
    }

    /// This with left and right exchanged.
    ImagePlacement flip() {
        return new ImagePlacement(
                boxX, boxY, boxWidth, boxHeight, scaledWidth, scaledHeight, left, top, width, height, !flipped);
    }
}
