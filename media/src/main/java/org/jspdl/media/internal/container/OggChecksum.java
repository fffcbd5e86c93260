package org.jspdl.media.internal.container;

import java.lang.foreign.MemorySegment;
import java.util.zip.CRC32;

/// The checksum of a page of Ogg (RFC 3533), of bytes as they come. Used by one thread at a time.
///
/// It is the CRC of 32 bits that the JDK has instructions of the processor for, but with the highest bit of each byte
/// first, from zero on and not inverted in the end. So the bits of each byte are reversed before, and those of the sum
/// behind it, in loops that the compiler makes vectors of.
final class OggChecksum {
    /// Which bring the JDK's register to zero.
    private static final byte[] BEGINNING = {-1, -1, -1, -1};

    private static final int CHUNK = 1 << 12;
    private static final long ODD_BITS = 0x5555_5555_5555_5555L;
    private static final long ODD_PAIRS = 0x3333_3333_3333_3333L;
    private static final long LOW_HALVES = 0x0F0F_0F0F_0F0F_0F0FL;

    private final CRC32 crc = new CRC32();
    private final long[] words = new long[CHUNK / Long.BYTES];
    private final byte[] reversed = new byte[CHUNK];
    private final MemorySegment wordBytes = MemorySegment.ofArray(words);
    private final MemorySegment reversedBytes = MemorySegment.ofArray(reversed);

    /// Begins with no bytes.
    void begin() {
        crc.reset();
        crc.update(BEGINNING);
    }

    /// Adds the bytes from `from` to `to`.
    void add(MemorySegment bytes, long from, long to) {
        for (long at = from; at < to; at += CHUNK) {
            int count = (int) Math.min(CHUNK, to - at);
            MemorySegment.copy(bytes, at, wordBytes, 0, count);
            reverse(words, Math.ceilDiv(count, Long.BYTES));
            MemorySegment.copy(wordBytes, 0, reversedBytes, 0, count);
            crc.update(reversed, 0, count);
        }
    }

    /// Reverses the bits of each byte, whatever their order in the words.
    private static void reverse(long[] words, int count) {
        for (int i = 0; i < count; i++) {
            long word = words[i];
            word = ((word >>> 1) & ODD_BITS) | ((word & ODD_BITS) << 1);
            word = ((word >>> 2) & ODD_PAIRS) | ((word & ODD_PAIRS) << 2);
            words[i] = ((word >>> 4) & LOW_HALVES) | ((word & LOW_HALVES) << 4);
        }
    }

    /// That of all bytes since [#begin].
    int sum() {
        return Integer.reverse(~(int) crc.getValue());
    }
}
