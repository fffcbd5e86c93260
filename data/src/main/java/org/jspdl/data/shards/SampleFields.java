package org.jspdl.data.shards;

import java.lang.foreign.MemorySegment;
import java.util.AbstractList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.RandomAccess;
import org.jspdl.data.shards.ShardSample.Extent;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Shape;
import org.jspecify.annotations.Nullable;

/// The fields of one sample in their order. Most samples have two or three, which are found by looking at each; that
/// is less work for each sample than a map. Not thread-safe.
final class SampleFields {
    private static final int FEW = 8;
    private static final @Nullable Extent[] NOT_TOLD = new @Nullable Extent[0];

    private String[] names = new String[2];
    private Field[] fields = new Field[2];
    /// Where each field lies in the shard; shorter than the names where the last were not told.
    private @Nullable Extent[] extents = NOT_TOLD;
    private int count;
    private @Nullable Map<String, Integer> index;

    /// Bytes, and what they are if the shard says so.
    record Field(
            MemorySegment bytes,
            @Nullable ElementType type,
            @Nullable Shape shape) {}

    /// Adds a field; false if there is one of this name, which then stays.
    boolean add(String name, Field field) {
        if (place(name) >= 0) {
            return false;
        }
        if (count == names.length) {
            names = Arrays.copyOf(names, 2 * count);
            fields = Arrays.copyOf(fields, 2 * count);
        }
        names[count] = name;
        fields[count] = field;
        if (index != null) {
            index.put(name, count);
        } else if (count == FEW) {
            index = new HashMap<>();
            for (int i = 0; i <= count; i++) {
                index.put(names[i], i);
            }
        }
        count++;
        return true;
    }

    /// The field of this name; null if there is none.
    @Nullable
    Field find(String name) {
        int place = place(name);
        return place < 0 ? null : fields[place];
    }

    /// Says where the field of this name lies; false if there is none.
    boolean lies(String name, Extent extent) {
        int place = place(name);
        if (place < 0) {
            return false;
        }
        if (place >= extents.length) {
            extents = Arrays.copyOf(extents, names.length);
        }
        extents[place] = extent;
        return true;
    }

    /// Where the field of this name lies; null if that is not known, or there is none.
    @Nullable
    Extent extent(String name) {
        int place = place(name);
        return place < 0 || place >= extents.length ? null : extents[place];
    }

    private int place(String name) {
        if (index != null) {
            return index.getOrDefault(name, -1);
        }
        for (int i = 0; i < count; i++) {
            if (names[i].equals(name)) {
                return i;
            }
        }
        return -1;
    }

    /// A view of the names in their order.
    List<String> names() {
        return new Names();
    }

    private final class Names extends AbstractList<String> implements RandomAccess {
        @Override
        public String get(int place) {
            return names[Objects.checkIndex(place, count)];
        }

        @Override
        public int size() {
            return count;
        }
    }
}
