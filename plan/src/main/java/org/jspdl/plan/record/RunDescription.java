package org.jspdl.plan.record;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspdl.json.Json;
import org.jspdl.pipeline.Checkpoint;
import org.jspdl.pipeline.RunOptions;

/// What one rank runs. Immutable.
///
/// @param name      what messages call the plan; a name that ends in `.json` says that the plan is JSON
/// @param plan      its text
/// @param folder    where its relative paths begin
/// @param rank      for sources that don't say theirs
/// @param worldSize for sources that don't say theirs
/// @param seed      the key of randomness in steps
/// @param versions  what items depend on beside the plan, such as decoders
/// @param data      what its sources read: the number of files and what they are called
/// @param began     when it began
/// @param leftOut   steps that it leaves out
/// @param provenance what its options say of where items come from, changes of weights that it replays among it
/// @param step      items that were delivered before
/// @param resumed   where it goes on; empty for a run from the start
public record RunDescription(
        String name,
        String plan,
        Path folder,
        int rank,
        int worldSize,
        long seed,
        Map<String, String> versions,
        List<String> data,
        Instant began,
        SortedSet<Long> leftOut,
        Map<String, String> provenance,
        long step,
        Optional<Checkpoint> resumed) {
    /// The first key of a line that describes a run; its value is the format.
    static final String MARK = "jspdl_run";

    private static final long FORMAT = 4;
    /// In the provenance: JSON, a list of names for each source.
    private static final String LEFT_OUT_SAMPLES = "left out samples";

    /// Copies the versions, the data and the steps that are left out.
    public RunDescription {
        requireNonNull(name, "name");
        requireNonNull(plan, "plan");
        folder = folder.toAbsolutePath().normalize();
        versions = Map.copyOf(versions);
        data = List.copyOf(data);
        provenance = Map.copyOf(provenance);
        leftOut = Collections.unmodifiableSortedSet(new TreeSet<>(leftOut));
    }

    /// A run whose options say nothing of where items come from.
    public RunDescription(
            String name,
            String plan,
            Path folder,
            int rank,
            int worldSize,
            long seed,
            Map<String, String> versions,
            List<String> data,
            Instant began,
            SortedSet<Long> leftOut,
            long step,
            Optional<Checkpoint> resumed) {
        this(name, plan, folder, rank, worldSize, seed, versions, data, began, leftOut, Map.of(), step, resumed);
    }

    /// A run of `plan` that begins now, from its start or from a checkpoint on.
    ///
    /// @param options how it runs: its seed, what it leaves out, and where it resumes are taken from here
    /// @param notes   what was offered to the plan's operations when it was compiled
    public static RunDescription of(
            String name,
            String plan,
            Path folder,
            int rank,
            int worldSize,
            RunOptions options,
            Map<String, String> versions,
            RunNotes notes) {
        long step = options.resumeFrom().map(Checkpoint::delivered).orElse(0L);
        Instant now = Instant.now();
        Map<String, String> provenance = new TreeMap<>(options.provenance());
        if (!notes.leftOut().stream().allMatch(List::isEmpty)) {
            provenance.put(LEFT_OUT_SAMPLES, Json.write(notes.leftOut()));
        }
        return new RunDescription(
                name,
                plan,
                folder,
                rank,
                worldSize,
                options.seed(),
                versions,
                notes.data(),
                now,
                options.leftOut(),
                provenance,
                step,
                options.resumeFrom());
    }

    /// What its options say of where items come from.
    Map<String, String> ofOptions() {
        Map<String, String> said = new TreeMap<>(provenance);
        said.remove(LEFT_OUT_SAMPLES);
        return said;
    }

    /// The names of the samples that each source leaves out, in the order of the plan; empty if none does.
    List<List<String>> leftOutSamples() {
        String text = provenance.get(LEFT_OUT_SAMPLES);
        if (text == null) {
            return List.of();
        }
        if (!(Json.parse(text) instanceof List<?> sources)) {
            throw missing(LEFT_OUT_SAMPLES);
        }
        List<List<String>> all = new ArrayList<>();
        for (Object source : sources) {
            if (!(source instanceof List<?> names)) {
                throw missing(LEFT_OUT_SAMPLES);
            }
            all.add(names.stream().map(String::valueOf).toList());
        }
        return all;
    }

    String toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put(MARK, FORMAT);
        json.put("name", name);
        json.put("plan", plan);
        json.put("folder", folder.toString());
        json.put("rank", (long) rank);
        json.put("world_size", (long) worldSize);
        json.put("seed", seed);
        json.put("versions", new TreeMap<>(versions));
        json.put("data", data);
        json.put("began", began.toString());
        json.put("left_out", List.copyOf(leftOut));
        json.put("provenance", new TreeMap<>(provenance));
        json.put("step", step);
        resumed.ifPresent(checkpoint -> json.put("checkpoint", checkpoint.toJson()));
        return Json.write(json);
    }

    static boolean isOne(Map<?, ?> json) {
        return json.containsKey(MARK);
    }

    /// Whether what was written down is the same run, begun at any time and step.
    boolean isOf(Map<?, ?> json) {
        return plan.equals(json.get("plan"))
                && Long.valueOf(seed).equals(json.get("seed"))
                && data.equals(json.get("data"));
    }

    /// Refuses what another version of JSPDL has begun.
    static void requireFormat(Map<?, ?> json) {
        if (!Long.valueOf(FORMAT).equals(json.get(MARK))) {
            throw new IllegalArgumentException("there is a record of format " + json.get(MARK)
                    + ", and this version of JSPDL reads and writes format " + FORMAT + " only");
        }
    }

    static RunDescription read(Map<?, ?> json) {
        requireFormat(json);
        Map<String, String> versions = new TreeMap<>();
        if (json.get("versions") instanceof Map<?, ?> all) {
            all.forEach((key, value) -> versions.put(String.valueOf(key), String.valueOf(value)));
        }
        Map<String, String> provenance = new TreeMap<>();
        if (json.get("provenance") instanceof Map<?, ?> all) {
            all.forEach((key, value) -> provenance.put(String.valueOf(key), String.valueOf(value)));
        }
        List<String> data = new ArrayList<>();
        if (json.get("data") instanceof List<?> all) {
            all.forEach(each -> data.add(String.valueOf(each)));
        }
        SortedSet<Long> leftOut = new TreeSet<>();
        if (json.get("left_out") instanceof List<?> all) {
            for (Object each : all) {
                if (!(each instanceof Long step)) {
                    throw missing("left_out");
                }
                leftOut.add(step);
            }
        }
        return new RunDescription(
                text(json, "name"),
                text(json, "plan"),
                Path.of(text(json, "folder")),
                Math.toIntExact(number(json, "rank")),
                Math.toIntExact(number(json, "world_size")),
                number(json, "seed"),
                versions,
                data,
                Instant.parse(text(json, "began")),
                leftOut,
                provenance,
                number(json, "step"),
                json.get("checkpoint") instanceof String checkpoint
                        ? Optional.of(Checkpoint.parse(checkpoint))
                        : Optional.empty());
    }

    static String text(Map<?, ?> json, String key) {
        if (json.get(key) instanceof String text) {
            return text;
        }
        throw missing(key);
    }

    static long number(Map<?, ?> json, String key) {
        if (json.get(key) instanceof Long number) {
            return number;
        }
        throw missing(key);
    }

    private static IllegalArgumentException missing(String key) {
        return new IllegalArgumentException("it has no valid '" + key + "'");
    }
}
