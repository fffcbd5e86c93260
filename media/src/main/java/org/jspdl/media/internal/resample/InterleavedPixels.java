package org.jspdl.media.internal.resample;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Pixels as encoders take them: in native memory, channels last, red first. Through arrays of some thousand pixels,
/// because a loop over elements of two segments of unknown kind costs several times as much.
public final class InterleavedPixels {
    private static final int AT_ONCE = 4096;

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
