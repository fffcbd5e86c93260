package org.jspdl.spark.internal;

import java.io.Serializable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import org.jspdl.data.plan.PackedPlan;
import org.jspdl.data.snapshot.DatasetVersions;
import org.jspdl.data.storage.StorageOptions;
import org.jspdl.json.JsonReader;
import org.jspdl.plan.Operations;
import org.jspdl.plan.PlanContext;

/// What a user says about reading, with `option(name, value)`. Immutable; goes to the executors.
///
/// | option | default | |
/// | --- | --- | --- |
/// | `failures` | `fail` | what a broken sample or missing file does: `fail`, or `skip` to leave it out |
/// | `files` | `images` | which files of a folder are samples: `images`, or `any` |
/// | `samplesPerPartition` | | at most so many samples in one partition; without it a shard is one, and files make four
/// for each core |
/// | `plan` | | the text of a plan, whose samples are read in place of a dataset |
/// | `planFolder` | the driver's folder | where relative paths of the plan begin |
///
/// @param paths               what is read, as it was given
/// @param skips               whether what is broken is left out
/// @param anyFile             whether files that are no images are samples, too
/// @param samplesPerPartition 0 to decide by what there is
/// @param plan                the text of a plan; empty for none
/// @param planFolder          where its relative paths begin
public record ReadOptions(
        List<String> paths, boolean skips, boolean anyFile, int samplesPerPartition, String plan, String planFolder)
        implements Serializable {
    private static final Set<String> KNOWN =
            Set.of("path", "paths", "failures", "files", "samplesperpartition", "plan", "planfolder");

    public ReadOptions {
        paths = List.copyOf(paths);
    }

    /// Options as Spark gives them.
    ///
    /// @throws IllegalArgumentException if an option is unknown or wrong; the message says what there is
    public static ReadOptions of(CaseInsensitiveStringMap given) {
        Set<String> unknown = new TreeSet<>(given.keySet());
        unknown.removeAll(KNOWN);
        if (!unknown.isEmpty()) {
            throw new IllegalArgumentException("jspdl does not know the options " + unknown
                    + "; there are failures, files, samplesPerPartition, plan and planFolder");
        }
        String plan = given.getOrDefault("plan", "");
        if (!plan.isBlank()
                && (given.containsKey("path") || given.containsKey("paths") || given.containsKey("files"))) {
            throw new IllegalArgumentException(
                    "a plan names its dataset itself: say .load() without a path, and no option files");
        }
        if (plan.isBlank() && given.containsKey("planFolder")) {
            throw new IllegalArgumentException("planFolder is of no use without the option plan");
        }
        return new ReadOptions(
                plan.isBlank() ? paths(given) : List.of(),
                isSecond(given, "failures", "fail", "skip"),
                isSecond(given, "files", "images", "any"),
                samplesPerPartition(given),
                plan,
                Path.of(given.getOrDefault("planFolder", "")).toAbsolutePath().toString());
    }

    /// Which of two words an option is; the first where nothing is said.
    private static boolean isSecond(Map<String, String> given, String name, String first, String second) {
        String word = given.getOrDefault(name, first);
        if (!word.equals(first) && !word.equals(second)) {
            throw new IllegalArgumentException(
                    name + " must be " + first + " or " + second + " but was '" + word + "'");
        }
        return word.equals(second);
    }

    private static List<String> paths(Map<String, String> given) {
        List<String> paths = new ArrayList<>();
        String several = given.get("paths");
        if (several != null) {
            JsonReader json = JsonReader.of(several);
            json.beginArray();
            while (json.hasNext()) {
                paths.add(json.nextString());
            }
            json.endArray();
        }
        String one = given.get("path");
        if (one != null) {
            paths.add(one);
        }
        if (paths.isEmpty()) {
            throw new IllegalArgumentException(
                    "nothing to read: say .load(\"folder\"), or shards, a list or a manifest, or the option plan");
        }
        return paths;
    }

    private static int samplesPerPartition(Map<String, String> given) {
        String text = given.get("samplesPerPartition");
        if (text == null) {
            return 0;
        }
        try {
            int samples = Integer.parseInt(text.strip());
            if (samples > 0) {
                return samples;
            }
        } catch (NumberFormatException notNumber) {
            // the message is the same
        }
        throw new IllegalArgumentException(
                "samplesPerPartition must be a whole number of at least 1 but was '" + text + "'");
    }

    /// The plan, compiled in this process; the caller closes it.
    ///
    /// @param versions that files must have, or of which the driver is told
    /// @param meter    is told what it reads
    /// @throws org.jspdl.plan.PlanException if it is wrong
    /// @throws IllegalArgumentException if its places can't be run one by one; the message says why
    public PackedPlan open(DatasetVersions versions, PlanMeter meter) {
        String name = plan.stripLeading().startsWith("{") ? "plan.json" : "plan.yaml";
        StorageOptions storage = StorageOptions.ofUser(System.getenv(), Path.of(System.getProperty("user.home")))
                .requests(meter);
        PlanContext context = PlanContext.in(Path.of(planFolder)).offer(StorageOptions.class, storage);
        PackedPlan opened = PackedPlan.open(name, plan, Operations.installed(), context, versions);
        meter.stages(opened.stages());
        return opened;
    }
}
