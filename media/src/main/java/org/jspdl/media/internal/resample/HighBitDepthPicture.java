package org.jspdl.media.internal.resample;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.function.LongFunction;

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
    private int shownChannels;
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
        this.shownChannels = channels;
        this.big = order == ByteOrder.BIG_ENDIAN;
    }

    /// Shows gray with alpha as red, green and blue with alpha, for what is put over a color.
    public void showColors() {
        if (channels == 2) {
            shownChannels = 4;
        }
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
        return shownChannels;
    }

    /// Whether the last channel is alpha.
    public boolean hasAlpha() {
        return channels == 2 || channels == 4;
    }

    /// Makes planes of bytes of the picture, each sample divided by 257 and rounded: gray, or red, green and blue;
    /// with alpha behind them if there is any and it is kept.
    ///
    /// @param memory gives as many bytes for the planes, or more; not those of this picture
    public void toBytes(boolean keepsAlpha, LongFunction<MemorySegment> memory, Picture into) {
        Picture.Model model =
                keepsAlpha && hasAlpha() ? Picture.Model.RGBA : channels < 3 ? Picture.Model.GRAY : Picture.Model.RGB;
        long planeBytes = (long) width * height;
        MemorySegment planes = memory.apply(planeBytes * model.planes());
        into.begin(width, height, model, Upsampling.NONE, Upsampling.NONE);
        for (int p = 0; p < model.planes(); p++) {
            // gray with alpha has two channels, of which the first is all three colors
            int channel = channels > 2 ? p : p < 3 ? 0 : 1;
            toBytes(channel, planes, p * planeBytes, width);
            into.plane(p).set(planes, p * planeBytes, width, width, height);
        }
    }

    /// Makes bytes of one channel, each sample divided by 257 and rounded.
    ///
    /// @param toStride bytes from one row of `to` to the next
    public void toBytes(int channel, MemorySegment to, long offset, long toStride) {
        long step = 2L * channels;
        for (int y = 0; y < height; y++) {
            long from = y * stride + 2L * channel;
            long row = offset + y * toStride;
            if (big) {
                for (int x = 0; x < width; x++, from += step) {
                    to.set(ValueLayout.JAVA_BYTE, row + x, toByte(memory.get(BIG, from)));
                }
            } else {
                for (int x = 0; x < width; x++, from += step) {
                    to.set(ValueLayout.JAVA_BYTE, row + x, toByte(memory.get(LITTLE, from)));
                }
            }
        }
    }

    /// The nearest of 256 levels: `round(value / 257.0)`.
    static byte toByte(int value) {
        return (byte) ((value * 255 + 32_895) >>> 16);
    }

    /// Channel `channel` of a pixel, 0 to 65,535.
    int sample(int x, int y, int channel) {
        int stored = shownChannels == channels ? channel : channel / 3;
        long at = y * stride + 2L * ((long) x * channels + stored);
        return big ? memory.get(BIG, at) : memory.get(LITTLE, at);
    }
}
