package org.jspdl.media.image;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspdl.memory.ElementType;

/// Turns the bytes of an output image into its elements: floats of 32 or 16 bits, scaled and shifted by channel, or
/// integers of 16 bits.
final class ElementWriter {
    private static final int BLOCK = 3 * 1024;

    private final int channels;
    private final boolean interleaved;
    private final boolean single;
    private final short[][] halfOf;
    private final byte[] bytes = new byte[BLOCK];
    private final float[] floats = new float[BLOCK];
    /// What each element of an interleaved block is multiplied with; the first ones are those of the channels.
    private final float[] scales = new float[BLOCK];
    private final float[] biases = new float[BLOCK];
    private final short[] halves = new short[BLOCK];

    ElementWriter(PixelSettings pixels) {
        channels = pixels.channels().count();
        interleaved = pixels.layout() == Layout.NHWC;
        single = pixels.type() == ElementType.FLOAT32;
        halfOf = new short[single ? 0 : channels][256];
        for (int c = 0; c < halfOf.length; c++) {
            for (int value = 0; value < 256; value++) {
                float element = value * pixels.scale(c) + pixels.bias(c);
                halfOf[c][value] = switch (pixels.type()) {
                    case UINT16 -> (short) (value * 257);
                    case BFLOAT16 -> bfloat16(element);
                    default -> Float.floatToFloat16(element);
                };
            }
        }
        for (int i = 0; i < BLOCK; i++) {
            scales[i] = pixels.scale(i % channels);
            biases[i] = pixels.bias(i % channels);
        }
    }

    /// The upper half of a float, rounded to the nearest, ties to even; for finite numbers.
    static short bfloat16(float value) {
        int bits = Float.floatToRawIntBits(value);
        return (short) ((bits + 0x7FFF + ((bits >>> 16) & 1)) >>> 16);
    }

    /// Writes the elements of `pixels` pixels, whose channels lie as in the output, into `row`.
    void write(MemorySegment image, long pixels, MemorySegment row) {
        long count = pixels * channels;
        long done = 0;
        while (done < count) {
            // A block is of one channel, or begins with the first channel of a pixel.
            int channel = interleaved ? 0 : (int) (done / pixels);
            long left = interleaved ? count - done : (channel + 1) * pixels - done;
            int n = (int) Math.min(BLOCK, left);
            MemorySegment.copy(image, ValueLayout.JAVA_BYTE, done, bytes, 0, n);
            if (single) {
                floats(channel, n);
                MemorySegment.copy(floats, 0, row, ValueLayout.JAVA_FLOAT_UNALIGNED, done * Float.BYTES, n);
            } else {
                int step = interleaved ? channels : 1;
                for (int c = 0; c < step; c++) {
                    halves(halfOf[channel + c], c, step, n);
                }
                MemorySegment.copy(halves, 0, row, ValueLayout.JAVA_SHORT_UNALIGNED, done * Short.BYTES, n);
            }
            done += n;
        }
    }

    /// Converts a block. The JIT compiler makes vector instructions of signed bytes that become floats, and not of
    /// unsigned ones, nor of a table.
    private void floats(int channel, int n) {
        flip(bytes, n);
        if (interleaved) {
            scale(bytes, floats, scales, biases, n);
        } else {
            scale(bytes, floats, scales[channel], biases[channel], n);
        }
    }

    /// Takes 128 from unsigned bytes, which makes them signed ones.
    private static void flip(byte[] bytes, int n) {
        for (int i = 0; i < n; i++) {
            bytes[i] = (byte) (bytes[i] ^ 0x80);
        }
    }

    private static void scale(byte[] from, float[] to, float scale, float bias, int n) {
        for (int i = 0; i < n; i++) {
            to[i] = ((float) from[i] + 128f) * scale + bias;
        }
    }

    private static void scale(byte[] from, float[] to, float[] scales, float[] biases, int n) {
        for (int i = 0; i < n; i++) {
            to[i] = ((float) from[i] + 128f) * scales[i] + biases[i];
        }
    }

    private void halves(short[] table, int from, int step, int n) {
        for (int i = from; i < n; i += step) {
            halves[i] = table[bytes[i] & 0xFF];
        }
    }
}
