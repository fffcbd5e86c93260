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
/// @param mirrored     whether left and right are exchanged
public record Placement(
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
        boolean mirrored) {}
