package org.jspdl.plan.record;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspdl.json.Json;
import org.jspdl.pipeline.Checkpoint;

/// What one rank runs. Immutable.
///
/// @param name      what messages call the plan; a name that ends in `.json` says that the plan is JSON
/// @param plan      its text
/// @param folder    where its relative paths begin
/// @param rank      for sources that don't say theirs
/// @param worldSize for sources that don't say theirs
/// @param seed      the key of randomness in steps
/// @param versions  what items depend on beside the plan, such as decoders
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
        long step,
        Optional<Checkpoint> resumed) {
    private static final long FORMAT = 1;

    /// Copies the versions.
    public RunDescription {
        requireNonNull(name, "name");
        requireNonNull(plan, "plan");
        folder = folder.toAbsolutePath().normalize();
        versions = Map.copyOf(versions);
    }

    /// A run of `plan` from its start, or from a checkpoint on.
    public static RunDescription of(
            String name,
            String plan,
            Path folder,
            int rank,
            int worldSize,
            long seed,
            Map<String, String> versions,
            Optional<Checkpoint> resumed) {
        long step = resumed.map(Checkpoint::delivered).orElse(0L);
        return new RunDescription(name, plan, folder, rank, worldSize, seed, versions, step, resumed);
    }

    String toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("jspdl_run", FORMAT);
        json.put("name", name);
        json.put("plan", plan);
        json.put("folder", folder.toString());
        json.put("rank", (long) rank);
        json.put("world_size", (long) worldSize);
        json.put("seed", seed);
        json.put("versions", new TreeMap<>(versions));
        json.put("step", step);
        resumed.ifPresent(checkpoint -> json.put("checkpoint", checkpoint.toJson()));
        return Json.write(json);
    }

    static boolean isOne(Map<?, ?> json) {
        return json.containsKey("jspdl_run");
    }

    static RunDescription read(Map<?, ?> json) {
        if (!Long.valueOf(FORMAT).equals(json.get("jspdl_run"))) {
            throw new IllegalArgumentException("a record of format " + json.get("jspdl_run")
                    + ", and this version of JSPDL reads format " + FORMAT + " only");
        }
        Map<String, String> versions = new TreeMap<>();
        if (json.get("versions") instanceof Map<?, ?> all) {
            all.forEach((key, value) -> versions.put(String.valueOf(key), String.valueOf(value)));
        }
        return new RunDescription(
                text(json, "name"),
                text(json, "plan"),
                Path.of(text(json, "folder")),
                Math.toIntExact(number(json, "rank")),
                Math.toIntExact(number(json, "world_size")),
                number(json, "seed"),
                versions,
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
