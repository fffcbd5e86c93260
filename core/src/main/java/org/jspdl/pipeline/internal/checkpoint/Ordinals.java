package org.jspdl.pipeline.internal.checkpoint;

import java.util.Collection;
import java.util.TreeSet;

/// A set of numbers counted from 0 that is filled roughly in order: a prefix and what lies beyond it. Its text is
/// `0-9,12`.
public final class Ordinals {
    private long prefix;
    private final TreeSet<Long> beyond = new TreeSet<>();

    public void add(long ordinal) {
        if (ordinal != prefix) {
            beyond.add(ordinal);
            return;
        }
        prefix++;
        while (!beyond.isEmpty() && beyond.first() == prefix) {
            beyond.pollFirst();
            prefix++;
        }
    }

    public boolean contains(long ordinal) {
        return ordinal < prefix || beyond.contains(ordinal);
    }

    public boolean isEmpty() {
        return prefix == 0 && beyond.isEmpty();
    }

    @Override
    public String toString() {
        StringBuilder out = new StringBuilder();
        if (prefix > 0) {
            out.append(prefix == 1 ? "0" : "0-" + (prefix - 1));
        }
        appendRanges(beyond, out);
        return out.toString();
    }

    /// Sorted numbers as ranges: `3-5,9`.
    static String ranges(Collection<Long> sorted) {
        StringBuilder out = new StringBuilder();
        appendRanges(sorted, out);
        return out.toString();
    }

    private static void appendRanges(Collection<Long> numbers, StringBuilder out) {
        long first = -1;
        long last = -2;
        for (long number : numbers) {
            if (number != last + 1) {
                appendRange(first, last, out);
                first = number;
            }
            last = number;
        }
        appendRange(first, last, out);
    }

    private static void appendRange(long first, long last, StringBuilder out) {
        if (last >= 0) {
            out.append(out.isEmpty() ? "" : ",").append(first);
            if (last > first) {
                out.append('-').append(last);
            }
        }
    }

    /// Reads what [#toString] writes.
    ///
    /// @param most the most numbers that may lie beyond the prefix, which are kept one by one
    public static Ordinals parse(String text, long most) {
        Ordinals ordinals = new Ordinals();
        long[] left = {most};
        forEachRange(text, (first, last) -> {
            if (first == 0) {
                ordinals.prefix = last + 1;
                return;
            }
            left[0] -= last - first + 1;
            if (left[0] < 0) {
                throw new IllegalArgumentException("more than " + most + " numbers in " + first + "-" + last);
            }
            for (long ordinal = first; ordinal <= last; ordinal++) {
                ordinals.add(ordinal);
            }
        });
        return ordinals;
    }

    /// Takes a range of numbers.
    interface RangeConsumer {
        void accept(long first, long last);
    }

    /// Reads ranges such as `3-5,9`, of numbers that are neither negative nor the greatest there is.
    ///
    /// @throws IllegalArgumentException if the text is something else
    static void forEachRange(String text, RangeConsumer consumer) {
        if (text.isEmpty()) {
            return;
        }
        for (String range : text.split(",", -1)) {
            int dash = range.indexOf('-');
            long first;
            long last;
            try {
                first = Long.parseLong(dash < 0 ? range : range.substring(0, dash));
                last = dash < 0 ? first : Long.parseLong(range.substring(dash + 1));
            } catch (NumberFormatException notNumber) {
                throw new IllegalArgumentException("not a range of numbers: '" + range + "'");
            }
            if (first < 0 || last < first || last == Long.MAX_VALUE) {
                throw new IllegalArgumentException("not a range of numbers: '" + range + "'");
            }
            consumer.accept(first, last);
        }
    }
}
