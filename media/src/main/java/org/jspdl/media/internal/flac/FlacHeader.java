package org.jspdl.media.internal.flac;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Optional;

/// What the first block of a FLAC file says.
///
/// @param blockSamples the most samples of each channel that a frame has
/// @param samples      of each channel, 0 if unknown
public record FlacHeader(int sampleRateHz, int channels, int bits, int blockSamples, long samples) {
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final int MAGIC = 0x664C_6143;
    private static final int STREAM_INFO_BYTES = 34;
    private static final int BYTE_SIZE = 8 + STREAM_INFO_BYTES;

    /// The header of `file`; empty if it does not begin as FLAC files do.
    public static Optional<FlacHeader> of(MemorySegment file) {
        if (file.byteSize() < BYTE_SIZE || file.get(INT, 0) != MAGIC) {
            return Optional.empty();
        }
        // The upper bit of the type says that no other block follows.
        int block = file.get(INT, 4) & 0x7FFF_FFFF;
        int blockSamples = file.get(INT, 8) & 0xFFFF;
        long packed = file.get(LONG, 18);
        int rate = (int) (packed >>> 44);
        FlacHeader header = new FlacHeader(
                rate,
                (int) (packed >>> 41 & 7) + 1,
                (int) (packed >>> 36 & 31) + 1,
                blockSamples,
                packed & 0xF_FFFF_FFFFL);
        boolean sensible = block == STREAM_INFO_BYTES && rate > 0 && header.bits >= 4 && blockSamples >= 16;
        return sensible ? Optional.of(header) : Optional.empty();
    }
}
