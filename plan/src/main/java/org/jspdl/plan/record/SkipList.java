package org.jspdl.plan.record;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspdl.files.FreshFile;
import org.jspdl.files.InputFile;
import org.jspdl.json.Json;

/// What runs leave out: steps, for [org.jspdl.pipeline.RunOptions#leaveOut], and samples, by the names that
/// [SampleOrigin] has, for [SkippedSamples]. As a file it is a text with one of them on each line, `81203` or
/// `sample "photos/cat/1.jpg"`, the name in JSON; what comes behind `#` is for people. Immutable.
///
/// @param steps   counted from 0 over all epochs
/// @param samples names
public record SkipList(SortedSet<Long> steps, SortedSet<String> samples) {
    /// Nothing is left out.
    public static final SkipList NONE = new SkipList(new TreeSet<>(), new TreeSet<>());

    private static final int LARGEST = 64 << 20;
    private static final String SAMPLE = "sample ";

    /// Copies both.
    public SkipList {
        steps = Collections.unmodifiableSortedSet(new TreeSet<>(steps));
        samples = Collections.unmodifiableSortedSet(new TreeSet<>(samples));
    }

    /// The steps that `file` has.
    ///
    /// @throws IllegalArgumentException if it is no such list, or lists samples, too; the message names the line or
    ///     the first sample
    public static SortedSet<Long> read(Path file) throws IOException {
        SkipList all = of(file);
        if (!all.samples.isEmpty()) {
            throw new IllegalArgumentException(file + " lists not only steps but also samples, such as '"
                    + all.samples.first() + "': read it with SkipList.of");
        }
        return all.steps;
    }

    /// What `file` lists.
    ///
    /// @throws IllegalArgumentException if it is no such list; the message names the line
    public static SkipList of(Path file) throws IOException {
        SortedSet<Long> steps = new TreeSet<>();
        SortedSet<String> samples = new TreeSet<>();
        if (Files.size(file) > LARGEST) {
            throw new IllegalArgumentException(file + " is larger than " + LARGEST + " bytes, so no list of steps");
        }
        int number = 0;
        for (String line : InputFile.text(file, LARGEST).lines().toList()) {
            number++;
            String entry = line.strip();
            try {
                if (entry.startsWith(SAMPLE)) {
                    samples.add(name(entry.substring(SAMPLE.length()).strip()));
                    continue;
                }
                int comment = entry.indexOf('#');
                String step = (comment < 0 ? entry : entry.substring(0, comment)).strip();
                if (!step.isEmpty()) {
                    steps.add(step(step));
                }
            } catch (IllegalArgumentException wrong) {
                throw new IllegalArgumentException(file + ", line " + number + ": " + wrong.getMessage(), wrong);
            }
        }
        return new SkipList(steps, samples);
    }

    private static long step(String text) {
        long step;
        try {
            step = Long.parseLong(text);
        } catch (NumberFormatException other) {
            throw new IllegalArgumentException(
                    "'" + text + "' is neither the number of a step nor " + SAMPLE + "\"NAME\"", other);
        }
        if (step < 0) {
            throw new IllegalArgumentException("a step must not be negative");
        }
        return step;
    }

    /// The JSON text at the beginning of `rest`, behind which nothing but a comment may be.
    private static String name(String rest) {
        int end = 1;
        while (end < rest.length() && rest.charAt(end) != '"') {
            end += rest.charAt(end) == '\\' ? 2 : 1;
        }
        if (end < rest.length() && rest.charAt(0) == '"') {
            String behind = rest.substring(end + 1).strip();
            if ((behind.isEmpty() || behind.startsWith("#"))
                    && Json.parse(rest.substring(0, end + 1)) instanceof String name) {
                return name;
            }
        }
        throw new IllegalArgumentException("'" + SAMPLE + rest + "' is not " + SAMPLE + "\"NAME\", the name in JSON");
    }

    /// Adds `step` to `file`, which is made if need be, unless it is there.
    ///
    /// @param why of one line
    public static void add(Path file, long step, String why) throws IOException {
        if (!existing(file).steps.contains(step)) {
            append(file, Long.toString(step), why);
        }
    }

    /// Adds a sample to `file`, which is made if need be, unless it is there.
    ///
    /// @param sample its name
    /// @param why of one line
    public static void add(Path file, String sample, String why) throws IOException {
        if (!existing(file).samples.contains(sample)) {
            append(file, SAMPLE + Json.write(sample), why);
        }
    }

    private static SkipList existing(Path file) throws IOException {
        try {
            return of(file);
        } catch (NoSuchFileException missing) {
            return NONE; // it is made
        }
    }

    private static void append(Path file, String entry, String why) throws IOException {
        String before = Files.exists(file) ? Files.readString(file) : "";
        String end = before.isEmpty() || before.endsWith("\n") ? "" : "\n";
        try {
            Files.writeString(
                    file,
                    end + entry + " # " + why + "\n",
                    StandardOpenOption.CREATE,
                    StandardOpenOption.WRITE,
                    StandardOpenOption.APPEND);
        } catch (IOException failure) {
            // of a number that a full disk cut short, another step would be left
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                channel.truncate(before.getBytes(StandardCharsets.UTF_8).length);
            }
            throw FreshFile.named(file, failure);
        }
    }
}
