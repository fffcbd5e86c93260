package org.jspdl.media.image;

import java.lang.foreign.MemorySegment;

/// What a header reader found; mutable so that a decoder reuses it.
final class Header {
    ImageFormat format = ImageFormat.JPEG;
    int width;
    int height;
    int channels;
    int bitDepth;
    int orientation;
    /// Where the frame header of a JPEG file begins.
    long frame;
    /// The coded picture, where it is a part of the file that has to be found.
    Part picture = Part.NONE;
    /// The coded picture of its opacity, likewise.
    Part opacity = Part.NONE;

    /// Some bytes of the file.
    record Part(long offset, long length) {
        static final Part NONE = new Part(0, 0);

        MemorySegment of(MemorySegment file) {
            return file.asSlice(offset, length);
        }
    }

    void begin(ImageFormat format) {
        this.format = format;
        width = 0;
        height = 0;
        channels = 0;
        bitDepth = 8;
        orientation = 1;
        picture = Part.NONE;
        opacity = Part.NONE;
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
