package org.jspdl.json;

import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The names that one object has had so far. Few names are compared one by one, many are hashed.
final class NameSet {
    private static final int FEW = 16;

    private final @Nullable String[] few = new @Nullable String[FEW];
    private int size;
    private @Nullable Set<String> many;

    /// Empties the set. A large table is dropped rather than cleared, which would take time in its capacity.
    void clear() {
        size = 0;
        many = null;
    }

    /// Adds a name; false if it is there already.
    boolean add(String name) {
        if (many != null) {
            return many.add(name);
        }
        for (int i = 0; i < size; i++) {
            if (name.equals(few[i])) {
                return false;
            }
        }
        if (size < FEW) {
            few[size++] = name;
            return true;
        }
        Set<String> all = HashSet.newHashSet(4 * FEW);
        for (String each : few) {
            all.add(String.valueOf(each));
        }
        many = all;
        return all.add(name);
    }
}
