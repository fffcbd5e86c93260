package org.jspdl.media.internal.codec;

/// A part of a picture: pixels `[left, right)` of rows `[top, bottom)`.
public record Region(int left, int top, int right, int bottom) {

    /// All of a picture.
    public static Region whole(int width, int height) {
        return new Region(0, 0, width, height);
    }
}
