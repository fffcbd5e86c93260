package org.jspdl.media.internal.resample;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// Pixels as encoders take them: in native memory, channels last, red first. Through arrays of some thousand pixels,
/// because a loop over elements of two segments of unknown kind costs several times as much.
public final class InterleavedPixels {
    private static final int AT_ONCE = 4096;
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    private final int channels;
    private final int elementBytes;
    private final boolean planar;
    private final boolean blueFirst;

    /// @param channels     of each pixel
    /// @param elementBytes 1 or 2
    /// @param planar       whether the given pixels have all of one channel together
    /// @param blueFirst    whether their first three channels are blue, green and red
    public InterleavedPixels(int channels, int elementBytes, boolean planar, boolean blueFirst) {
        this.channels = channels;
        this.elementBytes = elementBytes;
        this.planar = planar;
        this.blueFirst = blueFirst && channels > 2;
    }

    /// `image`, whose size is that of whole pixels, in memory of `arena`.
    public MemorySegment copy(MemorySegment image, Arena arena) {
        MemorySegment pixels = arena.allocate(Math.max(1, image.byteSize()));
        if (planar && channels == 3 && elementBytes == 1) {
            interleave(image, pixels);
            return pixels;
        }
        int pixelBytes = channels * elementBytes;
        long count = image.byteSize() / pixelBytes;
        byte[] given = new byte[(int) Math.min(count, AT_ONCE) * (planar ? elementBytes : pixelBytes)];
        byte[] made = new byte[(int) Math.min(count, AT_ONCE) * pixelBytes];
        for (long first = 0; first < count; first += AT_ONCE) {
            int some = (int) Math.min(AT_ONCE, count - first);
            if (!planar) {
                read(image, first * pixelBytes, given, some * pixelBytes);
            }
            for (int channel = 0; channel < channels; channel++) {
                int from = blueFirst && channel < 3 ? 2 - channel : channel;
                if (planar) {
                    read(image, (from * count + first) * elementBytes, given, some * elementBytes);
                    spread(given, 0, 1, made, channel, some);
                } else {
                    spread(given, from, channels, made, channel, some);
                }
            }
            MemorySegment.copy(made, 0, pixels, ValueLayout.JAVA_BYTE, first * pixelBytes, some * pixelBytes);
        }
        return pixels;
    }

    /// Three planes of bytes, which is what nearly all images are: a pixel is one store of four bytes, of which the
    /// last is the next pixel's.
    private void interleave(MemorySegment image, MemorySegment pixels) {
        long count = image.byteSize() / 3;
        int most = (int) Math.min(count, AT_ONCE);
        byte[] first = new byte[most];
        byte[] second = new byte[most];
        byte[] third = new byte[most];
        byte[] made = new byte[most * 3 + 1];
        for (long at = 0; at < count; at += AT_ONCE) {
            int some = (int) Math.min(AT_ONCE, count - at);
            read(image, blueFirst ? 2 * count + at : at, first, some);
            read(image, count + at, second, some);
            read(image, blueFirst ? at : 2 * count + at, third, some);
            interleave(first, second, third, made, some);
            MemorySegment.copy(made, 0, pixels, ValueLayout.JAVA_BYTE, at * 3, some * 3);
        }
    }

    private static void interleave(byte[] first, byte[] second, byte[] third, byte[] made, int pixels) {
        for (int i = 0; i < pixels; i++) {
            INT.set(made, i * 3, (first[i] & 0xff) | ((second[i] & 0xff) << 8) | ((third[i] & 0xff) << 16));
        }
    }

    private static void read(MemorySegment image, long offset, byte[] target, int bytes) {
        MemorySegment.copy(image, ValueLayout.JAVA_BYTE, offset, target, 0, bytes);
    }

    /// Copies every `step`-th element from `from` on to the channel `to` of so many pixels.
    private void spread(byte[] given, int from, int step, byte[] made, int to, int pixels) {
        if (elementBytes == 1) {
            for (int i = 0; i < pixels; i++) {
                made[i * channels + to] = given[i * step + from];
            }
            return;
        }
        for (int i = 0; i < pixels * elementBytes; i++) {
            int pixel = i / elementBytes;
            int part = i % elementBytes;
            made[(pixel * channels + to) * elementBytes + part] = given[(pixel * step + from) * elementBytes + part];
        }
    }
}
