package org.jspdl.media.internal.resample;

import java.lang.foreign.MemorySegment;

/// Where the bytes of one picture go: a window of an image of bytes, interleaved or in planes.
///
/// @param interleaved whether the channels of a pixel lie together (HWC) or in a plane each (CHW)
/// @param channels    the output's channels, in their order
/// @param width       pixels in a row of the whole image
/// @param height      rows of the whole image
/// @param left        where the window begins
/// @param top         where the window begins
/// @param upwards     whether the first row made is the last of the window
public record ResampleTarget(
        boolean interleaved, Channels channels, int width, int height, int left, int top, boolean upwards) {
    /// Which channels, in which order.
    public enum Channels {
        /// Red, green, blue.
        RGB(3),
        /// Blue, green, red.
        BGR(3),
        /// Red, green, blue, alpha.
        RGBA(4),
        /// Luminance.
        GRAY(1);

        private final int count;

        Channels(int count) {
            this.count = count;
        }

        /// How many channels there are.
        public int count() {
            return count;
        }
    }

    /// The bytes of the whole image.
    public long byteSize() {
        return (long) width * height * channels.count();
    }

    /// Points `streams` at the rows `[from, to)` of a window of `rows` rows; interleaved channels share the first
    /// stream.
    void begin(ColumnWriter[] streams, MemorySegment memory, int from, int to, int rows) {
        int first = top + (upwards ? rows - 1 - from : from);
        int pixelBytes = interleaved ? channels.count() : 1;
        long pitch = (long) width * pixelBytes;
        for (int c = 0; c < streamCount(); c++) {
            long offset = c * (long) width * height + first * pitch + (long) left * pixelBytes;
            streams[c].begin(memory, offset, upwards ? -pitch : pitch, to - from);
        }
    }

    int streamCount() {
        return interleaved ? 1 : channels.count();
    }

    /// The stream of the channel that is `index`-th in the output.
    ColumnWriter stream(ColumnWriter[] streams, int index) {
        return streams[interleaved ? 0 : index];
    }
}
