package org.jspdl.media.internal.jpeg;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/// Reads the entropy-coded data of a scan (ITU-T T.81, F.2), block by block.
///
/// The bits to come are at the top of a `long` that is filled up eight bytes at a time, without a branch: the count of
/// bits says which bytes to read, so that reading some of them again does no harm. Used by one thread at a time.
final class ScanReader {
    /// A scan of more bytes is not taken: it is copied to the heap.
    static final int MOST_BYTES = 4 << 20;
    /// Zeros behind the data: more than 16 blocks of 64 codes of at most 26 bits can take.
    private static final int PADDING = 4096;

    private static final VarHandle BIG_ENDIAN =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle LITTLE_ENDIAN =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong EIGHT = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101010101010101L;
    private static final long TOPS = 0x8080808080808080L;
    /// So many look-ups of [HuffmanCode#BITS] bits before more bits are needed.
    private static final int LOOK_UPS = 4;
    /// Of codes that are skipped with their values, which may lie beyond the bits looked up: up to 21 bits.
    private static final int SKIPS = 2;
    private static final int LAST_OF_BLOCK = 63;
    private static final int LAST = LAST_OF_BLOCK * BlockBatch.CAPACITY;
    private static final int END = 64 * BlockBatch.CAPACITY;

    private byte[] data = new byte[0];
    private int end;
    private long bits;
    private int count;
    private int position;
    private boolean damaged;
    /// The DC coefficient of each component's last block.
    private final int[] predictions = new int[3];

    /// Copies the data of a scan, from byte `from` of `file` to the next marker, without the zero bytes that keep
    /// data apart from markers. Returns where the marker is; -1 if there is none, or too much data.
    long load(MemorySegment file, long from) {
        long most = file.byteSize() - from;
        if (most > MOST_BYTES) {
            return -1;
        }
        if (data.length < most + PADDING) {
            data = new byte[(int) (most + most / 4 + PADDING)];
        }
        byte[] into = data;
        long size = file.byteSize();
        long at = from;
        int to = 0;
        long marker = -1;
        while (at + Long.BYTES < size) {
            long eight = file.get(EIGHT, at);
            // a byte of eight ones leaves a zero byte in the complement; the first of them is found exactly
            long found = (~eight - ONES) & eight & TOPS;
            LITTLE_ENDIAN.set(into, to, eight);
            if (found == 0) {
                at += Long.BYTES;
                to += Long.BYTES;
                continue;
            }
            int before = Long.numberOfTrailingZeros(found) >>> 3;
            at += before;
            to += before + 1;
            if (file.get(ValueLayout.JAVA_BYTE, at + 1) != 0) {
                marker = at;
                to--;
                break;
            }
            at += 2;
        }
        for (; marker < 0 && at + 1 < size; at++) {
            byte one = file.get(ValueLayout.JAVA_BYTE, at);
            if (one == (byte) 0xFF) {
                if (file.get(ValueLayout.JAVA_BYTE, at + 1) != 0) {
                    marker = at;
                    break;
                }
                at++;
            }
            into[to++] = one;
        }
        end = to;
        Arrays.fill(into, to, to + PADDING, (byte) 0);
        bits = 0;
        count = 0;
        position = 0;
        damaged = false;
        Arrays.fill(predictions, 0);
        return marker;
    }

    /// How many bits were not read; negative if more were read than there are.
    long bitsLeft() {
        return 8L * end - (8L * position - count);
    }

    /// Reads some units, transforming their blocks whenever enough have come together; returns whether they are
    /// sound.
    boolean read(McuLayout unit, int units, InverseTransform transform) {
        boolean sound = true;
        for (int i = 0; i < units && sound; i++) {
            for (int b = 0; b < unit.blocks(); b++) {
                BlockBatch batch = unit.batches[b];
                int block = batch.add(unit.places[b], transform);
                unit.places[b] += unit.steps[b];
                int component = unit.components[b];
                predictions[component] = block(
                        unit.dc[b], unit.ac[b], unit.pairs[b], predictions[component], batch.coefficients(), block);
            }
            sound = !damaged && position <= end + Long.BYTES;
        }
        return sound;
    }

