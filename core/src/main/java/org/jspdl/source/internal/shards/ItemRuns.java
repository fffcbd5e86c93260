package org.jspdl.source.internal.shards;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableSet;
import java.util.SortedSet;

/// Numbers that ascend, as runs of neighbors. Immutable.
///
/// @param bounds by run, its first number and the one behind its last; ascending, and not changed by anyone
record ItemRuns(long[] bounds) {

    static final ItemRuns NONE = new ItemRuns(new long[0]);

    /// All from `from` to `to` - 1.
    static ItemRuns range(long from, long to) {
        return from < to ? new ItemRuns(new long[] {from, to}) : NONE;
    }

    /// The numbers of `singles` that are less than all of `rest`, and `rest`.
    static ItemRuns of(NavigableSet<Long> singles, ItemRuns rest) {
        NavigableSet<Long> before = rest.isEmpty() ? singles : singles.headSet(rest.first(), false);
        long[] bounds = new long[2 * before.size() + rest.bounds.length];
        int used = 0;
        for (long number : before) {
            used = add(bounds, used, number, number + 1);
        }
        for (int i = 0; i < rest.bounds.length; i += 2) {
            used = add(bounds, used, rest.bounds[i], rest.bounds[i + 1]);
        }
        return new ItemRuns(Arrays.copyOf(bounds, used));
    }

    /// Runs given by their bounds, in order; they may touch each other.
    static ItemRuns of(List<Long> runs) {
        long[] bounds = new long[runs.size()];
        int used = 0;
        for (int i = 0; i < runs.size(); i += 2) {
            used = add(bounds, used, runs.get(i), runs.get(i + 1));
        }
        return new ItemRuns(Arrays.copyOf(bounds, used));
    }

    /// These and those.
    ItemRuns union(ItemRuns other) {
        long[] bounds = new long[this.bounds.length + other.bounds.length];
        int used = 0;
        int mine = 0;
        int theirs = 0;
        while (mine < this.bounds.length || theirs < other.bounds.length) {
            boolean takesMine = theirs == other.bounds.length
                    || (mine < this.bounds.length && this.bounds[mine] <= other.bounds[theirs]);
            long from = takesMine ? this.bounds[mine] : other.bounds[theirs];
            long to = takesMine ? this.bounds[mine + 1] : other.bounds[theirs + 1];
            mine += takesMine ? 2 : 0;
            theirs += takesMine ? 0 : 2;
            if (used > 0 && bounds[used - 1] >= from) {
                bounds[used - 1] = Math.max(bounds[used - 1], to);
            } else {
                used = add(bounds, used, from, to);
            }
        }
        return new ItemRuns(Arrays.copyOf(bounds, used));
    }

    /// These without `numbers`.
    ItemRuns without(SortedSet<Long> numbers) {
        List<Long> runs = new ArrayList<>();
        for (int i = 0; i < bounds.length; i += 2) {
            long from = bounds[i];
            for (long number : numbers.subSet(bounds[i], bounds[i + 1])) {
                if (from < number) {
                    runs.add(from);
                    runs.add(number);
                }
                from = number + 1;
            }
            if (from < bounds[i + 1]) {
                runs.add(from);
                runs.add(bounds[i + 1]);
            }
        }
        return of(runs);
    }

    private static int add(long[] bounds, int used, long from, long to) {
        if (used > 0 && bounds[used - 1] == from) {
            bounds[used - 1] = to;
            return used;
        }
        bounds[used] = from;
        bounds[used + 1] = to;
        return used + 2;
    }

    boolean isEmpty() {
        return bounds.length == 0;
    }

    long first() {
        return bounds[0];
    }

    /// Behind the last.
    long end() {
        return bounds[bounds.length - 1];
    }

    long count() {
        long count = 0;
        for (int i = 0; i < bounds.length; i += 2) {
            count += bounds[i + 1] - bounds[i];
        }
        return count;
    }

    /// Which of the runs ends behind `number`; the number of runs if none does.
    private int runEndingBehind(long number) {
        int low = 0;
        int high = bounds.length / 2;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (bounds[2 * middle + 1] > number) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    boolean contains(long number) {
        return next(number) == number;
    }

    /// The first of the numbers from `number` on; the largest long if there is none.
    long next(long number) {
        int run = runEndingBehind(number);
        return 2 * run == bounds.length ? Long.MAX_VALUE : Math.max(number, bounds[2 * run]);
    }

    /// The first number from `number` on that is not one of these.
    long nextMissing(long number) {
        int run = runEndingBehind(number);
        return 2 * run == bounds.length || bounds[2 * run] > number ? number : bounds[2 * run + 1];
    }

    /// Those from `from` to `to` - 1.
    ItemRuns within(long from, long to) {
        long[] within = new long[bounds.length];
        int used = 0;
        for (int i = 0; i < bounds.length; i += 2) {
            long first = Math.max(from, bounds[i]);
            long end = Math.min(to, bounds[i + 1]);
            if (first < end) {
                within[used++] = first;
                within[used++] = end;
            }
        }
        return new ItemRuns(Arrays.copyOf(within, used));
    }

    /// `count` of them, behind the first `skipped`.
    ItemRuns part(long skipped, long count) {
        long[] part = new long[bounds.length];
        int used = 0;
        long before = 0;
        for (int i = 0; i < bounds.length; i += 2) {
            long size = bounds[i + 1] - bounds[i];
            long from = bounds[i] + Math.clamp(skipped - before, 0, size);
            long to = bounds[i] + Math.clamp(skipped + count - before, 0, size);
            if (from < to) {
                part[used++] = from;
                part[used++] = to;
            }
            before += size;
        }
        return new ItemRuns(Arrays.copyOf(part, used));
    }

    /// As distances between bounds, which are short.
    void write(StateText.Writer text) {
        text.number(bounds.length);
        long last = 0;
        for (long bound : bounds) {
            text.number(bound == Long.MAX_VALUE ? 0 : bound - last);
            last = bound;
        }
    }

    static ItemRuns read(StateText.Reader text) {
        int length = text.number(text.left());
        if (length % 2 != 0) {
            throw text.refused();
        }
        long[] bounds = new long[length];
        long last = 0;
        for (int i = 0; i < length; i++) {
            long more = text.longNumber();
            boolean endless = more == 0 && i == length - 1;
            long bound = endless ? Long.MAX_VALUE : last + more;
            if (bound < last || (i > 0 && bound == last)) {
                throw text.refused();
            }
            bounds[i] = bound;
            last = bound;
        }
        return new ItemRuns(bounds);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ItemRuns(long[] theirs) && Arrays.equals(bounds, theirs);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bounds);
    }

    @Override
    public String toString() {
        return Arrays.toString(bounds);
    }
}
