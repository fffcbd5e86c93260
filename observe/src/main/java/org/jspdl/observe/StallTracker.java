package org.jspdl.observe;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
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
/// Items are asked what they are after calls of a millisecond or more and, for the source, after the first call of any
/// length: shorter ones explain no stall. What they say is kept, the items are not.
///
/// Items that are dropped silently (with a remainder) are forgotten when there are too many.
final class StallTracker implements ItemObserver {
    private static final int LONGEST = 20;
    private static final int MOST_ITEMS = 200_000;
    private static final long WORTH_TELLING_NANOS = 100_000;
    private static final long WORTH_NAMING_NANOS = 1_000_000;
    private static final int LONGEST_NAME = 200;

    private final Map<Thread, Object> running = new ConcurrentHashMap<>();
    private final Map<Long, ItemHistory> histories = new ConcurrentHashMap<>();
    private final PriorityQueue<Stall> longest = new PriorityQueue<>(Comparator.comparing(Stall::stalled));
    private final long started = System.nanoTime();
    private long batches;
    private @Nullable Stall last;

    /// What was done to an item, in the order of time. Written by one thread at a time: the one that has the item.
    private static final class ItemHistory {
        final List<Span> spans = new ArrayList<>(4);
    }

    /// @param item what the item said that it is; empty if it was not asked
    private record Span(String stage, boolean source, long start, long end, String item) {
        /// Whether a source took long to yield it.
        boolean awaited() {
            return source && end - start >= WORTH_NAMING_NANOS;
        }
    }

    @Override
    public void itemStarted(String stage, Object item) {
        running.put(Thread.currentThread(), item);
    }

    @Override
    public void admitted(String source, long item, long start, long end) {
        ItemHistory history = new ItemHistory();
        history.spans.add(new Span(source, true, start, end, ""));
        if (histories.size() < MOST_ITEMS) {
            histories.put(item, history);
        }
    }

    @Override
    public void worked(String stage, long item, long start, long end, Outcome outcome) {
        Object input = running.remove(Thread.currentThread());
        if (outcome != Outcome.COMPLETED) {
            histories.remove(item);
            return;
        }
        ItemHistory history = histories.get(item);
        if (history != null) {
            synchronized (history) {
                boolean awaited =
                        history.spans.size() == 1 && history.spans.getFirst().awaited();
                boolean named = awaited || end - start >= WORTH_NAMING_NANOS;
                history.spans.add(new Span(stage, false, start, end, named && input != null ? name(input) : ""));
            }
        }
    }

    /// What `input` says that it is, if that is short enough to be read. Items that are many are not asked.
    private static String name(Object input) {
        if (input instanceof Collection
                || input instanceof Map
                || input.getClass().isArray()) {
            return "";
        }
        String text;
        try {
            text = String.valueOf(input);
        } catch (RuntimeException silent) {
            return "";
        }
        return text.length() <= LONGEST_NAME ? text : text.substring(0, LONGEST_NAME) + "...";
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
                latest.spans.add(new Span(stage, false, now, now, ""));
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
                String item = span.source ? nameIn(history) : span.item;
                from = add(found, before, span.stage, span.source ? item : "", from, Math.min(span.start, received));
                Stall.Kind during = span.source ? Stall.Kind.NOT_READ : Stall.Kind.WORKING;
                from = add(found, during, span.stage, item, from, Math.min(span.end, received));
            }
        }
        add(found, Stall.Kind.QUEUED, "consumer", "", from, received);
        List<Stall.Cause> causes = new ArrayList<>(found.values());
        causes.sort(Comparator.comparing(Stall.Cause::time).reversed());
        return List.copyOf(causes);
    }

    /// The first name that the item of a history had.
    private static String nameIn(ItemHistory history) {
        for (Span span : history.spans) {
            if (!span.item.isEmpty()) {
                return span.item;
            }
        }
        return "";
    }

    private static long add(
            Map<String, Stall.Cause> causes, Stall.Kind kind, String stage, String item, long from, long to) {
        if (to <= from) {
            return from;
        }
        causes.merge(
                kind + stage,
                new Stall.Cause(kind, stage, Duration.ofNanos(to - from), item),
                (a, b) -> new Stall.Cause(
                        kind, stage, a.time().plus(b.time()), a.item().isEmpty() ? b.item() : a.item()));
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
