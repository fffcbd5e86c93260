package org.jspdl.source.internal;

/// Items sorted into groups: 4 bytes for each item. Immutable.
public final class ItemGroups {
    private final int[] items;
    private final int[] ends;

    private ItemGroups(int[] items, int[] ends) {
        this.items = items;
        this.ends = ends;
    }

    /// Sorts items.
    ///
    /// @param groups the group of every item
    /// @param count  how many groups there are
    public static ItemGroups of(int[] groups, int count) {
        int[] ends = new int[count];
        for (int group : groups) {
            ends[group]++;
        }
        for (int i = 1; i < count; i++) {
            ends[i] += ends[i - 1];
        }
        int[] items = new int[groups.length];
        int[] next = new int[count];
        System.arraycopy(ends, 0, next, 1, Math.max(0, count - 1));
        for (int i = 0; i < groups.length; i++) {
            items[next[groups[i]]++] = i;
        }
        return new ItemGroups(items, ends);
    }

    /// How many items there are.
    public int items() {
        return items.length;
    }

    /// How many groups there are.
    public int groups() {
        return ends.length;
    }

    /// How many items a group has.
    public int size(int group) {
        return ends[group] - start(group);
    }

    /// Item `number` of a group, in the order of the items.
    public int item(int group, int number) {
        return items[start(group) + number];
    }

    private int start(int group) {
        return group == 0 ? 0 : ends[group - 1];
    }
}
