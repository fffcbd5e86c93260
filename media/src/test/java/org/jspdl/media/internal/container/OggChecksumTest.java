package org.jspdl.media.internal.container;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

class OggChecksumTest {
    private final OggChecksum checksum = new OggChecksum();

    @Test
    void theChecksumIsThatOfEachBitInTurn() {
        Random random = new Random(1);
        for (int length = 0; length < 200; length++) {
            byte[] bytes = new byte[length + 9];
            random.nextBytes(bytes);
            int from = length % 9;

            checksum.begin();
            checksum.add(MemorySegment.ofArray(bytes), from, from + length);
            assertThat(checksum.sum()).as("%d bytes", length).isEqualTo(bitByBit(bytes, from, from + length));
        }
    }

    @Test
    void theChecksumOfPartsIsThatOfTheWhole() {
        Random random = new Random(2);
        try (Arena arena = Arena.ofConfined()) {
            for (int run = 0; run < 50; run++) {
                byte[] bytes = new byte[random.nextInt(65_307)];
                random.nextBytes(bytes);
                MemorySegment all = arena.allocate(bytes.length + 1L);
                all.asSlice(0, bytes.length).copyFrom(MemorySegment.ofArray(bytes));

                checksum.begin();
                for (int at = 0; at < bytes.length; ) {
                    int to = Math.min(bytes.length, at + 1 + random.nextInt(random.nextBoolean() ? 20 : 10_000));
                    checksum.add(all, at, to);
                    at = to;
                }
                assertThat(checksum.sum()).as("run %d", run).isEqualTo(bitByBit(bytes, 0, bytes.length));
            }
        }
    }

    @Test
    void everyByteCounts() {
        for (int value = 0; value < 256; value++) {
            byte[] one = {(byte) value};
            checksum.begin();
            checksum.add(MemorySegment.ofArray(one), 0, 1);
            assertThat(checksum.sum()).isEqualTo(bitByBit(one, 0, 1));
        }
    }

    /// The check value that tables of CRCs state for this polynomial.
    @Test
    void theChecksumOfNineDigitsIsTheKnownOne() {
        byte[] digits = "123456789".getBytes(StandardCharsets.US_ASCII);
        checksum.begin();
        checksum.add(MemorySegment.ofArray(digits), 0, digits.length);
        assertThat(checksum.sum()).isEqualTo(0x89A1897F);
    }

    private static int bitByBit(byte[] bytes, int from, int to) {
        int rest = 0;
        for (int i = from; i < to; i++) {
            rest ^= bytes[i] << 24;
            for (int bit = 0; bit < 8; bit++) {
                rest = rest < 0 ? (rest << 1) ^ 0x04C11DB7 : rest << 1;
            }
        }
        return rest;
    }
}
