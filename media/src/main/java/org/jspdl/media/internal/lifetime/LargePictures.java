package org.jspdl.media.internal.lifetime;

import java.util.concurrent.Semaphore;

/// Bounds the memory that large pictures take while they are decoded, over all calls of one decoder.
///
/// A picture that takes more than [#SMALL] waits until there is room for it; one that takes more than there is at all
/// has it to itself. First come, first served. Safe for use by any number of threads.
public final class LargePictures {
    /// Bytes that a call may take, and keep, without asking.
    public static final long SMALL = 32L << 20;
    /// Bytes for all large pictures at once.
    public static final long ROOM = 1L << 30;

    /// Bytes that the planes of a codec, and those that they are converted to, take for each pixel.
    private static final int BYTES_A_PIXEL = 8;
    /// Bytes of a coefficient of a JPEG picture of several scans, with what the decoder knows of it and some that
    /// are not used.
    private static final int BYTES_A_COEFFICIENT = 4;
    private static final long UNIT = 1L << 20;

    private final Semaphore units = new Semaphore(Math.toIntExact(ROOM / UNIT), true);

    /// About how many bytes decoding takes besides the output.
    public static long bytes(int width, int height, int bitDepth, int reduce) {
        long pixels = Math.ceilDiv(width, reduce) * (long) Math.ceilDiv(height, reduce);
        return pixels * BYTES_A_PIXEL * (bitDepth > 8 ? 2 : 1);
    }

    /// About how many bytes more it takes to keep this number of coefficients until all scans have come.
    public static long coefficientBytes(long coefficients) {
        return BYTES_A_COEFFICIENT * coefficients;
    }

    /// Runs `decoding`, which takes `bytes`, when there is room for it.
    public void run(long bytes, Runnable decoding) {
        int needed = (int) Math.min(Math.ceilDiv(bytes, UNIT), ROOM / UNIT);
        units.acquireUninterruptibly(needed);
        try {
            decoding.run();
        } finally {
            units.release(needed);
        }
    }

    /// Bytes that are taken now.
    public long taken() {
        return ROOM - units.availablePermits() * UNIT;
    }
}
