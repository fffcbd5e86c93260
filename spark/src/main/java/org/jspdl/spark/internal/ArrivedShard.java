package org.jspdl.spark.internal;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.jspdl.data.storage.FileNames;
import org.jspdl.data.storage.Location;

/// A shard of a growing folder, as it was when it was found.
///
/// @param shard where it lies
/// @param bytes its size
public record ArrivedShard(String shard, long bytes) {
    /// As a line of text in ASCII: the size, and the name, whose bytes other than plain ones are written as `%0A`.
    public String line() {
        StringBuilder line = new StringBuilder().append(bytes).append(' ');
        for (byte each : FileNames.bytes(shard)) {
            if (each > ' ' && each < 0x7F && each != '%') {
                line.append((char) each);
            } else {
                HexFormat.of().withUpperCase().toHexDigits(line.append('%'), each);
            }
        }
        return line.toString();
    }

    /// Reads what [#line] wrote.
    ///
    /// @throws IOException if it is something else
    public static ArrivedShard parse(String line) throws IOException {
        int space = line.indexOf(' ');
        try {
            ArrivedShard parsed = new ArrivedShard(
                    name(line.substring(space + 1)), Long.parseLong(line.substring(0, Math.max(0, space))));
            if (parsed.bytes < 0 || !parsed.line().equals(line)) {
                throw new NumberFormatException(line);
            }
            return parsed;
        } catch (IllegalArgumentException malformed) {
            throw new IOException("a line of a checkpoint is no size and name of a shard: '" + line + "'", malformed);
        }
    }

    private static String name(String text) {
        byte[] written = text.getBytes(StandardCharsets.ISO_8859_1);
        ByteArrayOutputStream name = new ByteArrayOutputStream(written.length);
        for (int i = 0; i < written.length; i++) {
            if (written[i] == '%' && i + 2 < written.length) {
                name.write(HexFormat.fromHexDigits(text, i + 1, i + 3));
                i += 2;
            } else {
                name.write(written[i]);
            }
        }
        byte[] bytes = name.toByteArray();
        return FileNames.text(bytes, 0, bytes.length);
    }

    /// Without what an address hides.
    @Override
    public String toString() {
        return Location.of(shard) + " of " + bytes + " bytes";
    }
}
