package org.jspdl.pipeline.internal.tune;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;

/// Files of the kernel, a few kilobytes of text each.
final class SmallFile {
    private static final int MOST_BYTES = 65_536;

    private SmallFile() {}

    /// The text; empty if there is no such file.
    static String text(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            return new String(in.readNBytes(MOST_BYTES), StandardCharsets.UTF_8);
        } catch (IOException missing) {
            return "";
        }
    }

    /// The number behind `name` at the beginning of a line; empty if there is none.
    static OptionalLong field(String text, String name) {
        return text.lines()
                .filter(line -> line.startsWith(name) && line.length() > name.length())
                .map(line -> line.substring(name.length()).strip().split("[ \t]+", -1)[0])
                .map(SmallFile::number)
                .findFirst()
                .orElse(OptionalLong.empty());
    }

    /// The number that `digits` are; empty if they are none.
    static OptionalLong number(String digits) {
        try {
            return OptionalLong.of(Long.parseLong(digits));
        } catch (NumberFormatException none) {
            return OptionalLong.empty();
        }
    }
}
