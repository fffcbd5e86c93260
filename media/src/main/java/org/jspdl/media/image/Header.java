package org.jspdl.media.image;

/// What a header reader found; mutable so that a decoder reuses it.
final class Header {
    ImageFormat format = ImageFormat.JPEG;
    int width;
    int height;
    int channels;
    int bitDepth;
    int orientation;

    void begin(ImageFormat format) {
        this.format = format;
        width = 0;
        height = 0;
        channels = 0;
        bitDepth = 8;
        orientation = 1;
    }

    void size(int width, int height, int channels, int bitDepth) {
        this.width = width;
        this.height = height;
        this.channels = channels;
        this.bitDepth = bitDepth;
    }

    ImageInfo info() {
        return new ImageInfo(format, width, height, channels, bitDepth, orientation);
    }
}
