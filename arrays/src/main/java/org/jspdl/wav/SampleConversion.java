package org.jspdl.wav;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspdl.memory.ElementType;

/// Turns samples as WAV files have them into floats and integers, block by block.
///
/// Blocks pass through arrays: the compiler makes vector instructions of loops over those, and a block stays in the
/// first-level cache.
final class SampleConversion {
    private static final int BLOCK = 2048;

    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(LITTLE_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(LITTLE_ENDIAN);
    private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(LITTLE_ENDIAN);
    private static final ValueLayout.OfDouble DOUBLE = ValueLayout.JAVA_DOUBLE_UNALIGNED.withOrder(LITTLE_ENDIAN);

    private SampleConversion() {}

    /// Converts `frames` frames; channels of the planar layout begin `stride` samples apart.
    static void toFloat(
            MemorySegment samples,
            WavFormat format,
            long frames,
            MemorySegment target,
            SampleLayout layout,
            long stride) {
        int channels = format.channels();
        long count = frames * channels;
        boolean planar = layout == SampleLayout.PLANAR && channels > 1;
        long needed = planar ? (channels - 1) * stride + frames : count;
        MemorySegment out = target.asSlice(0, Math.multiplyExact(frames == 0 ? 0 : needed, Float.BYTES));
        if (format.encoding() == WavFormat.Encoding.FLOAT && format.sampleBytes() == 4 && !planar) {
            MemorySegment.copy(samples, FLOAT, 0, out, ValueLayout.JAVA_FLOAT_UNALIGNED, 0, count);
            return;
        }
        if (planar && channels == 2 && format.elementType() == ElementType.INT16 && format.sampleBytes() == 2) {
            stereo(samples, frames, stride, out);
            return;
        }
        FloatReader reader = reader(format);
        int blockFrames = planar ? Math.max(1, BLOCK / channels) : BLOCK;
        float[] block = new float[(int) Math.min(count, (long) blockFrames * (planar ? channels : 1))];
        float[] plane = new float[planar ? Math.min((int) Math.min(frames, BLOCK), blockFrames) : 0];
        for (long done = 0; done < count; done += block.length) {
            int n = (int) Math.min(block.length, count - done);
            reader.read(samples, done, block, n);
            if (planar) {
                scatter(block, n / channels, done / channels, channels, stride, plane, out);
            } else {
                MemorySegment.copy(block, 0, out, ValueLayout.JAVA_FLOAT_UNALIGNED, done * Float.BYTES, n);
            }
        }
    }

    /// Two shorts are read as one integer, so that taking the channels apart is arithmetic, which has vector
    /// instructions, and not a walk with strides.
    private static void stereo(MemorySegment samples, long frames, long stride, MemorySegment out) {
        int[] pairs = new int[(int) Math.min(frames, BLOCK)];
        float[] plane = new float[pairs.length];
        for (long done = 0; done < frames; done += pairs.length) {
            int n = (int) Math.min(pairs.length, frames - done);
            MemorySegment.copy(samples, INT, done * Integer.BYTES, pairs, 0, n);
            for (int i = 0; i < n; i++) {
                plane[i] = (short) pairs[i] * 0x1p-15f;
            }
            MemorySegment.copy(plane, 0, out, ValueLayout.JAVA_FLOAT_UNALIGNED, done * Float.BYTES, n);
            for (int i = 0; i < n; i++) {
                plane[i] = (pairs[i] >> 16) * 0x1p-15f;
            }
            MemorySegment.copy(plane, 0, out, ValueLayout.JAVA_FLOAT_UNALIGNED, (stride + done) * Float.BYTES, n);
        }
    }

    /// Each channel of a block is gathered in an array, because a store for each sample would cost a check each.
    private static void scatter(
            float[] block, int frames, long first, int channels, long stride, float[] plane, MemorySegment out) {
        for (int c = 0; c < channels; c++) {
            for (int i = 0, from = c; i < frames; i++, from += channels) {
                plane[i] = block[from];
            }
            MemorySegment.copy(
                    plane, 0, out, ValueLayout.JAVA_FLOAT_UNALIGNED, (c * stride + first) * Float.BYTES, frames);
        }
    }

    /// Reads `n` samples from number `from` on.
    @FunctionalInterface
    private interface FloatReader {
        void read(MemorySegment samples, long from, float[] block, int n);
    }

    private static FloatReader reader(WavFormat format) {
        if (format.encoding() == WavFormat.Encoding.FLOAT) {
            return format.sampleBytes() == 4 ? SampleConversion::floats : SampleConversion::doubles;
        }
        return switch (format.sampleBytes()) {
            case 1 -> SampleConversion::bytes;
            case 2 -> new Shorts();
            case 3 -> SampleConversion::triples;
            default -> SampleConversion::ints;
        };
    }

    private static void floats(MemorySegment samples, long from, float[] block, int n) {
        MemorySegment.copy(samples, FLOAT, from * Float.BYTES, block, 0, n);
    }

    private static void doubles(MemorySegment samples, long from, float[] block, int n) {
        for (int i = 0; i < n; i++) {
            block[i] = (float) samples.get(DOUBLE, (from + i) * Double.BYTES);
        }
    }

    private static void bytes(MemorySegment samples, long from, float[] block, int n) {
        for (int i = 0; i < n; i++) {
            block[i] = ((samples.get(ValueLayout.JAVA_BYTE, from + i) & 0xFF) - 128) * 0x1p-7f;
        }
    }

    private static final class Shorts implements FloatReader {
        private short[] shorts = new short[BLOCK];

        @Override
        public void read(MemorySegment samples, long from, float[] block, int n) {
            shorts = shorts.length < n ? new short[n] : shorts;
            MemorySegment.copy(samples, SHORT, from * Short.BYTES, shorts, 0, n);
            for (int i = 0; i < n; i++) {
                block[i] = shorts[i] * 0x1p-15f;
            }
        }
    }

    private static void triples(MemorySegment samples, long from, float[] block, int n) {
        for (int i = 0; i < n; i++) {
            block[i] = triple(samples, 3 * (from + i)) * 0x1p-31f;
        }
    }

    private static void ints(MemorySegment samples, long from, float[] block, int n) {
        for (int i = 0; i < n; i++) {
            block[i] = samples.get(INT, (from + i) * Integer.BYTES) * 0x1p-31f;
        }
    }

    /// Three bytes as the upper ones of four.
    private static int triple(MemorySegment samples, long at) {
        return (samples.get(SHORT, at) & 0xFFFF) << 8 | samples.get(ValueLayout.JAVA_BYTE, at + 2) << 24;
    }

    static void toInt(MemorySegment samples, WavFormat format, long frames, MemorySegment target) {
        long count = frames * format.channels();
        MemorySegment out = target.asSlice(0, Math.multiplyExact(count, Integer.BYTES));
        for (long i = 0; i < count; i++) {
            int sample = switch (format.sampleBytes()) {
                case 1 -> ((samples.get(ValueLayout.JAVA_BYTE, i) & 0xFF) - 128) << 24;
                case 2 -> samples.get(SHORT, 2 * i) << 16;
                case 3 -> triple(samples, 3 * i);
                default -> samples.get(INT, 4 * i);
            };
            out.set(ValueLayout.JAVA_INT_UNALIGNED, i * Integer.BYTES, sample);
        }
    }
}
