package org.jspdl.plan.record;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.SortedSet;
import java.util.TreeSet;

/// Steps that runs leave out, for [org.jspdl.pipeline.RunOptions#leaveOut]: a text file with a number on each line;
/// what comes behind `#` is for people.
public final class SkipList {
    private static final long LARGEST = 64L << 20;

    private SkipList() {}

    /// The steps that `file` has.
    ///
    /// @throws IllegalArgumentException if it is no such list; the message names the line
    public static SortedSet<Long> read(Path file) throws IOException {
        SortedSet<Long> steps = new TreeSet<>();
        if (Files.size(file) > LARGEST) {
            throw new IllegalArgumentException(file + " is larger than " + LARGEST + " bytes, so no list of steps");
        }
        int number = 0;
        for (String line : Files.readAllLines(file)) {
            number++;
            int comment = line.indexOf('#');
            String step = (comment < 0 ? line : line.substring(0, comment)).strip();
            if (step.isEmpty()) {
                continue;
            }
            try {
                steps.add(Long.parseLong(step));
            } catch (NumberFormatException other) {
                throw new IllegalArgumentException(
                        file + ", line " + number + ": '" + step + "' is not the number of a step", other);
            }
            if (steps.first() < 0) {
                throw new IllegalArgumentException(file + ", line " + number + ": a step must not be negative");
            }
        }
        return steps;
    }

    /// Adds `step` to `file`, which is made if need be, unless it is there.
    ///
    /// @param why of one line
    public static void add(Path file, long step, String why) throws IOException {
        String before = "";
        try {
            if (read(file).contains(step)) {
                return;
            }
            before = Files.readString(file);
        } catch (NoSuchFileException missing) {
            // it is made below
        }
        String end = before.isEmpty() || before.endsWith("\n") ? "" : "\n";
        Files.writeString(
                file,
                end + step + " # " + why + "\n",
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE,
                StandardOpenOption.APPEND);
    }
}
