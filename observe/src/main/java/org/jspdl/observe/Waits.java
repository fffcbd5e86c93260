package org.jspdl.observe;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.concurrent.ConcurrentHashMap;
import org.jspdl.stats.ItemObserver;
import org.jspecify.annotations.Nullable;

/// Follows items in flight and explains, at each delivery, what it was waited for. Keeps the longest waits.
///
/// Items that are dropped without a word (by a remainder that is not kept) are forgotten when there are too many.
final class Waits implements ItemObserver {
    private static final int LONGEST = 20;
    private static final int MOST_ITEMS = 200_000;
    private static final long WORTH_TELLING_NANOS = 100_000;

    private final Map<Long, Way> ways = new ConcurrentHashMap<>();
    private final PriorityQueue<Wait> longest = new PriorityQueue<>(Comparator.comparing(Wait::waited));
    private final long started = System.nanoTime();
    private long deliveries;
    private @Nullable Wait last;

    /// What was done to an item, in the order of time. Written by one thread at a time: the one that has the item.
    private static final class Way {
        final List<Span> spans = new ArrayList<>(4);
    }

    private record Span(String stage, boolean source, long start, long end) {}

    @Override
    public void admitted(String source, long item, long start, long end) {
        Way way = new Way();
        way.spans.add(new Span(source, true, start, end));
        if (ways.size() < MOST_ITEMS) {
            ways.put(item, way);
        }
    }

    @Override
    public void worked(String stage, long item, long start, long end, Outcome outcome) {
        if (outcome != Outcome.COMPLETED) {
            ways.remove(item);
            return;
        }
        Way way = ways.get(item);
        if (way != null) {
            synchronized (way) {
                way.spans.add(new Span(stage, false, start, end));
            }
        }
    }

    @Override
    public void grouped(String stage, long item, long[] members, long now) {
        Way latest = null;
        for (long member : members) {
            Way way = ways.remove(member);
            if (way != null && (latest == null || end(way) > end(latest))) {
                latest = way;
            }
        }
        if (latest != null) {
            synchronized (latest) {
                latest.spans.add(new Span(stage, false, now, now));
            }
            ways.put(item, latest);
        }
    }

    private static long end(Way way) {
        synchronized (way) {
            return way.spans.getLast().end;
        }
    }

    @Override
    public void delivered(long item, long asked, long received) {
        Way way = ways.remove(item);
        Wait wait = new Wait(
                deliveries++,
                Duration.ofNanos(received - started),
                Duration.ofNanos(received - asked),
                way == null ? List.of() : causes(way, asked, received));
        synchronized (longest) {
            last = wait;
            if (received - asked < WORTH_TELLING_NANOS) {
                return;
            }
            longest.add(wait);
            if (longest.size() > LONGEST) {
                longest.poll();
            }
        }
    }

    /// The parts of the way that lie between `asked` and `received`, which cover all of it.
    private static List<Wait.Cause> causes(Way way, long asked, long received) {
        Map<String, Wait.Cause> found = new LinkedHashMap<>();
        long from = asked;
        synchronized (way) {
            for (Span span : way.spans) {
                Wait.Kind before = span.source ? Wait.Kind.NOT_YET_READ : Wait.Kind.WAITED;
                from = add(found, before, span.stage, from, Math.min(span.start, received));
                Wait.Kind during = span.source ? Wait.Kind.NOT_YET_READ : Wait.Kind.WORKED_ON;
                from = add(found, during, span.stage, from, Math.min(span.end, received));
            }
        }
        add(found, Wait.Kind.WAITED, "consumer", from, received);
        List<Wait.Cause> causes = new ArrayList<>(found.values());
        causes.sort(Comparator.comparing(Wait.Cause::time).reversed());
        return List.copyOf(causes);
    }

    private static long add(Map<String, Wait.Cause> causes, Wait.Kind kind, String stage, long from, long to) {
        if (to <= from) {
            return from;
        }
        causes.merge(
                kind + stage,
                new Wait.Cause(kind, stage, Duration.ofNanos(to - from)),
                (a, b) -> new Wait.Cause(kind, stage, a.time().plus(b.time())));
        return to;
    }

    Optional<Wait> last() {
        synchronized (longest) {
            return Optional.ofNullable(last);
        }
    }

    /// The longest waits, longest first.
    List<Wait> longest() {
        synchronized (longest) {
            return longest.stream()
                    .sorted(Comparator.comparing(Wait::waited).reversed())
                    .toList();
        }
    }
}
