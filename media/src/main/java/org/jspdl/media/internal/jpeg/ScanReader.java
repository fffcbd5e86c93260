package org.jspdl.media.internal.jpeg;

import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.jspdl.media.internal.jpeg.transform.BlockTransforms;

/// Reads the blocks of a sequential scan (ITU-T T.81, F.2), unit by unit.
///
/// The bits to come are at the top of a `long` that is filled up eight bytes at a time, without a branch: the count of
/// bits says which bytes to read, so that reading some of them again does no harm. Used by one thread at a time.
final class ScanReader {
    private static final VarHandle BIG_ENDIAN = ScanData.BIG_ENDIAN;
    /// The number of look-ups of [HuffmanCode#BITS] bits before more bits are needed.
    private static final int LOOK_UPS = 4;
    /// Behind a code with its value, of at most 31 of 56 bits or more, there are bits for two look-ups less.
    private static final int BEHIND_A_CODE = 2;
    /// Of codes that are skipped with their values, which may lie beyond the bits looked up: up to 26 bits.
    private static final int SKIPS = 2;
    private static final int LAST_OF_BLOCK = 63;
    private static final int LAST = LAST_OF_BLOCK * BlockBatch.CAPACITY;
    private static final int END = 64 * BlockBatch.CAPACITY;

    /// What can be wrong with a block.
    private static final int NO_CODE = 1;
    private static final int TOO_LONG = 2;

    private final Strictness strictness;
    private final ScanData source;
    private long bits;
    private int count;
    private int position;
    private int damage;
    /// Behind this one, no coefficient of the last block is other than zero.
    private int last;
    /// The DC coefficient of each component's last block.
    private final int[] predictions = new int[4];

    ScanReader(Strictness strictness, ScanData source) {
        this.strictness = strictness;
        this.source = source;
    }

    /// Begins with a scan or with an interval of it.
    void begin() {
        Arrays.fill(predictions, 0);
    }

    private void load() {
        bits = source.bits;
        count = source.count;
        position = source.position;
    }

    private void save() {
        source.bits = bits;
        source.count = count;
        source.position = position;
    }

    /// Reads up to `units` units, transforming their blocks whenever enough have come together; returns how many
    /// there were before the data ended.
    int read(McuLayout unit, int units, BlockTransforms transforms) {
        unit.prepareToRead();
        load();
        for (int i = 0; i < units; i++) {
            for (int b = 0; b < unit.blocks(); b++) {
                BlockBatch batch = unit.batches[b];
                int block = batch.add(unit.places[b], transforms);
                unit.places[b] += unit.steps[b];
                int component = unit.components[b];
                predictions[component] = block(
                        unit.dc[b], unit.ac[b], unit.pairs[b], predictions[component], batch.coefficients(), block);
                batch.finish(block, last);
            }
            if (damage != 0) {
                report();
            }
            if (position > source.limit) {
                save();
                if (!source.isThere()) {
                    return i + 1;
                }
                load();
            }
        }
        save();
        return units;
    }

    private void report() {
        String what = (damage & NO_CODE) != 0
                ? "there is no such Huffman code in the unit that ends here"
                : "a block has too many coefficients in the unit that ends here";
        damage = 0;
        save();
        if (!strictness.keepsDamaged()) {
            strictness.damaged(source.offset(), what);
        }
    }

