package org.jspdl.archive;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspdl.input.FormatException;
import org.jspecify.annotations.Nullable;

/// What extra headers say about an entry: long names of GNU tar, records of PAX.
///
/// Immutable; [#NONE] for most entries.
record TarExtension(@Nullable String gnuName, @Nullable String gnuLinkName, Map<String, String> records) {
    static final TarExtension NONE = new TarExtension(null, null, Map.of());

    TarExtension withGnuName(MemorySegment text) {
        return new TarExtension(untilZero(text), gnuLinkName, records);
    }

    TarExtension withGnuLinkName(MemorySegment text) {
        return new TarExtension(gnuName, untilZero(text), records);
    }

    /// With the records in `text` too: lines of `LENGTH KEY=VALUE`, the length in bytes and of the whole line.
    TarExtension withRecords(MemorySegment text) {
        Map<String, String> all = new HashMap<>(records);
        byte[] bytes = text.toArray(ValueLayout.JAVA_BYTE);
        int at = 0;
        while (at < bytes.length && bytes[at] != 0) {
            int length = 0;
            int digit = at;
            while (digit < bytes.length && digit < at + 9 && bytes[digit] >= '0' && bytes[digit] <= '9') {
                length = length * 10 + bytes[digit++] - '0';
            }
            int end = at + length;
            int equals = digit;
            while (equals < Math.min(end, bytes.length) && bytes[equals] != '=') {
                equals++;
            }
            if (digit == at
                    || digit >= bytes.length
                    || bytes[digit] != ' '
                    || end > bytes.length
                    || equals >= end - 1
                    || bytes[end - 1] != '\n') {
                throw FormatException.because("TAR: the PAX header has a damaged record at its byte " + at);
            }
            String key = new String(bytes, digit + 1, equals - digit - 1, StandardCharsets.UTF_8);
            // GNU tar writes names here as they are, whatever they are encoded in
            String value = TarHeader.decoded(Arrays.copyOfRange(bytes, equals + 1, end - 1));
            if (key.startsWith("GNU.sparse.")) {
                throw sparse();
            }
            // An empty value takes an earlier record back.
            if (value.isEmpty()) {
                all.remove(key);
            } else {
                all.put(key, value);
            }
            at = end;
        }
        return new TarExtension(gnuName, gnuLinkName, Map.copyOf(all));
    }

    static FormatException sparse() {
        return FormatException.because(
                "TAR: the archive has a sparse file, which is not supported; write it without --sparse");
    }

    private static String untilZero(MemorySegment text) {
        long end = 0;
        while (end < text.byteSize() && text.get(ValueLayout.JAVA_BYTE, end) != 0) {
            end++;
        }
        return TarHeader.decoded(text.asSlice(0, end).toArray(ValueLayout.JAVA_BYTE));
    }

    @Nullable
    String name() {
        String path = records.get("path");
        return path != null ? path : gnuName;
    }

    @Nullable
    String linkName() {
        String path = records.get("linkpath");
        return path != null ? path : gnuLinkName;
    }

    /// The size that overrides the header's; -1 if there is none.
    long byteSize() {
        String size = records.get("size");
        if (size == null) {
            return -1;
        }
        try {
            long bytes = Long.parseLong(size);
            if (bytes >= 0) {
                return bytes;
            }
        } catch (NumberFormatException noNumber) {
            // said below
        }
        throw FormatException.because("TAR: the PAX header gives a size of '" + size + "'");
    }

    @Nullable
    Instant modified() {
        String seconds = records.get("mtime");
        if (seconds == null) {
            return null;
        }
        try {
            if (seconds.length() > 40) {
                throw new NumberFormatException(seconds);
            }
            BigDecimal exact = new BigDecimal(seconds);
            BigDecimal whole = exact.setScale(0, RoundingMode.FLOOR);
            long nanos = exact.subtract(whole).movePointRight(9).longValue();
            return Instant.ofEpochSecond(whole.longValueExact(), nanos);
        } catch (ArithmeticException | NumberFormatException | DateTimeException noTime) {
            throw FormatException.because("TAR: the PAX header gives a time of '" + seconds + "'");
        }
    }
}
