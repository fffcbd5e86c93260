package org.jspdl.media.image;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Turns the bytes of an output image into its elements: 32-bit floats, scaled and shifted by channel.
final class ElementWriter {
    private static final int BLOCK = 1024;

    private final int channels;
    private final boolean interleaved;
    private final float[][] tables;
    private final byte[] bytes = new byte[3 * BLOCK];
    private final float[] floats = new float[3 * BLOCK];

    ElementWriter(ImageSpec.Pixels pixels) {
        channels = pixels.channels().count();
        interleaved = pixels.layout() == Layout.NHWC;
        tables = new float[channels][256];
        for (int c = 0; c < channels; c++) {
            int colour = pixels.channels() == Channels.BGR ? 2 - c : c;
            float scale = pixels.normalization().scale(colour);
            float bias = pixels.normalization().bias(colour);
            for (int value = 0; value < 256; value++) {
                tables[c][value] = value * scale + bias;
            }
        }
    }

    /// Writes the elements of `pixels` pixels, whose channels lie as in the output, into `row`.
    void write(MemorySegment image, long pixels, MemorySegment row) {
        if (interleaved) {
            interleaved(image, pixels * channels, row);
        } else {
            for (int c = 0; c < channels; c++) {
                plane(image, c * pixels, pixels, tables[c], row);
            }
        }
    }

    private void plane(MemorySegment image, long from, long count, float[] table, MemorySegment row) {
        for (long done = 0; done < count; done += bytes.length) {
            int n = (int) Math.min(bytes.length, count - done);
            MemorySegment.copy(image, ValueLayout.JAVA_BYTE, from + done, bytes, 0, n);
            for (int i = 0; i < n; i++) {
                floats[i] = table[bytes[i] & 0xFF];
            }
            MemorySegment.copy(floats, 0, row, ValueLayout.JAVA_FLOAT_UNALIGNED, (from + done) * Float.BYTES, n);
        }
    }

    private void interleaved(MemorySegment image, long count, MemorySegment row) {
        for (long done = 0; done < count; done += bytes.length) {
            int n = (int) Math.min(bytes.length, count - done);
            MemorySegment.copy(image, ValueLayout.JAVA_BYTE, done, bytes, 0, n);
            for (int c = 0; c < channels; c++) {
                float[] table = tables[c];
                for (int i = c; i < n; i += channels) {
                    floats[i] = table[bytes[i] & 0xFF];
                }
            }
            MemorySegment.copy(floats, 0, row, ValueLayout.JAVA_FLOAT_UNALIGNED, done * Float.BYTES, n);
        }
    }
}
