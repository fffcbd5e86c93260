package org.jspdl.data.shards.arrow;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import org.jspdl.input.FormatException;

/// Values that no element type holds exactly, as text: decimals with all their digits, dates and times as ISO 8601.
final class ArrowText {
    private static final long DAY_MILLIS = 86_400_000;
    private static final long SECOND_NANOS = 1_000_000_000;
    /// More zeros before or behind the point are refused.
    private static final int MOST_SCALE = 1000;

    private ArrowText() {}

    /// Value `index` of a vector of decimals, dates or times.
    ///
    /// @throws FormatException if there is no such date, time or decimal
    static String of(ArrowVector vector, long index) {
        ArrowField field = vector.field();
        try {
            return switch (field.type()) {
                case DECIMAL -> decimal(vector, index);
                case DATE ->
                    LocalDate.ofEpochDay(
                                    field.parameter() == 0
                                            ? (int) vector.bits(index)
                                            : Math.floorDiv(vector.bits(index), DAY_MILLIS))
                            .toString();
                case TIME ->
                    DateTimeFormatter.ISO_LOCAL_TIME.format(
                            LocalTime.ofNanoOfDay(Math.multiplyExact(vector.bits(index), nanos(field))));
                case TIMESTAMP -> timestamp(vector.bits(index), nanos(field), field.detail() != 0);
                default -> throw new IllegalStateException(field.type().toString());
            };
        } catch (DateTimeException | ArithmeticException impossible) {
            throw FormatException.because(
                    "Arrow: the column '" + field.name() + "' has an impossible value: " + impossible.getMessage());
        }
    }

    private static long nanos(ArrowField field) {
        return switch (field.parameter()) {
            case 0 -> SECOND_NANOS;
            case 1 -> 1_000_000;
            case 2 -> 1_000;
            default -> 1;
        };
    }

    private static String timestamp(long value, long nanos, boolean utc) {
        long perSecond = SECOND_NANOS / nanos;
        Instant instant =
                Instant.ofEpochSecond(Math.floorDiv(value, perSecond), Math.floorMod(value, perSecond) * nanos);
        return DateTimeFormatter.ISO_LOCAL_DATE_TIME.format(LocalDateTime.ofInstant(instant, ZoneOffset.UTC))
                + (utc ? "Z" : "");
    }

    private static String decimal(ArrowVector vector, long index) {
        MemorySegment little = vector.fixed(index, vector.field().parameter() / 8);
        byte[] big = new byte[(int) little.byteSize()];
        for (int i = 0; i < big.length; i++) {
            big[i] = little.get(ValueLayout.JAVA_BYTE, big.length - 1 - i);
        }
        int scale = vector.field().detail();
        if (Math.abs((long) scale) > MOST_SCALE) {
            throw FormatException.because("Arrow: a decimal has the scale " + scale);
        }
        return new BigDecimal(new BigInteger(big), scale).toPlainString();
    }
}