    /// Reads a block.
    ///
    /// @param prediction   the DC coefficient of the component's last block
    /// @param coefficients of all blocks, zeros: coefficient `k` in the order of the file of block `b` is at
    ///     `k * BlockBatch.CAPACITY + b`
    /// @return the DC coefficient
    private int block(HuffmanCode dc, HuffmanCode ac, long[] pairs, int prediction, int[] coefficients, int block) {
        byte[] data = this.data;
        long bits = this.bits;
        int count = this.count;
        int position = this.position;
        bits |= (long) BIG_ENDIAN.get(data, position) >>> count;
        position += (63 - count) >> 3;
        count |= 56;
        int entry = dc.entries[(int) (bits >>> HuffmanCode.LOOK_UP)];
        if (entry >>> HuffmanCode.ADVANCE == HuffmanCode.UNKNOWN) {
            entry = dc.find(bits);
            damaged |= entry == HuffmanCode.NO_CODE;
        }
        int sum = prediction + HuffmanCode.value(bits, entry);
        coefficients[block] = sum;
        bits <<= entry;
        count -= entry & 0x3F;
        int at = block;
        while (at < LAST) {
            bits |= (long) BIG_ENDIAN.get(data, position) >>> count;
            position += (63 - count) >> 3;
            count |= 56;
            long pair;
            int next;
            int lookUps = 0;
            do {
                pair = pairs[(int) (bits >>> HuffmanCode.LOOK_UP)];
                next = at + ((int) pair & 0xFF00);
                if (next >= LAST) {
                    break;
                }
                coefficients[at + ((int) (pair >>> 16) & 0xFF00)] = (int) (pair << 16 >> 48);
                coefficients[next] = (int) (pair >> 48);
                at = next;
                bits <<= pair;
                count -= (int) pair & 0x3F;
            } while (++lookUps < LOOK_UPS);
            if (next < LAST) {
                continue;
            }
            int first = (int) (pair >>> 16) & 0xFF00;
            if ((pair & 0xFF00) == CoefficientTable.ENDS << 8 && at + first < LAST) {
                if (first > 0) {
                    coefficients[at + first] = (int) (pair << 16 >> 48);
                }
                bits <<= pair;
                count -= (int) pair & 0x3F;
                break;
            }
            bits |= (long) BIG_ENDIAN.get(data, position) >>> count;
            position += (63 - count) >> 3;
            count |= 56;
            entry = ac.entries[(int) (bits >>> HuffmanCode.LOOK_UP)];
            if (entry >>> HuffmanCode.ADVANCE == HuffmanCode.UNKNOWN) {
                entry = ac.find(bits);
                damaged |= entry == HuffmanCode.NO_CODE;
            }
            int advance = entry >>> HuffmanCode.ADVANCE;
            at += advance << 8;
            if (at < END) {
                coefficients[at] = HuffmanCode.value(bits, entry);
            } else if (advance != HuffmanCode.END_OF_BLOCK) {
                damaged = true;
            }
            bits <<= entry;
            count -= entry & 0x3F;
        }
        this.bits = bits;
        this.count = count;
        this.position = position;
        return sum;
    }

    /// Passes over some units, of which only the DC coefficients are kept in mind; returns whether they are sound.
    boolean skip(McuLayout unit, int units) {
        byte[] data = this.data;
        long bits = this.bits;
        int count = this.count;
        int position = this.position;
        boolean damaged = false;
        for (int i = 0; i < units && !damaged; i++) {
            for (int b = 0; b < unit.blocks(); b++) {
                bits |= (long) BIG_ENDIAN.get(data, position) >>> count;
                position += (63 - count) >> 3;
                count |= 56;
                int entry = unit.dc[b].entries[(int) (bits >>> HuffmanCode.LOOK_UP)];
                if (entry >>> HuffmanCode.ADVANCE == HuffmanCode.UNKNOWN) {
                    entry = unit.dc[b].find(bits);
                    damaged |= entry == HuffmanCode.NO_CODE;
                }
                predictions[unit.components[b]] += HuffmanCode.value(bits, entry);
                bits <<= entry;
                count -= entry & 0x3F;
                int[] skips = unit.skips[b];
                int at = 0;
                while (at < LAST_OF_BLOCK) {
                    bits |= (long) BIG_ENDIAN.get(data, position) >>> count;
                    position += (63 - count) >> 3;
                    count |= 56;
                    int several;
                    int next;
                    int lookUps = 0;
                    do {
                        several = skips[(int) (bits >>> HuffmanCode.LOOK_UP)];
                        next = at + (several >>> HuffmanCode.ADVANCE);
                        if (next >= LAST_OF_BLOCK) {
                            break;
                        }
                        at = next;
                        bits <<= several;
                        count -= several & 0x3F;
                    } while (++lookUps < SKIPS);
                    if (next < LAST_OF_BLOCK) {
                        continue;
                    }
                    if (next >= HuffmanCode.END_OF_BLOCK && next < HuffmanCode.END_OF_BLOCK + LAST_OF_BLOCK) {
                        bits <<= several;
                        count -= several & 0x3F;
                        break;
                    }
                    bits |= (long) BIG_ENDIAN.get(data, position) >>> count;
                    position += (63 - count) >> 3;
                    count |= 56;
                    entry = unit.ac[b].entries[(int) (bits >>> HuffmanCode.LOOK_UP)];
                    if (entry >>> HuffmanCode.ADVANCE == HuffmanCode.UNKNOWN) {
                        entry = unit.ac[b].find(bits);
                        damaged |= entry == HuffmanCode.NO_CODE;
                    }
                    int advance = entry >>> HuffmanCode.ADVANCE;
                    at += advance;
                    damaged |= at > LAST_OF_BLOCK && advance != HuffmanCode.END_OF_BLOCK;
                    bits <<= entry;
                    count -= entry & 0x3F;
                }
            }
            damaged |= position > end + Long.BYTES;
        }
        this.bits = bits;
        this.count = count;
        this.position = position;
        return !damaged;
    }
}
