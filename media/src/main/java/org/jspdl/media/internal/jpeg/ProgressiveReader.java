package org.jspdl.media.internal.jpeg;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/// Reads scans whose coefficients are kept until all have come (ITU-T T.81, G.1.2, and F.2 for sequential ones).
///
/// Which coefficients of a block are not zero is known from one `long`, so that correction bits are read for all of
/// them at once, and blocks without any are passed over. Corrections are kept as such sets until the end. What follows
/// from damaged data is as in libjpeg. Used by one thread at a time.
final class ProgressiveReader {
    private static final VarHandle BIG_ENDIAN = ScanData.BIG_ENDIAN;
    private static final int LAST = 63;

    private final Strictness strictness;
    private final ScanData source;
    private final int[] predictions = new int[4];
    /// How many more blocks have ended before they begin.
    private int ended;

    private long bits;
    private int count;
    private int position;
    private int first;
    private int last;
    private int low;

    ProgressiveReader(Strictness strictness, ScanData source) {
        this.strictness = strictness;
        this.source = source;
    }

    /// Begins with a scan or with an interval of it.
    void begin(Segments scan) {
        Arrays.fill(predictions, 0);
        ended = 0;
        first = scan.firstCoefficient;
        last = scan.lastCoefficient;
        low = scan.low;
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

    private boolean isThere() {
        if (position <= source.limit) {
            return true;
        }
        save();
        boolean there = source.isThere();
        load();
        return there;
    }

    private void damaged(String what) {
        if (!strictness.keepsDamaged()) {
            save();
            strictness.damaged(source.offset(), what);
        }
    }

    private void noCode() {
        damaged("there is no such Huffman code here");
    }

    private void tooLong() {
        damaged("a block has too many coefficients here");
    }

    private void refill() {
        bits |= (long) BIG_ENDIAN.get(source.data, position) >>> count;
        position += (63 - count) >> 3;
        count |= 56;
    }

    private int entry(HuffmanCode code) {
        int entry = code.entries[(int) (bits >>> HuffmanCode.LOOK_UP)];
        if (entry >>> HuffmanCode.ADVANCE == HuffmanCode.UNKNOWN) {
            entry = code.find(bits);
            if (entry == HuffmanCode.NO_CODE) {
                noCode();
            }
        }
        return entry;
    }

    private void take(int entry) {
        bits <<= entry;
        count -= entry & 0x3F;
    }

    /// Reads the first bits of the DC coefficient of a block; returns false if the data ended.
    boolean dcFirst(Component one, int index, HuffmanCode code, int block) {
        refill();
        int entry = entry(code);
        int dc = predictions[index] + HuffmanCode.value(bits, entry);
        take(entry);
        predictions[index] = dc;
        one.direct.set(Component.SHORT, 2L * block, (short) (dc << low));
        return isThere();
    }

    /// Reads one more bit of the DC coefficient of a block; returns false if the data ended.
    boolean dcRefine(Component one, int block) {
        refill();
        if (bits < 0) {
            int before = one.direct.get(Component.SHORT, 2L * block);
            one.direct.set(Component.SHORT, 2L * block, (short) (before | 1 << low));
        }
        bits <<= 1;
        count--;
        return isThere();
    }

    /// Reads a whole block of a sequential picture; returns false if the data ended.
    boolean sequential(Component one, int index, HuffmanCode dc, HuffmanCode ac, int block) {
        refill();
        int entry = entry(dc);
        int sum = predictions[index] + HuffmanCode.value(bits, entry);
        take(entry);
        predictions[index] = sum;
        one.direct.set(Component.SHORT, 2L * block, (short) sum);
        boolean hasAc = one.hasAc();
        long present = 0;
        int k = 0;
        while (k < LAST) {
            refill();
            entry = entry(ac);
            int advance = entry >>> HuffmanCode.ADVANCE;
            if (advance == HuffmanCode.END_OF_BLOCK) {
                take(entry);
                break;
            }
            k += advance;
            if ((entry & HuffmanCode.VALUE) != 0) {
                int value = HuffmanCode.value(bits, entry);
                if (hasAc && k <= LAST && (short) value != 0) {
                    one.coefficients.set(Component.SHORT, block * (long) Component.BLOCK + 2L * k, (short) value);
                    present |= Component.bit(k);
                } else {
                    present |= put(one, block, k, value, LAST);
                }
            }
            take(entry);
        }
        if (hasAc) {
            one.sets.set(Component.SET, block * (long) Component.SETS + Component.PRESENT, present);
            one.sets.set(Component.SET, block * (long) Component.SETS + Component.STORED, present);
        }
        return isThere();
    }

    /// Stores coefficient `k` of a block, which may lie behind the last one; returns its bit, if it is not zero.
    private long put(Component one, int block, int k, int value, int end) {
        if (k > end) {
            tooLong();
        }
        int kept = Math.min(k, LAST);
        if (one.hasAc()) {
            one.store(block, kept, value);
        }
        return (short) value == 0 ? 0 : Component.bit(kept);
    }

    /// Reads the first bits of the AC coefficients of `n` blocks from block `from` on; returns how many blocks
    /// there were before the data ended.
    ///
    /// @param keptFrom the first block whose coefficients are kept; of others it is only known whether they are
    ///     zero
    /// @param keptTo   the one behind the last of these
    int acFirst(Component one, HuffmanCode code, int from, int n, int keptFrom, int keptTo) {
        int[] entries = code.entries;
        MemorySegment coefficients = one.coefficients;
        MemorySegment sets = one.sets;
        int last = this.last;
        int low = this.low;
        load();
        byte[] data = source.data;
        long bits = this.bits;
        int count = this.count;
        int position = this.position;
        int block = from;
        while (block < from + n) {
            if (ended > 0) {
                int passed = Math.min(ended, from + n - block);
                ended -= passed;
                block += passed;
                continue;
            }
            long base = block >= keptFrom && block < keptTo ? block * (long) Component.BLOCK : one.spare;
            int k = first - 1;
            long added = 0;
            while (k < last) {
                bits |= (long) BIG_ENDIAN.get(data, position) >>> count;
                position += (63 - count) >> 3;
                count |= 56;
                int entry = entries[(int) (bits >>> HuffmanCode.LOOK_UP)];
                if (entry >>> HuffmanCode.ADVANCE == HuffmanCode.UNKNOWN) {
                    entry = code.find(bits);
                }
                int advance = entry >>> HuffmanCode.ADVANCE;
                if (advance == HuffmanCode.END_OF_BLOCK) {
                    ended = endedBlocks(bits, entry) - 1;
                    bits <<= entry;
                    count -= entry & 0x3F;
                    if (entry == HuffmanCode.NO_CODE) {
                        this.position = position;
                        this.count = count;
                        noCode();
                    }
                    break;
                }
                k += advance;
                if ((entry & HuffmanCode.VALUE) != 0) {
                    int value = HuffmanCode.value(bits, entry) << low;
                    if (k <= last && (short) value != 0) {
                        coefficients.set(Component.SHORT, base + 2L * k, (short) value);
                        added |= Component.bit(k);
                    } else {
                        added |= put(one, (int) (base / Component.BLOCK), k, value, last);
                    }
                }
                bits <<= entry;
                count -= entry & 0x3F;
            }
            if (added != 0) {
                long at = block * (long) Component.SETS;
                sets.set(
                        Component.SET, at + Component.PRESENT, sets.get(Component.SET, at + Component.PRESENT) | added);
                sets.set(Component.SET, at + Component.STORED, sets.get(Component.SET, at + Component.STORED) | added);
            }
            block++;
            if (position > source.limit) {
                this.bits = bits;
                this.count = count;
                this.position = position;
                if (!isThere()) {
                    return block - from;
                }
                bits = this.bits;
                count = this.count;
                position = this.position;
            }
        }
        this.bits = bits;
        this.count = count;
        this.position = position;
        save();
        return n;
    }

    /// How many blocks the code at the top of `bits` ends, this one among them.
    private static int endedBlocks(long bits, int entry) {
        int more = entry >>> 14 & 0xF;
        return (1 << more) + (int) (bits << (entry >>> 8) >>> 1 >>> (Long.SIZE - 1 - more));
    }

    /// Reads one more bit of the AC coefficients of `n` blocks from block `from` on; returns how many blocks there
    /// were before the data ended. What it reads goes to the corrections of the component.
    ///
    /// All coefficients of a block are dealt with at once: one [Long#expand] finds the one behind so many zeros,
    /// another gives the next bits of the file to those that have come before.
    int acRefine(Component one, HuffmanCode code, int from, int n) {
        int[] entries = code.entries;
        MemorySegment sets = one.sets;
        int corrections = low == 0 ? Component.ONES : Component.TWOS;
        long band = -1L >>> first & -1L << (LAST - last);
        load();
        byte[] data = source.data;
        long bits = this.bits;
        int count = this.count;
        int position = this.position;
        int ended = this.ended;
        for (int block = from; block < from + n; block++) {
            long at = block * (long) Component.SETS;
            long known = sets.get(Component.SET, at + Component.PRESENT);
            long larger = 0;
            long added = 0;
            long negative = 0;
            long rest = ended > 0 ? band & known : band;
            if (rest == 0) {
                ended--;
                continue;
            }
            while (rest != 0) {
                bits |= (long) BIG_ENDIAN.get(data, position) >>> count;
                position += (63 - count) >> 3;
                count |= 56;
                long corrected = known & rest;
                long found = 0;
                long sign = 0;
                int size = 0;
                if (ended == 0) {
                    int entry = entries[(int) (bits >>> HuffmanCode.LOOK_UP)];
                    int advance = entry >>> HuffmanCode.ADVANCE;
                    if (advance >= HuffmanCode.END_OF_BLOCK) {
                        if (advance == HuffmanCode.UNKNOWN) {
                            entry = code.find(bits);
                            advance = entry >>> HuffmanCode.ADVANCE;
                        }
                        if (advance == HuffmanCode.END_OF_BLOCK) {
                            if (entry == HuffmanCode.NO_CODE) {
                                this.position = position;
                                this.count = count;
                                noCode();
                            }
                            ended = endedBlocks(bits, entry);
                            bits <<= entry;
                            count -= entry & 0x3F;
                            rest &= known;
                            continue;
                        }
                    }
                    bits <<= entry >>> 8;
                    count -= entry >>> 8 & 0x1F;
                    size = entry & HuffmanCode.VALUE;
                    if (size != 0) {
                        sign = ~(bits >> (Long.SIZE - 1));
                        bits <<= 1;
                        count--;
                    }
                    long zeros = ~known & rest;
                    int behind = Long.bitCount(zeros) - advance;
                    if (behind >= 0) {
                        found = Long.expand(1L << behind, zeros);
                        corrected &= -found << 1;
                    }
                }
                int more = Long.bitCount(corrected);
                if (more > count) {
                    larger |= Long.expand(bits >>> 1 >>> (63 - count) << (more - count), corrected);
                    more -= count;
                    bits <<= count;
                    bits |= (long) BIG_ENDIAN.get(data, position);
                    position += 7;
                    count = 56;
                }
                larger |= Long.expand(bits >>> 1 >>> (63 - more), corrected);
                bits <<= more;
                count -= more;
                rest = found == 0 ? 0 : rest & (found - 1);
                if (size != 0) {
                    added |= found;
                    negative |= found & sign;
                    if (found == 0 || size > 1 << 14) {
                        this.position = position;
                        this.count = count;
                        if (size > 1 << 14) {
                            damaged("a coefficient begins with more than one bit here");
                        }
                        if (found == 0) {
                            tooLong();
                            long kept = put(one, block, last + 1, sign == 0 ? 1 << low : -(1 << low), LAST);
                            known |= kept;
                            larger &= ~kept;
                        }
                    }
                }
            }
            if (ended > 0) {
                ended--;
            }
            sets.set(Component.SET, at + Component.PRESENT, known | added);
            long before = sets.get(Component.SET, at + corrections);
            sets.set(Component.SET, at + corrections, before | larger | added);
            negative |= sets.get(Component.SET, at + Component.NEGATIVE);
            sets.set(Component.SET, at + Component.NEGATIVE, negative);
            if (position > source.limit) {
                this.bits = bits;
                this.count = count;
                this.position = position;
                this.ended = ended;
                if (!isThere()) {
                    return block - from + 1;
                }
                bits = this.bits;
                count = this.count;
                position = this.position;
            }
        }
        this.bits = bits;
        this.count = count;
        this.position = position;
        this.ended = ended;
        save();
        return n;
    }

    /// Reads on where [#dcFirst], [#dcRefine] and [#sequential] are called for one block after the other.
    void beginBlocks() {
        load();
    }

    /// Ends that.
    void endBlocks() {
        save();
    }
}
