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

/// Follows items in flight and tells, for each batch, why the consumer waited for it. Keeps the longest stalls.
///
/// Items that are dropped silently (with a remainder) are forgotten when there are too many.
final class StallTracker implements ItemObserver {
    private static final int LONGEST = 20;
    private static final int MOST_ITEMS = 200_000;
    private static final long WORTH_TELLING_NANOS = 100_000;

    private final Map<Long, ItemHistory> histories = new ConcurrentHashMap<>();
    private final PriorityQueue<Stall> longest = new PriorityQueue<>(Comparator.comparing(Stall::stalled));
    private final long started = System.nanoTime();
    private long batches;
    private @Nullable Stall last;

    /// What was done to an item, in the order of time. Written by one thread at a time: the one that has the item.
    private static final class ItemHistory {
        final List<Span> spans = new ArrayList<>(4);
    }

    private record Span(String stage, boolean source, long start, long end) {}

    @Override
    public void admitted(String source, long item, long start, long end) {
        ItemHistory history = new ItemHistory();
        history.spans.add(new Span(source, true, start, end));
        if (histories.size() < MOST_ITEMS) {
            histories.put(item, history);
        }
    }

    @Override
    public void worked(String stage, long item, long start, long end, Outcome outcome) {
        if (outcome != Outcome.COMPLETED) {
            histories.remove(item);
            return;
        }
        ItemHistory history = histories.get(item);
        if (history != null) {
            synchronized (history) {
                history.spans.add(new Span(stage, false, start, end));
            }
        }
    }

    @Override
    public void grouped(String stage, long item, long[] members, long now) {
        ItemHistory latest = null;
        for (long member : members) {
            ItemHistory history = histories.remove(member);
            if (history != null && (latest == null || end(history) > end(latest))) {
                latest = history;
            }
        }
        if (latest != null) {
            synchronized (latest) {
                latest.spans.add(new Span(stage, false, now, now));
            }
            histories.put(item, latest);
        }
    }

    private static long end(ItemHistory history) {
        synchronized (history) {
            return history.spans.getLast().end;
        }
    }

    @Override
    public void delivered(long item, long asked, long received) {
        ItemHistory history = histories.remove(item);
        Stall stall = new Stall(
                batches++,
                Duration.ofNanos(received - started),
                Duration.ofNanos(received - asked),
                history == null ? List.of() : causes(history, asked, received));
        synchronized (longest) {
            last = stall;
            if (received - asked < WORTH_TELLING_NANOS) {
                return;
            }
            longest.add(stall);
            if (longest.size() > LONGEST) {
                longest.poll();
            }
        }
    }

    /// The parts of the history that lie between `asked` and `received`, which cover all of it.
    private static List<Stall.Cause> causes(ItemHistory history, long asked, long received) {
        Map<String, Stall.Cause> found = new LinkedHashMap<>();
        long from = asked;
        synchronized (history) {
            for (Span span : history.spans) {
                Stall.Kind before = span.source ? Stall.Kind.NOT_READ : Stall.Kind.QUEUED;
                from = add(found, before, span.stage, from, Math.min(span.start, received));
                Stall.Kind during = span.source ? Stall.Kind.NOT_READ : Stall.Kind.WORKING;
                from = add(found, during, span.stage, from, Math.min(span.end, received));
            }
        }
        add(found, Stall.Kind.QUEUED, "consumer", from, received);
        List<Stall.Cause> causes = new ArrayList<>(found.values());
        causes.sort(Comparator.comparing(Stall.Cause::time).reversed());
        return List.copyOf(causes);
    }

    private static long add(Map<String, Stall.Cause> causes, Stall.Kind kind, String stage, long from, long to) {
        if (to <= from) {
            return from;
        }
        causes.merge(
                kind + stage,
                new Stall.Cause(kind, stage, Duration.ofNanos(to - from)),
                (a, b) -> new Stall.Cause(kind, stage, a.time().plus(b.time())));
        return to;
    }

    Optional<Stall> last() {
        synchronized (longest) {
            return Optional.ofNullable(last);
        }
    }

    /// The longest stalls, longest first.
    List<Stall> longest() {
        synchronized (longest) {
            return longest.stream()
                    .sorted(Comparator.comparing(Stall::stalled).reversed())
                    .toList();
        }
    }
}
