package org.jspdl.parquet;

import java.util.Arrays;
import java.util.List;
import org.jspdl.memory.Shape;

/// Counts the elements of lists within lists, by the levels of a column: how Dremel stores them.
final class ListLevels {
    private static final long OPEN = -1;

    private final int[] defined;
    private final long[] counts;
    private final long[] extents;
    private boolean ragged;

    /// What the levels of one place say.
    enum Found {
        /// There is an element, which may be null.
        ELEMENT,
        /// A list without elements.
        EMPTY_LIST,
        /// A null where a list within a list would be.
        NULL_LIST,
        /// A null where the outermost list would be.
        NOTHING
    }

    /// @param lists for each list, from the outermost, the definition level from which on it is there
    ListLevels(List<Integer> lists) {
        this.defined = lists.stream().mapToInt(Integer::intValue).toArray();
        this.counts = new long[defined.length];
        this.extents = new long[defined.length];
    }

    void begin() {
        Arrays.fill(counts, OPEN);
        Arrays.fill(extents, OPEN);
        ragged = false;
    }

    /// Takes the levels of the next place of the row.
    Found next(int repetition, int definition) {
        for (int level = repetition == 0 ? 0 : repetition; level < defined.length; level++) {
            close(level);
        }
        for (int level = repetition == 0 ? 0 : repetition - 1; level < defined.length; level++) {
            if (definition < defined[level]) {
                return level == 0 ? Found.NOTHING : Found.NULL_LIST;
            }
            if (counts[level] == OPEN) {
                counts[level] = 0;
            }
            if (definition == defined[level]) {
                return Found.EMPTY_LIST;
            }
            counts[level]++;
        }
        return Found.ELEMENT;
    }

    void end() {
        for (int level = 0; level < defined.length; level++) {
            close(level);
        }
    }

    /// Ends the list at `level`, if one is begun there.
    private void close(int level) {
        if (counts[level] != OPEN) {
            ragged |= extents[level] != OPEN && extents[level] != counts[level];
            extents[level] = counts[level];
            counts[level] = OPEN;
        }
    }

    /// Whether lists of one level had different lengths.
    boolean isRagged() {
        return ragged;
    }

    /// The lengths of the lists, from the outermost; 0 for lists within an empty one.
    Shape shape() {
        long[] shape = new long[extents.length];
        for (int level = 0; level < shape.length; level++) {
            shape[level] = Math.max(0, extents[level]);
        }
        return Shape.of(shape);
    }
}
