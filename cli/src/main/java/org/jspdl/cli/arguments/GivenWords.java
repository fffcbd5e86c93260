package org.jspdl.cli.arguments;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspdl.data.storage.FileNames;

/// The words of a command as they were typed. Java reads them in the characters of the locale, and puts others in the
/// place of bytes that it has none for, so that a file of such a name could not be named. Linux keeps the bytes.
public final class GivenWords {
    private static final Path BYTES = Path.of("/proc/self/cmdline");

    private GivenWords() {}

    /// `words`, those that Java could not read as [FileNames] reads names; as they are where there is nothing to
    /// read them from.
    public static List<String> of(List<String> words) {
        if (words.stream().noneMatch(GivenWords::isDoubtful)) {
            return words;
        }
        try {
            return of(words, Files.readAllBytes(BYTES));
        } catch (IOException notLinux) {
            return words;
        }
    }

    /// @param command everything that the process was started with, each part with a zero behind it; the words are
    ///     last
    static List<String> of(List<String> words, byte[] command) {
        List<String> parts = new ArrayList<>();
        for (int begin = 0, i = 0; i < command.length; i++) {
            if (command[i] == 0) {
                parts.add(FileNames.text(command, begin, i - begin));
                begin = i + 1;
            }
        }
        if (parts.size() < words.size()) {
            return words;
        }
        List<String> typed = parts.subList(parts.size() - words.size(), parts.size());
        for (int i = 0; i < typed.size(); i++) {
            if (!isDoubtful(words.get(i)) && !typed.get(i).equals(words.get(i))) {
                return words; // other words: the launcher of Java changed them
            }
        }
        return List.copyOf(typed);
    }

    /// Whether something in it may stand for what Java could not read.
    private static boolean isDoubtful(String word) {
        return word.chars().anyMatch(c -> c == '?' || c >= 0x80);
    }
}
