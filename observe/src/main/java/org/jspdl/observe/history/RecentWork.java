package org.jspdl.observe.history;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What stages and sources did of late, to whatever item: tells what kept a source from being asked for the next one.
///
/// Safe for use by any thread. The oldest of [#MOST] spans is forgotten for each further one.
public final class RecentWork {
    private static final int MOST = 4_096;
    /// Stages that were at work for about as much of a time as the busiest one count as much: the last of them
    /// holds the others back.
    private static final double AS_BUSY = 0.9;

    private final @Nullable Span[] ring = new Span[MOST];
    private final Map<String, Integer> ranks = new HashMap<>();
    private long added;

    /// Adds what was done to an item that `rank` stages had before.
    public synchronized void add(Span span, int rank) {
        ring[(int) (added++ % MOST)] = span;
        ranks.merge(span.stage(), rank, Math::max);
    }

    /// The longest call from `from` to `to` of who was at work, on one item or another, for about the most of that
    /// time: the last stage of several. Empty if nobody was at work.
    public synchronized Optional<Span> during(long from, long to) {
        Map<String, List<Span>> found = new HashMap<>();
        // They were added as they ended, or a moment later.
        for (long i = added - 1; i >= Math.max(0, added - MOST); i--) {
            Span span = ring[(int) (i % MOST)];
            if (span == null || span.end() <= from) {
                break;
            }
            if (span.start() < to) {
                found.computeIfAbsent(span.stage(), stage -> new ArrayList<>()).add(span);
            }
        }
        Map<String, Long> covered = new HashMap<>();
        found.forEach((stage, spans) -> covered.put(stage, covered(spans, from, to)));
        long most = covered.values().stream().mapToLong(each -> each).max().orElse(0);
        return covered.entrySet().stream()
                .filter(each -> most > 0 && each.getValue() >= AS_BUSY * most)
                .map(Map.Entry::getKey)
                .max(Comparator.comparingInt((String stage) -> ranks.getOrDefault(stage, 0))
                        .thenComparing(Comparator.naturalOrder()))
                .flatMap(stage -> found.getOrDefault(stage, List.of()).stream()
                        .max(Comparator.comparingLong(span -> span.within(from, to))));
    }

    /// For how long at least one was going on.
    private static long covered(List<Span> spans, long from, long to) {
        Span[] sorted = spans.toArray(new Span[0]);
        Arrays.sort(sorted, Comparator.comparingLong(Span::start));
        long covered = 0;
        long until = from;
        for (Span span : sorted) {
            long start = Math.max(until, span.start());
            long end = Math.min(to, span.end());
            if (end > start) {
                covered += end - start;
                until = end;
            }
        }
        return covered;
    }
}
