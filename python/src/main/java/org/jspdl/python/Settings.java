package org.jspdl.python;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/// What the trainer wants, as the Python package sends it. Immutable.
///
/// @param name     what messages call the plan
/// @param plan     its text; empty if it is in the file `name`
/// @param folder   where its relative paths begin
/// @param epochs   passes over the source; empty for what the plan says, or without end
/// @param seed     the key of randomness in steps; empty for what the plan says
/// @param rank     for sources that don't say theirs
/// @param worldSize for sources that don't say theirs
/// @param prefetch batches that may lie ready; 0 for what turns out best
/// @param oneBudget whether batches that the trainer has not taken count against the plan's budget of memory
/// @param parent   the trainer's process
/// @param trace    the file that says what every thread did; empty for none
/// @param computeThreads of the run; empty for one on each processor
/// @param record   the folder of the run's record; empty for none
/// @param skipList the list of steps that are left out; empty for none
/// @param resumeFrom the checkpoint to resume from, or those of all ranks, one a line; empty for the beginning
/// @param functions of the trainer's, which the plan's steps call, as JSON; empty for none
record Settings(
        String name,
        Optional<String> plan,
        Path folder,
        OptionalLong epochs,
        OptionalLong seed,
        int rank,
        int worldSize,
        int prefetch,
        boolean oneBudget,
        long parent,
        Optional<Path> trace,
        OptionalInt computeThreads,
        Optional<Path> record,
        Optional<Path> skipList,
        String resumeFrom,
        String functions) {

    /// Reads names and values: four bytes of length before each.
    static Settings read(ByteBuffer body) {
        return of(values(body));
    }

    /// Names and values: four bytes of length before each.
    static Map<String, String> values(ByteBuffer body) {
        Map<String, String> values = new LinkedHashMap<>();
        while (body.hasRemaining()) {
            String name = text(body);
            values.put(name, text(body));
        }
        return values;
    }

    static Settings of(Map<String, String> values) {
        OptionalLong threads = number(values, "compute_threads");
        return new Settings(
                required(values, "name"),
                Optional.ofNullable(values.get("plan")),
                Path.of(required(values, "folder")),
                number(values, "epochs"),
                number(values, "seed"),
                Math.toIntExact(number(values, "rank").orElse(0)),
                Math.toIntExact(number(values, "world_size").orElse(1)),
                Math.toIntExact(number(values, "prefetch").orElse(0)),
                Boolean.parseBoolean(values.get("one_budget")),
                number(values, "parent").orElse(0),
                Optional.ofNullable(values.get("trace")).map(Path::of),
                threads.isPresent() ? OptionalInt.of(Math.toIntExact(threads.getAsLong())) : OptionalInt.empty(),
                Optional.ofNullable(values.get("record")).map(Path::of),
                Optional.ofNullable(values.get("skip_list")).map(Path::of),
                values.getOrDefault("resume_from", ""),
                values.getOrDefault("functions", ""));
    }

    private static String text(ByteBuffer body) {
        byte[] bytes = new byte[body.getInt()];
        body.get(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static String required(Map<String, String> values, String name) {
        String value = values.get(name);
        if (value == null) {
            throw new IllegalArgumentException("the trainer did not send '" + name + "'");
        }
        return value;
    }

    private static OptionalLong number(Map<String, String> values, String name) {
        String value = values.get(name);
        return value == null ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(value));
    }
}
