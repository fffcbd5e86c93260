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
import org.jspdl.observe.history.ItemHistory;
import org.jspdl.observe.history.RecentWork;
import org.jspdl.observe.history.Span;
import org.jspdl.observe.history.WaitSums;
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
    private final RecentWork recent = new RecentWork();
    private final WaitSums sums = new WaitSums();
    private final RequestLog requests;
    private volatile long started = System.nanoTime();
    private long batches;
    private @Nullable Stall last;

    /// @param requests what other machines were asked
    StallTracker(RequestLog requests) {
        this.requests = requests;
    }

    /// Counts times from now on, or from `nanos` of [System#nanoTime].
    void startedAt(long nanos) {
        started = nanos;
    }

    @Override
    public void itemStarted(String stage, Object item) {
        running.put(Thread.currentThread(), item);
    }

    @Override
    public void admitted(String source, long item, long start, long end) {
        Span span = new Span(source, true, start, end, "", 0);
        recent.add(span, 0);
        if (histories.size() < MOST_ITEMS) {
            histories.put(item, new ItemHistory(span));
        }
    }

    @Override
    public void worked(String stage, long item, long start, long end, Outcome outcome) {
        Object input = running.remove(Thread.currentThread());
        boolean goesOn = outcome == Outcome.COMPLETED;
        ItemHistory history = goesOn ? histories.get(item) : histories.remove(item);
        if (history != null) {
            boolean named = end - start >= WORTH_NAMING_NANOS || history.isNewAfter(WORTH_NAMING_NANOS);
            String name = named && input != null ? name(input) : "";
            Span span = new Span(
                    stage, false, start, end, name, Thread.currentThread().threadId());
            recent.add(span, history.add(span));
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
            if (history != null && (latest == null || history.end() > latest.end())) {
                latest = history;
            }
        }
        if (latest != null) {
            latest.add(new Span(stage, false, now, now, "", 0));
            histories.put(item, latest);
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
            stall.causes()
                    .forEach(cause -> sums.add(
                            cause.kind() == Stall.Kind.QUEUED,
                            cause.stage(),
                            cause.time().toNanos(),
                            cause.item()));
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
        for (Span span : history.spans()) {
            String item = span.source() ? history.name() : span.item();
            Stall.Cause before = span.source()
                    ? beforeSource(span, item, from, Math.min(span.start(), received))
                    : new Stall.Cause(Stall.Kind.QUEUED, span.stage(), NONE);
            from = add(found, before, from, span.start(), received);
            Stall.Kind during = span.source() ? Stall.Kind.NOT_READ : Stall.Kind.WORKING;
            Stall.Cause cause = new Stall.Cause(during, span.stage(), NONE, item, request(span, from, received));
            from = add(found, cause, from, span.end(), received);
        }
        add(found, new Stall.Cause(Stall.Kind.QUEUED, "consumer", NONE), from, received, received);
        List<Stall.Cause> causes = new ArrayList<>(found.values());
        causes.sort(Comparator.comparing(Stall.Cause::time).reversed());
        return List.copyOf(causes);
    }

    /// Why the source was not yet asked for an item from `from` to `to`: it was busy with items before it, or was
    /// held back by a stage that was.
    private Stall.Cause beforeSource(Span source, String item, long from, long to) {
        Optional<Span> busiest = to - from < WORTH_TELLING_NANOS ? Optional.empty() : recent.during(from, to);
        return busiest.filter(longest -> !longest.source())
                .map(longest -> heldBack(longest, from, to))
                .orElse(new Stall.Cause(Stall.Kind.NOT_READ, source.stage(), NONE, item));
    }

    /// An item is named that took most of the time by itself.
    private Stall.Cause heldBack(Span longest, long from, long to) {
        boolean most = 2 * longest.within(from, to) >= to - from;
        return new Stall.Cause(
                Stall.Kind.HELD_BACK,
                longest.stage(),
                NONE,
                most ? longest.item() : "",
                most ? request(longest, from, to) : Optional.empty());
    }

    /// What another machine was asked for the item in the part of `span` that lies between `from` and `to`. A
    /// source reads ahead on threads that are not known here, so of its time any request may tell.
    private Optional<RemoteRequest> request(Span span, long from, long to) {
        long start = Math.max(from, span.start());
        long end = Math.min(to, span.end());
        if (end - start < WORTH_NAMING_NANOS) {
            return Optional.empty();
        }
        return span.source() ? requests.longest(start, end) : requests.ofItem(span.thread(), span.item(), start, end);
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

    /// What the consumer waited for most, over all of the run.
    Optional<StallShare> most() {
        synchronized (longest) {
            return sums.most().map(most -> new StallShare(most.queued(), most.stage(), most.place(), most.share()));
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
