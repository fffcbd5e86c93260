package org.jspdl.media.internal.pixels;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.jspdl.media.image.Channels;
import org.jspdl.media.image.ImageSpec;
import org.jspdl.memory.ElementType;

/// Writes planes of bytes as elements of a tensor: cut, turned, flipped, interleaved, scaled and shifted.
final class PixelWriter {
    private final int channels;
    private final ElementType type;
    private final float[][] floatOf;
    private final short[][] halfOf;
    private byte[] row = new byte[0];
    private byte[] plane = new byte[0];
    private byte[] bytes = new byte[0];
    private float[] floats = new float[0];
    private short[] halves = new short[0];

    PixelWriter(ImageSpec spec) {
        channels = spec.channels().count();
        type = spec.elements();
        floatOf = new float[channels][256];
        halfOf = new short[channels][256];
        for (int c = 0; c < channels; c++) {
            int color = spec.channels() == Channels.BGR ? 2 - c : c;
            for (int value = 0; value < 256; value++) {
                float element = value * spec.normalization().scale(color)
                        + spec.normalization().bias(color);
                floatOf[c][value] = element;
                halfOf[c][value] = type == ElementType.BFLOAT16 ? bfloat16(element) : Float.floatToFloat16(element);
            }
        }
    }

    /// The upper half of a float, rounded to the nearest, ties to even; for finite numbers.
    private static short bfloat16(float value) {
        int bits = Float.floatToRawIntBits(value);
        return (short) ((bits + 0x7FFF + ((bits >>> 16) & 1)) >>> 16);
    }

    void write(MemorySegment planes, long planeBytes, int stride, FrameGeometry geometry, FrameConverter.Place place) {
        int width = geometry.placement().width();
        int height = geometry.placement().height();
        boolean interleaved = place.planeStride() == 0;
        prepare(width, geometry);
        for (int c = 0; c < channels; c++) {
            if (geometry.rotation() != 0) {
                flatten(planes, c * planeBytes, stride, c, geometry);
            }
        }
        int step = interleaved ? channels : 1;
        for (int y = 0; y < height; y++) {
            for (int c = 0; c < channels; c++) {
                gather(planes, c, planeBytes, stride, geometry, y);
                elements(c, interleaved ? c : 0, step, width);
                if (!interleaved) {
                    store(place.memory(), place.offset(), c * place.planeStride() + (long) y * width, width);
                }
            }
            if (interleaved) {
                store(place.memory(), place.offset(), (long) y * width * channels, width * channels);
            }
        }
    }

    private void prepare(int width, FrameGeometry geometry) {
        int count = width * channels;
        if (row.length < width) {
            row = new byte[width];
        }
        switch (type) {
            case UINT8 -> bytes = bytes.length < count ? new byte[count] : bytes;
            case FLOAT32 -> floats = floats.length < count ? new float[count] : floats;
            default -> halves = halves.length < count ? new short[count] : halves;
        }
        int pixels = geometry.scaledWidth() * geometry.scaledHeight() * channels;
        if (geometry.rotation() != 0 && plane.length < pixels) {
            plane = new byte[pixels];
        }
    }

    /// Copies a plane that will be read crosswise to an array.
    private void flatten(MemorySegment planes, long offset, int stride, int c, FrameGeometry geometry) {
        int width = geometry.scaledWidth();
        int base = c * geometry.scaledHeight() * width;
        for (int y = 0; y < geometry.scaledHeight(); y++) {
            MemorySegment.copy(
                    planes, ValueLayout.JAVA_BYTE, offset + (long) y * stride, plane, base + y * width, width);
        }
    }

    /// Puts the bytes of channel `c` in the output's row `y` into `row`, black beyond the picture.
    private void gather(MemorySegment planes, int c, long planeBytes, int stride, FrameGeometry geometry, int y) {
        int width = geometry.placement().width();
        if (geometry.rotation() != 0) {
            int base = c * geometry.scaledWidth() * geometry.scaledHeight();
            for (int x = 0; x < width; x++) {
                int from = geometry.source(x, y);
                row[x] = from < 0 ? 0 : plane[base + from];
            }
            return;
        }
        int sourceY = y + geometry.placement().top();
        int left = geometry.placement().left();
        int begin = Math.clamp(-left, 0, width);
        int end = Math.clamp(geometry.scaledWidth() - (long) left, begin, width);
        if (sourceY < 0 || sourceY >= geometry.scaledHeight()) {
            begin = end;
        }
        Arrays.fill(row, 0, width, (byte) 0);
        if (begin < end) {
            long at = c * planeBytes + (long) sourceY * stride + left + begin;
            MemorySegment.copy(planes, ValueLayout.JAVA_BYTE, at, row, begin, end - begin);
        }
        if (geometry.placement().flipped()) {
            for (int x = 0, z = width - 1; x < z; x++, z--) {
                byte swapped = row[x];
                row[x] = row[z];
                row[z] = swapped;
            }
        }
    }

    private void elements(int c, int first, int step, int width) {
        switch (type) {
            case UINT8 -> {
                for (int x = 0, at = first; x < width; x++, at += step) {
                    bytes[at] = row[x];
                }
            }
            case FLOAT32 -> {
                float[] table = floatOf[c];
                for (int x = 0, at = first; x < width; x++, at += step) {
                    floats[at] = table[row[x] & 0xFF];
                }
            }
            default -> {
                short[] table = halfOf[c];
                for (int x = 0, at = first; x < width; x++, at += step) {
                    halves[at] = table[row[x] & 0xFF];
                }
            }
        }
    }

    private void store(MemorySegment memory, long offset, long element, int count) {
        long at = offset + element * type.byteSize();
        switch (type) {
            case UINT8 -> MemorySegment.copy(bytes, 0, memory, ValueLayout.JAVA_BYTE, at, count);
            case FLOAT32 -> MemorySegment.copy(floats, 0, memory, ValueLayout.JAVA_FLOAT_UNALIGNED, at, count);
            default -> MemorySegment.copy(halves, 0, memory, ValueLayout.JAVA_SHORT_UNALIGNED, at, count);
        }
    }
}
