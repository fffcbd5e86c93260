package org.jspdl.media.internal.resample;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// A decoded picture of 16 bits a channel, interleaved, as a codec left it: 1 channel is gray, 3 are red, green and
/// blue; a second or a fourth is alpha.
///
/// Mutable and reused, like [Picture].
public final class HighBitDepthPicture {
    private static final ValueLayout.OfChar BIG = ValueLayout.JAVA_CHAR_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfChar LITTLE = ValueLayout.JAVA_CHAR_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private MemorySegment memory = MemorySegment.NULL;
    private long stride;
    private int width;
    private int height;
    private int channels;
    private boolean big;

    /// Describes the picture, which begins at the start of `memory`.
    ///
    /// @param stride bytes from one row to the next
    public void set(MemorySegment memory, long stride, int width, int height, int channels, ByteOrder order) {
        long needed = (height - 1L) * stride + 2L * width * channels;
        if (stride < 2L * width * channels || needed > memory.byteSize()) {
            throw new IllegalArgumentException("a picture of " + width + " x " + height + " with stride " + stride
                    + " needs " + needed + " bytes but has " + memory.byteSize());
        }
        this.memory = memory;
        this.stride = stride;
        this.width = width;
        this.height = height;
        this.channels = channels;
        this.big = order == ByteOrder.BIG_ENDIAN;
    }

    /// Where the picture lies, from its first sample on.
    public MemorySegment memory() {
        return memory;
    }

    /// Pixels in a row.
    int width() {
        return width;
    }

    /// Rows.
    int height() {
        return height;
    }

    /// Bytes from one row to the next.
    public long stride() {
        return stride;
    }

    /// The order of the bytes of a sample.
    public ByteOrder order() {
        return big ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
    }

    /// How many channels there are, alpha included.
    public int channels() {
        return channels;
    }

    /// Whether the last channel is alpha.
    public boolean hasAlpha() {
        return channels == 2 || channels == 4;
    }

    /// Channel `channel` of a pixel, 0 to 65,535.
    int sample(int x, int y, int channel) {
        long at = y * stride + 2L * ((long) x * channels + channel);
        return big ? memory.get(BIG, at) : memory.get(LITTLE, at);
    }
}
