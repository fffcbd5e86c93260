package org.jspdl.data.storage;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.function.LongFunction;
import java.util.zip.CRC32C;

/// Texts that are the same as long as a list of files is.
public final class Listing {
    private Listing() {}

    /// How many files there are and the CRC-32C of their names, in order, each with a line feed behind it.
    ///
    /// @param what what one of them is called
    public static String of(String what, long count, long crc32c) {
        return grouped(count) + " " + what + "s " + named(crc32c);
    }

    /// The same without their number.
    private static String named(long crc32c) {
        return "with the names " + HexFormat.of().toHexDigits(crc32c, 8);
    }

    /// As `%,d` writes a number, without the classes of formats, which would be the first that a program loads.
    private static String grouped(long count) {
        StringBuilder text = new StringBuilder(Long.toString(count));
        for (int at = text.length() - 3; at > 0; at -= 3) {
            text.insert(at, ',');
        }
        return text.toString();
    }

    /// The CRC-32C of some names in the words of [#of].
    ///
    /// @param name as there
    public static String names(long count, LongFunction<String> name) {
        return named(checksum(count, name));
    }

    /// The same of names that are not all known at once. Reads no file.
    ///
    /// @param name relative to where all lie, so that it may be elsewhere another time
    public static String of(String what, long count, LongFunction<String> name) {
        return of(what, count, checksum(count, name));
    }

    private static long checksum(long count, LongFunction<String> name) {
        CRC32C sum = new CRC32C();
        for (long i = 0; i < count; i++) {
            sum.update(name.apply(i).getBytes(StandardCharsets.UTF_8));
            sum.update('\n');
        }
        return sum.getValue();
    }
}
