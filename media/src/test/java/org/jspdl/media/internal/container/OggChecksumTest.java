package org.jspdl.media.internal.container;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

class OggChecksumTest {
    @Test
    void theChecksumIsThatOfEachBitInTurn() {
        Random random = new Random(1);
        for (int length = 0; length < 200; length++) {
            byte[] bytes = new byte[length + 9];
            random.nextBytes(bytes);
            int from = length % 9;
            int begin = random.nextInt();

            assertThat(OggChecksum.add(begin, MemorySegment.ofArray(bytes), from, from + length))
                    .as("%d bytes", length)
                    .isEqualTo(bitByBit(begin, bytes, from, from + length));
        }
    }

    @Test
    void oneByteMoreIsTheSameAsABlockOfOne() {
        for (int value = 0; value < 256; value++) {
            byte[] one = {(byte) value};
            assertThat(OggChecksum.add(0x12345678, one[0])).isEqualTo(bitByBit(0x12345678, one, 0, 1));
        }
    }

    /// The check value that tables of CRCs state for this polynomial.
    @Test
    void theChecksumOfNineDigitsIsTheKnownOne() {
        byte[] digits = "123456789".getBytes(StandardCharsets.US_ASCII);
        assertThat(OggChecksum.add(0, MemorySegment.ofArray(digits), 0, digits.length))
                .isEqualTo(0x89A1897F);
    }

    private static int bitByBit(int begin, byte[] bytes, int from, int to) {
        int rest = begin;
        for (int i = from; i < to; i++) {
            rest ^= bytes[i] << 24;
            for (int bit = 0; bit < 8; bit++) {
                rest = rest < 0 ? (rest << 1) ^ 0x04C11DB7 : rest << 1;
            }
        }
        return rest;
    }
}
