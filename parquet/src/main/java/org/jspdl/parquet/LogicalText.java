package org.jspdl.parquet;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import org.apache.parquet.column.ColumnReader;
import org.apache.parquet.format.TimeUnit;
import org.apache.parquet.format.Type;
import org.jspecify.annotations.Nullable;

/// Values that no element type holds exactly, as text: decimals with all their digits, dates and times as ISO 8601.
@FunctionalInterface
interface LogicalText {
    /// Decimals of more digits are refused.
    int MOST_DIGITS = 1000;

    /// The current value of `reader`.
    String of(ColumnReader reader);

    /// Decimals with `scale` digits behind the point, stored as `physical`.
    static LogicalText decimal(Type physical, int scale) {
        return reader -> new BigDecimal(unscaled(reader, physical), scale).toPlainString();
    }

    /// The digits of the current value of `reader`, a decimal.
    static BigInteger unscaled(ColumnReader reader, Type physical) {
        return switch (physical) {
            case INT32 -> BigInteger.valueOf(reader.getInteger());
            case INT64 -> BigInteger.valueOf(reader.getLong());
            case BYTE_ARRAY, FIXED_LEN_BYTE_ARRAY -> {
                ByteBuffer bytes = reader.getBinary().toByteBuffer();
                byte[] copy = new byte[bytes.remaining()];
                bytes.get(bytes.position(), copy);
                yield new BigInteger(copy);
            }
            case BOOLEAN, INT96, FLOAT, DOUBLE -> throw new IllegalStateException(physical.toString());
        };
    }

    /// Days since 1970.
    static LogicalText date() {
        return reader -> LocalDate.ofEpochDay(reader.getInteger()).toString();
    }

    /// Times of a day: `12:34:56.789`.
    static LogicalText time(long nanosPerUnit) {
        return reader -> DateTimeFormatter.ISO_LOCAL_TIME.format(LocalTime.ofNanoOfDay(
                Math.multiplyExact(nanosPerUnit == 1_000_000 ? reader.getInteger() : reader.getLong(), nanosPerUnit)));
    }

    /// Instants, with a `Z` behind them, or local times without.
    static LogicalText timestamp(long nanosPerUnit, boolean utc) {
        long unitsPerSecond = 1_000_000_000 / nanosPerUnit;
        return reader -> {
            long value = reader.getLong();
            Instant instant = Instant.ofEpochSecond(
                    Math.floorDiv(value, unitsPerSecond), Math.floorMod(value, unitsPerSecond) * nanosPerUnit);
            return DateTimeFormatter.ISO_LOCAL_DATE_TIME.format(LocalDateTime.ofInstant(instant, ZoneOffset.UTC))
                    + (utc ? "Z" : "");
        };
    }

    /// How many nanoseconds a unit has; null for one that this program does not know.
    static @Nullable Long nanos(TimeUnit unit) {
        if (!unit.isSet()) {
            return null;
        }
        return switch (unit.getSetField()) {
            case MILLIS -> 1_000_000L;
            case MICROS -> 1_000L;
            case NANOS -> 1L;
        };
    }
}
