package org.jspdl.media.internal.container;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// The checksum of a page of Ogg (RFC 3533): a CRC of 32 bits, highest bit first, eight bytes at a time.
final class OggChecksum {
    private static final int POLYNOMIAL = 0x04C11DB7;
    private static final int AT_ONCE = Long.BYTES;
    /// What a byte adds with so many bytes behind it, up to seven.
    private static final int[][] REMAINDERS = remainders();

    private static final ValueLayout.OfLong BIG_ENDIAN =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private OggChecksum() {}

    private static int[][] remainders() {
        int[][] tables = new int[AT_ONCE][256];
        for (int i = 0; i < 256; i++) {
            int rest = i << 24;
            for (int bit = 0; bit < Byte.SIZE; bit++) {
                rest = rest < 0 ? (rest << 1) ^ POLYNOMIAL : rest << 1;
            }
            tables[0][i] = rest;
        }
        for (int behind = 1; behind < AT_ONCE; behind++) {
            for (int i = 0; i < 256; i++) {
                tables[behind][i] = add(tables[behind - 1][i], (byte) 0, tables[0]);
            }
        }
        return tables;
    }

    private static int add(int checksum, byte next, int[] table) {
        return (checksum << Byte.SIZE) ^ table[(checksum >>> 24) ^ (next & 0xFF)];
    }

    /// The checksum with one byte more.
    static int add(int checksum, byte next) {
        return add(checksum, next, REMAINDERS[0]);
    }

    /// The checksum with the bytes from `from` to `to` more.
    static int add(int checksum, MemorySegment bytes, long from, long to) {
        int[][] tables = REMAINDERS;
        int sum = checksum;
        long at = from;
        for (; to - at >= AT_ONCE; at += AT_ONCE) {
            long next = bytes.get(BIG_ENDIAN, at);
            int high = (int) (next >>> 32) ^ sum;
            int low = (int) next;
            sum = tables[7][high >>> 24]
                    ^ tables[6][(high >>> 16) & 0xFF]
                    ^ tables[5][(high >>> 8) & 0xFF]
                    ^ tables[4][high & 0xFF]
                    ^ tables[3][low >>> 24]
                    ^ tables[2][(low >>> 16) & 0xFF]
                    ^ tables[1][(low >>> 8) & 0xFF]
                    ^ tables[0][low & 0xFF];
        }
        for (; at < to; at++) {
            sum = add(sum, bytes.get(ValueLayout.JAVA_BYTE, at), tables[0]);
        }
        return sum;
    }
}
