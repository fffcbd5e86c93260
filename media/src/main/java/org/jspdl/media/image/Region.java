package org.jspdl.media.image;

/// A part of a picture: pixels `[left, right)` of rows `[top, bottom)`.
record Region(int left, int top, int right, int bottom) {

    /// All of a picture.
    static Region whole(int width, int height) {
        return new Region(0, 0, width, height);
    }
}
