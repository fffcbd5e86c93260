package org.jspdl.data.dataset;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import org.jspdl.data.storage.Location;

/// Numbers the classes of files whose labels come as texts: labels that are all numbers keep them, others are numbered
/// in the order of the names.
final class ClassNumbers {
    private final LabeledFiles.Builder files = new LabeledFiles.Builder();
    private final Map<String, Integer> met = new HashMap<>();

    void add(String location, String label) {
        files.add(location, met.computeIfAbsent(label, text -> met.size()));
    }

    /// Adds a file of a list without labels.
    void add(String location) {
        files.add(location, 0);
    }

    /// Whether files with labels were added.
    boolean areLabeled() {
        return !met.isEmpty();
    }

    long size() {
        return files.size();
    }

    LabeledFiles build(Location root) {
        if (!areLabeled()) {
            return files.buildUnlabeled(root);
        }
        boolean numeric = met.keySet().stream().allMatch(label -> label.matches("\\d{1,9}"));
        List<String> classes = numeric ? List.of() : List.copyOf(new TreeSet<>(met.keySet()));
        Map<String, Integer> ranks = new HashMap<>();
        classes.forEach(name -> ranks.put(name, ranks.size()));
        int[] numbers = new int[met.size()];
        met.forEach((label, number) ->
                numbers[number] = numeric ? Integer.parseInt(label) : Objects.requireNonNull(ranks.get(label)));
        return files.build(root, classes, numbers);
    }
}
