package org.jspdl.data.dataset;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspdl.data.internal.text.TextOrder;
import org.jspdl.data.storage.Location;

/// Numbers the classes of files whose labels come as texts: labels that are all numbers keep them, others are numbered
/// in the order of the names.
///
/// One label that is empty, or no whole number among numbers, would have all others numbered anew, in the order in
/// which they are written: `10` before `2`. So it is refused.
final class ClassNumbers {
    private static final Pattern WHOLE = Pattern.compile("\\d{1,9}");
    private static final Pattern OTHER_NUMBER = Pattern.compile("[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+)?");
    /// What stands for no value in tables, in lower case.
    private static final Set<String> NOTHING =
            Set.of("nan", "none", "null", "nil", "na", "n/a", "#n/a", "<na>", "-", "--", "?", "unknown");

    private final String source;
    private final LabeledFiles.Builder files = new LabeledFiles.Builder();
    private final Map<String, Integer> met = new HashMap<>();

    /// @param source what the labels are from, for messages
    ClassNumbers(String source) {
        this.source = source;
    }

    /// @throws DatasetException if the label is empty
    void add(String location, String label) throws DatasetException {
        if (label.isEmpty()) {
            throw new DatasetException(
                    source + ": the file '" + location + "' has an empty label; give it one, or leave it out");
        }
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

    /// Says whether a store listed the files below their root.
    void listed(boolean is) {
        files.listed(is);
    }

    /// @throws DatasetException if nearly all labels are the numbers of classes
    LabeledFiles build(Location root) throws DatasetException {
        if (!areLabeled()) {
            return files.buildUnlabeled(root);
        }
        boolean numeric =
                met.keySet().stream().allMatch(label -> WHOLE.matcher(label).matches());
        if (!numeric) {
            requireNames();
        }
        List<String> classes = numeric
                ? List.of()
                : met.keySet().stream().sorted(TextOrder.BY_CODE_POINTS).toList();
        Map<String, Integer> ranks = new HashMap<>();
        classes.forEach(name -> ranks.put(name, ranks.size()));
        int[] numbers = new int[met.size()];
        met.forEach((label, number) ->
                numbers[number] = numeric ? Integer.parseInt(label) : Objects.requireNonNull(ranks.get(label)));
        return files.build(root, classes, numbers);
    }

    /// The same, numbered by the places of their labels in `classes`, which has all of them.
    LabeledFiles build(Location root, List<String> classes) {
        Map<String, Integer> places = new HashMap<>();
        classes.forEach(name -> places.put(name, places.size()));
        int[] numbers = new int[met.size()];
        met.forEach((label, number) -> numbers[number] = Objects.requireNonNull(places.get(label)));
        return files.build(root, classes, numbers);
    }

    /// What is no whole number must not be another number, or stand for none, alone.
    private void requireNames() throws DatasetException {
        boolean names = met.keySet().stream()
                .anyMatch(label -> !OTHER_NUMBER.matcher(label).matches() && !isNothing(label));
        Optional<String> number = met.keySet().stream()
                .filter(label -> OTHER_NUMBER.matcher(label).matches())
                .findFirst();
        if (names || number.isEmpty()) {
            return;
        }
        String odd = met.keySet().stream()
                .filter(label -> !WHOLE.matcher(label).matches())
                .sorted()
                .findFirst()
                .orElseThrow();
        throw new DatasetException(source + ": the labels are numbers, but '" + odd + "' is no number of a class, which"
                + " is whole and 0 or more; write them so, or as names");
    }

    private static boolean isNothing(String label) {
        return NOTHING.contains(label.toLowerCase(Locale.ROOT));
    }
}
