package org.jspdl.spark;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import org.jspdl.json.JsonReader;

/// What a user says about reading, with `option(name, value)`. Immutable; goes to the executors.
///
/// | option | default | |
/// | --- | --- | --- |
/// | `failures` | `fail` | what a broken sample or missing file does: `fail`, or `skip` to leave it out |
/// | `files` | `images` | which files of a folder are samples: `images`, or `any` |
/// | `samplesPerPartition` | | at most so many samples in one partition; without it a shard is one, and files make four
/// for each core |
///
/// @param paths               what is read, as it was given
/// @param skips               whether what is broken is left out
/// @param anyFile             whether files that are no images are samples, too
/// @param samplesPerPartition 0 to decide by what there is
record ReadOptions(List<String> paths, boolean skips, boolean anyFile, int samplesPerPartition)
        implements Serializable {
    private static final Set<String> KNOWN = Set.of("path", "paths", "failures", "files", "samplesperpartition");

    ReadOptions {
        paths = List.copyOf(paths);
    }

    /// @throws IllegalArgumentException if an option is unknown or wrong; the message says what there is
    static ReadOptions of(CaseInsensitiveStringMap given) {
        Set<String> unknown = new TreeSet<>(given.keySet());
        unknown.removeAll(KNOWN);
        if (!unknown.isEmpty()) {
            throw new IllegalArgumentException("jspdl does not know the options " + unknown
                    + "; there are failures, files and samplesPerPartition");
        }
        return new ReadOptions(
                paths(given),
                isSecond(given, "failures", "fail", "skip"),
                isSecond(given, "files", "images", "any"),
                samplesPerPartition(given));
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
                    "nothing to read: say .load(\"folder\"), or shards, a list or a manifest");
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
}
