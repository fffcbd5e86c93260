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
import org.jspdl.observe.requests.RequestLog;
import org.jspdl.stats.ItemObserver;
import org.jspdl.stats.RemoteRequest;
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
    private static final Duration NONE = Duration.ZERO;

    private final Map<Thread, Object> running = new ConcurrentHashMap<>();
    private final Map<Long, ItemHistory> histories = new ConcurrentHashMap<>();
    private final PriorityQueue<Stall> longest = new PriorityQueue<>(Comparator.comparing(Stall::stalled));
    private final long started = System.nanoTime();
    private final RequestLog requests;
    private long batches;
    private @Nullable Stall last;

    /// @param requests what other machines were asked
    StallTracker(RequestLog requests) {
        this.requests = requests;
    }

    /// What was done to an item, in the order of time. Written by one thread at a time: the one that has the item.
    private static final class ItemHistory {
        final List<Span> spans = new ArrayList<>(4);
    }

    /// @param item   what the item said that it is; empty if it was not asked
    /// @param thread which worked on it; 0 if that tells nothing
    private record Span(String stage, boolean source, long start, long end, String item, long thread) {
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
        history.spans.add(new Span(source, true, start, end, "", 0));
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
                String name = named && input != null ? name(input) : "";
                long thread = Thread.currentThread().threadId();
                history.spans.add(new Span(stage, false, start, end, name, thread));
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
                latest.spans.add(new Span(stage, false, now, now, "", 0));
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
    private List<Stall.Cause> causes(ItemHistory history, long asked, long received) {
        Map<String, Stall.Cause> found = new LinkedHashMap<>();
        long from = asked;
        synchronized (history) {
            for (Span span : history.spans) {
                Stall.Kind before = span.source ? Stall.Kind.NOT_READ : Stall.Kind.QUEUED;
                String item = span.source ? nameIn(history) : span.item;
                String unread = span.source ? item : "";
                from = add(found, new Stall.Cause(before, span.stage, NONE, unread), from, span.start, received);
                Stall.Kind during = span.source ? Stall.Kind.NOT_READ : Stall.Kind.WORKING;
                Stall.Cause cause = new Stall.Cause(during, span.stage, NONE, item, request(span, from, received));
                from = add(found, cause, from, span.end, received);
            }
        }
        add(found, new Stall.Cause(Stall.Kind.QUEUED, "consumer", NONE), from, received, received);
        List<Stall.Cause> causes = new ArrayList<>(found.values());
        causes.sort(Comparator.comparing(Stall.Cause::time).reversed());
        return List.copyOf(causes);
    }

    /// What another machine was asked for the item in the part of `span` that lies between `from` and `to`. A
    /// source reads ahead on threads that are not known here, so of its time any request may tell.
    private Optional<RemoteRequest> request(Span span, long from, long to) {
        long start = Math.max(from, span.start);
        long end = Math.min(to, span.end);
        if (end - start < WORTH_NAMING_NANOS) {
            return Optional.empty();
        }
        return span.source ? requests.longest(start, end) : requests.ofItem(span.thread, span.item, start, end);
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

    /// Adds the time between `from` and `end`, at most up to `received`, to a cause; where that time ends.
    private static long add(Map<String, Stall.Cause> causes, Stall.Cause cause, long from, long end, long received) {
        long to = Math.min(end, received);
        if (to <= from) {
            return from;
        }
        causes.merge(cause.kind() + cause.stage(), lasting(cause, Duration.ofNanos(to - from)), StallTracker::together);
        return to;
    }

    private static Stall.Cause lasting(Stall.Cause cause, Duration time) {
        return new Stall.Cause(cause.kind(), cause.stage(), time, cause.item(), cause.request());
    }

    private static Stall.Cause together(Stall.Cause one, Stall.Cause other) {
        String item = one.item().isEmpty() ? other.item() : one.item();
        Optional<RemoteRequest> request = one.request().or(other::request);
        return new Stall.Cause(one.kind(), one.stage(), one.time().plus(other.time()), item, request);
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
