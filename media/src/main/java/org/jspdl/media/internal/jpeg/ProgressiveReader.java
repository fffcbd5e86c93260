package org.jspdl.media.internal.jpeg;

import java.lang.invoke.VarHandle;
import java.util.Arrays;

/// Reads scans whose coefficients are kept until all have come (ITU-T T.81, G.1.2, and F.2 for sequential ones).
///
/// Which coefficients of a block are not zero is known from one `long`, so that correction bits are read for all of
/// them at once, and blocks without any are passed over. What follows from damaged data is as in libjpeg. Used by one
/// thread at a time.
final class ProgressiveReader {
    private static final VarHandle BIG_ENDIAN = ScanData.BIG_ENDIAN;
    private static final int AREA = 64;
    private static final int LAST = AREA - 1;
    /// Correction bits to be read at once: as many as there are for certain.
    private static final int MOST_BITS = 56;

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
    /// Which coefficients are used at all.
    private long used = -1;

    ProgressiveReader(Strictness strictness, ScanData source) {
        this.strictness = strictness;
        this.source = source;
    }

    /// Says which coefficients of the next pictures are used; of others it is only known whether they are zero.
    void use(long coefficients) {
        used = coefficients;
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
        one.coefficients[block * AREA] = (short) (dc << low);
        one.present[block] |= (short) (dc << low) == 0 ? 0 : 1;
        return isThere();
    }

    /// Reads one more bit of the DC coefficient of a block; returns false if the data ended.
    boolean dcRefine(Component one, int block) {
        refill();
        if (bits < 0) {
            short before = (one.present[block] & 1) == 0 ? 0 : one.coefficients[block * AREA];
            one.coefficients[block * AREA] = (short) (before | 1 << low);
            one.present[block] |= 1;
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
        one.coefficients[block * AREA] = (short) sum;
        long present = (short) sum == 0 ? 0 : 1;
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
                present |= put(one, block * AREA, k, HuffmanCode.value(bits, entry), LAST);
            }
            take(entry);
        }
        one.present[block] = present;
        return isThere();
    }

    private long put(Component one, int base, int k, int value, int end) {
        if (k > end) {
            tooLong();
        }
        int kept = Math.min(k, LAST);
        one.coefficients[base + kept] = (short) value;
        return (short) value == 0 ? 0 : 1L << kept;
    }

    /// Reads the first bits of the AC coefficients of `n` blocks from block `from` on; returns how many blocks
    /// there were before the data ended.
    ///
    /// @param keptFrom the first block whose coefficients are kept; of others it is only known whether they are
    ///     zero
    /// @param keptTo   the one behind the last of these
    int acFirst(Component one, HuffmanCode code, int from, int n, int keptFrom, int keptTo) {
        int[] entries = code.entries;
        short[] coefficients = one.coefficients;
        long[] present = one.present;
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
            int base = block >= keptFrom && block < keptTo ? block * AREA : one.spare;
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
                        coefficients[base + k] = (short) value;
                        added |= 1L << k;
                    } else {
                        added |= put(one, base, k, value, last);
                    }
                }
                bits <<= entry;
                count -= entry & 0x3F;
            }
            present[block++] |= added;
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
    /// were before the data ended. Others than those from `keptFrom` up to `keptTo` are treated as by [#acFirst].
    int acRefine(Component one, HuffmanCode code, int from, int n, int keptFrom, int keptTo) {
        int[] entries = code.entries;
        short[] coefficients = one.coefficients;
        int low = this.low;
        load();
        byte[] data = source.data;
        long bits = this.bits;
        int count = this.count;
        int position = this.position;
        for (int block = from; block < from + n; block++) {
            boolean isKept = block >= keptFrom && block < keptTo;
            int base = isKept ? block * AREA : one.spare;
            long kept = isKept ? used : 0;
            long present = one.present[block];
            long rest = -1L >>> (LAST - last) & -1L << first;
            while (rest != 0) {
                long corrected = present & rest;
                int added = 0;
                int at = 0;
                if (ended > 0) {
                    rest = 0;
                } else {
                    bits |= (long) BIG_ENDIAN.get(data, position) >>> count;
                    position += (63 - count) >> 3;
                    count |= 56;
                    int entry = entries[(int) (bits >>> HuffmanCode.LOOK_UP)];
                    if (entry >>> HuffmanCode.ADVANCE == HuffmanCode.UNKNOWN) {
                        entry = code.find(bits);
                        if (entry == HuffmanCode.NO_CODE) {
                            this.position = position;
                            this.count = count;
                            noCode();
                        }
                    }
                    if (entry >>> HuffmanCode.ADVANCE == HuffmanCode.END_OF_BLOCK) {
                        ended = endedBlocks(bits, entry);
                        bits <<= entry;
                        count -= entry & 0x3F;
                        rest = 0;
                    } else {
                        int length = entry >>> 8 & 0x1F;
                        bits <<= length;
                        count -= length;
                        int size = entry & HuffmanCode.VALUE;
                        if (size != 0) {
                            added = ((int) (bits >> (Long.SIZE - 1)) & (2 << low)) - (1 << low);
                            bits <<= 1;
                            count--;
                        }
                        long zeros = ~present & rest;
                        for (int run = (entry >>> HuffmanCode.ADVANCE) - 1; run > 0 && zeros != 0; run--) {
                            zeros &= zeros - 1;
                        }
                        long found = zeros & -zeros;
                        at = zeros == 0 ? last + 1 : Long.numberOfTrailingZeros(zeros);
                        corrected &= found - 1;
                        rest &= zeros == 0 ? 0 : -found << 1;
                        if (size > 1 << 14) {
                            this.position = position;
                            this.count = count;
                            damaged("a coefficient begins with more than one bit here");
                        }
                    }
                }
                while (corrected != 0) {
                    bits |= (long) BIG_ENDIAN.get(data, position) >>> count;
                    position += (63 - count) >> 3;
                    count |= 56;
                    long some = corrected;
                    while (Long.bitCount(some) > MOST_BITS) {
                        some &= ~Long.highestOneBit(some);
                    }
                    // the first bit is for the first coefficient, and so on
                    long larger = Long.expand(Long.reverse(bits), some) & kept;
                    bits <<= Long.bitCount(some);
                    count -= Long.bitCount(some);
                    corrected &= ~some;
                    for (; larger != 0; larger &= larger - 1) {
                        int index = base + Long.numberOfTrailingZeros(larger);
                        int value = coefficients[index];
                        // not if this bit is set already, in damaged data
                        int more = ((value >> low) & 1) - 1;
                        coefficients[index] = (short) (value + ((((value >> (Integer.SIZE - 1)) | 1) << low) & more));
                    }
                }
                if (added != 0) {
                    present |= put(one, base, at, added, last);
                }
            }
            one.present[block] = present;
            if (ended > 0) {
                ended--;
            }
            if (position > source.limit) {
                this.bits = bits;
                this.count = count;
                this.position = position;
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