    /// Reads a block.
    ///
    /// @param prediction   the DC coefficient of the component's last block
    /// @param coefficients of all blocks, zeros: coefficient `k` in the order of the file of block `b` is at
    ///     `k * BlockBatch.CAPACITY + b`
    /// @return the DC coefficient
    private int block(HuffmanCode dc, HuffmanCode ac, long[] pairs, int prediction, int[] coefficients, int block) {
        byte[] data = source.data;
        long bits = this.bits;
        int count = this.count;
        int position = this.position;
        bits |= (long) BIG_ENDIAN.get(data, position) >>> count;
        position += (63 - count) >> 3;
        count |= 56;
        int entry = dc.entries[(int) (bits >>> HuffmanCode.LOOK_UP)];
        if (entry >>> HuffmanCode.ADVANCE == HuffmanCode.UNKNOWN) {
            entry = dc.find(bits);
            damage |= entry == HuffmanCode.NO_CODE ? NO_CODE : 0;
        }
        int sum = prediction + HuffmanCode.value(bits, entry);
        coefficients[block] = (short) sum;
        bits <<= entry;
        count -= entry & 0x3F;
        int at = block;
        int lookUps = BEHIND_A_CODE;
        while (at < LAST) {
            long pair;
            int next;
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
            if (next >= LAST) {
                int first = (int) (pair >>> 16) & 0xFF00;
                if ((pair & CoefficientTable.ENDED) == CoefficientTable.ENDS << 8 && at + first < LAST) {
                    // whether a block ends with a coefficient cannot be foreseen, so there is no
                    // branch
                    coefficients[first == 0 ? BlockBatch.SPARE : at + first] = (int) (pair << 16 >> 48);
                    at += first;
                    bits <<= pair;
                    count -= (int) pair & 0x3F;
                    break;
                }
            }
            bits |= (long) BIG_ENDIAN.get(data, position) >>> count;
            position += (63 - count) >> 3;
            count |= 56;
            lookUps = 0;
            if (next < LAST) {
                continue;
            }
            entry = ac.entries[(int) (bits >>> HuffmanCode.LOOK_UP)];
            if (entry >>> HuffmanCode.ADVANCE == HuffmanCode.UNKNOWN) {
                entry = ac.find(bits);
                damage |= entry == HuffmanCode.NO_CODE ? NO_CODE : 0;
            }
            lookUps = BEHIND_A_CODE;
            int advance = entry >>> HuffmanCode.ADVANCE;
            at += advance << 8;
            if (at < END) {
                coefficients[at] = HuffmanCode.value(bits, entry);
            } else if ((entry & HuffmanCode.VALUE) != 0) {
                coefficients[LAST + block] = HuffmanCode.value(bits, entry);
                damage |= TOO_LONG;
            }
            bits <<= entry;
            count -= entry & 0x3F;
        }
        this.bits = bits;
        this.count = count;
        this.position = position;
        last = Math.min(at >> BlockBatch.SHIFT, LAST_OF_BLOCK);
        return sum;
    }

    /// Passes over up to `units` units; returns how many there were before the data ended.
    ///
    /// @param keepsDc whether the DC coefficients are kept, as [#read] keeps them all
    int skip(McuLayout unit, int units, boolean keepsDc, BlockTransforms transforms) {
        unit.prepareToSkip();
        load();
        byte[] data = source.data;
        long bits = this.bits;
        int count = this.count;
        int position = this.position;
        int damage = 0;
        for (int i = 0; i < units; i++) {
            for (int b = 0; b < unit.blocks(); b++) {
                bits |= (long) BIG_ENDIAN.get(data, position) >>> count;
                position += (63 - count) >> 3;
                count |= 56;
                int entry = unit.dc[b].entries[(int) (bits >>> HuffmanCode.LOOK_UP)];
                if (entry >>> HuffmanCode.ADVANCE == HuffmanCode.UNKNOWN) {
                    entry = unit.dc[b].find(bits);
                    damage |= entry == HuffmanCode.NO_CODE ? NO_CODE : 0;
                }
                int dc = predictions[unit.components[b]] + HuffmanCode.value(bits, entry);
                predictions[unit.components[b]] = dc;
                if (keepsDc) {
                    BlockBatch batch = unit.batches[b];
                    batch.coefficients()[batch.add(unit.places[b], transforms)] = (short) dc;
                    unit.places[b] += unit.steps[b];
                }
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
                        damage |= entry == HuffmanCode.NO_CODE ? NO_CODE : 0;
                    }
                    at += entry >>> HuffmanCode.ADVANCE;
                    damage |= at > LAST_OF_BLOCK && (entry & HuffmanCode.VALUE) != 0 ? TOO_LONG : 0;
                    bits <<= entry;
                    count -= entry & 0x3F;
                }
            }
            if (damage != 0 || position > source.limit) {
                this.bits = bits;
                this.count = count;
                this.position = position;
                this.damage |= damage;
                if (damage != 0) {
                    report();
                    damage = 0;
                }
                save();
                if (position > source.limit && !source.isThere()) {
                    return i + 1;
                }
                bits = source.bits;
                count = source.count;
                position = source.position;
            }
        }
        this.bits = bits;
        this.count = count;
        this.position = position;
        save();
        return units;
    }
}
