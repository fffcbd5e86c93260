package org.jspdl.plan.record;

import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.jspdl.memory.NamedValues;
import org.jspdl.memory.Tensor;

/// Eight bytes that tell one batch from every other, and if one of its samples is another, which. Immutable.
///
/// Row `i` of a batch is what its fields have of sample `i`, and its CRC-32C is `c(i)`; the names, types and shapes of
/// fields, and fields that are not one for each sample, are a last row. Two sums are kept modulo the prime 2^32 - 5:
/// that of `c(i)` and that of `(i + 1) c(i)`, as a Reed-Solomon code has them. If one row changed by `d`, the sums
/// differ by `d` and `(i + 1) d`, and the quotient says which. If several rows changed, they differ as well, but for
/// about one case of 2^64, and the quotient is no row, but for one of 2^32 a row.
///
/// @param plain    the sum of all rows
/// @param weighted the sum of all rows, each as often as its number from 1
record ContentSum(int plain, int weighted) {
    /// What takes the place of a sum that there is none of.
    static final ContentSum NONE = new ContentSum(0, 0);

    /// What takes the place of the sum of a step that the rank never had; no sum of a batch is like it.
    static final ContentSum LACKING = new ContentSum(-1, -1);

    private static final long PRIME = (1L << 32) - 5;

    /// The sum of `item`; [#NONE] if it has values of which nobody knows what they hold.
    static ContentSum of(Object item) {
        Map<String, ?> fields = fields(item);
        int rows = rows(fields);
        ContentCrc crc = new ContentCrc();
        long plain = 0;
        long weighted = 0;
        for (int row = 0; row <= rows; row++) {
            crc.reset();
            for (Map.Entry<String, ?> field : fields.entrySet()) {
                Object value = field.getValue();
                boolean isSplit = length(value).equals(OptionalInt.of(rows));
                if (row < rows && isSplit) {
                    crc.addRow(value, row);
                } else if (row == rows) {
                    crc.addText(field.getKey());
                    if (isSplit) {
                        crc.addKind(value);
                    } else {
                        crc.add(value);
                    }
                }
            }
            if (crc.isUnknown()) {
                return NONE;
            }
            long sum = crc.value() % PRIME;
            plain = (plain + sum) % PRIME;
            weighted = (weighted + Long.remainderUnsigned((row + 1L) * sum, PRIME)) % PRIME;
        }
        // zeros are kept for none, and the prime is another name of zero
        return plain == 0 && weighted == 0
                ? new ContentSum((int) PRIME, (int) PRIME)
                : new ContentSum((int) plain, (int) weighted);
    }

    /// The samples of `item`, as rows are counted.
    static int rows(Object item) {
        return rows(fields(item));
    }

    /// Which row is another than in `now`, if one is; empty if several are. The last is the batch as a whole.
    ///
    /// @param rows how many samples there are
    OptionalInt changedRow(ContentSum now, int rows) {
        long by = Math.floorMod(Integer.toUnsignedLong(now.plain) - Integer.toUnsignedLong(plain), PRIME);
        long weightedBy = Math.floorMod(Integer.toUnsignedLong(now.weighted) - Integer.toUnsignedLong(weighted), PRIME);
        if (by == 0) {
            return OptionalInt.empty();
        }
        long row = Long.remainderUnsigned(weightedBy * inverse(by), PRIME) - 1;
        return row >= 0 && row <= rows ? OptionalInt.of((int) row) : OptionalInt.empty();
    }

    /// By Fermat: the power of the prime less 2.
    private static long inverse(long number) {
        long result = 1;
        long square = number;
        for (long left = PRIME - 2; left > 0; left >>= 1) {
            if ((left & 1) != 0) {
                result = Long.remainderUnsigned(result * square, PRIME);
            }
            square = Long.remainderUnsigned(square * square, PRIME);
        }
        return result;
    }

    private static Map<String, ?> fields(Object item) {
        return switch (item) {
            case NamedValues named -> named.namedValues();
            default -> Map.of("", item);
        };
    }

    private static int rows(Map<String, ?> fields) {
        return fields.values().stream()
                .map(ContentSum::length)
                .flatMapToInt(OptionalInt::stream)
                .findFirst()
                .orElse(0);
    }

    /// How many rows a value has.
    private static OptionalInt length(Object value) {
        return switch (value) {
            case Tensor tensor
            when tensor.shape().rank() > 0 && tensor.shape().extent(0) <= Integer.MAX_VALUE ->
                OptionalInt.of((int) tensor.shape().extent(0));
            case List<?> list -> OptionalInt.of(list.size());
            default -> ContentCrc.arrayLength(value);
        };
    }
}
