package org.jspdl.data.dataset;

import java.util.Collections;
import java.util.Comparator;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspdl.data.storage.FileNames;

/// Files of a folder that are no samples. Immutable.
///
/// @param files   how many
/// @param endings how many of them by the ending of their names, without the dot; empty for names without one. Beyond
///     100 endings, the others count as `..`
public record LeftOut(long files, SortedMap<String, Long> endings) {
    /// No files.
    public static final LeftOut NONE = new LeftOut(0, Collections.emptySortedMap());

    private static final int MOST_ENDINGS = 100;
    private static final int SHOWN = 5;

    /// Copies the endings.
    public LeftOut {
        endings = Collections.unmodifiableSortedMap(new TreeMap<>(endings));
    }

    /// The number of files and the commonest endings, such as `3 (2 .txt, 1 .db)`.
    @Override
    public String toString() {
        if (files == 0) {
            return "0";
        }
        String commonest = endings.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder()))
                .limit(SHOWN)
                .map(each -> each.getValue() + (each.getKey().isEmpty() ? " without an ending" : " ." + each.getKey()))
                .collect(Collectors.joining(", "));
        return files + " (" + commonest + (endings.size() > SHOWN ? ", ..." : "") + ")";
    }

    /// Counts files; used by one thread.
    static final class Counter {
        private final SortedMap<String, Long> endings = new TreeMap<>();
        private long files;

        void add(String name) {
            String ending = FileNames.shown(FileKind.ending(name));
            boolean known = endings.containsKey(ending) || endings.size() < MOST_ENDINGS;
            endings.merge(known ? ending : "..", 1L, Long::sum);
            files++;
        }

        LeftOut leftOut() {
            return new LeftOut(files, endings);
        }
    }
}
