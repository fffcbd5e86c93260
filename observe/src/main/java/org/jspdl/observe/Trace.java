package org.jspdl.observe;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.jspdl.observe.history.Track;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.stats.ItemObserver;

/// Records every call of a run and the way of every item, for a viewer of traces such as Perfetto.
///
/// ```java
/// Trace trace = Trace.create();
/// try (Run<Batch> run = loading.start(trace.on(RunOptions.defaults()))) { ... }
/// trace.write(Path.of("run.json"));
/// ```
///
/// A program adds spans and counters of its own, from any thread, with [#span] and [#counter].
///
/// The file has a track for every thread that worked, one for the consumer, a counter for every link, and a flow for
/// every item from the source to the consumer. Times are those of [System#nanoTime], which on Linux is
/// `CLOCK_MONOTONIC`: a trace of a training step by the same clock can be laid beside it. Kept in memory, up to a
/// number of spans; further ones are counted. Each run needs a trace of its own.
public final class Trace implements ItemObserver {
    /// Spans that are kept unless another number is given: about 40 bytes each.
    public static final long DEFAULT_LIMIT = 1_000_000;

    private final long limit;
    private final AtomicLong spans = new AtomicLong();
    private final AtomicLong lost = new AtomicLong();
    private final Map<Thread, Track> tracks = new ConcurrentHashMap<>();
    private final Map<String, Integer> labels = new ConcurrentHashMap<>();
    private final List<String> labelNames = new ArrayList<>();
    private final Queue<Group> groups = new ConcurrentLinkedQueue<>();
    private final Queue<Counted> counters = new ConcurrentLinkedQueue<>();
    private final Queue<Interval> intervals = new ConcurrentLinkedQueue<>();
    private final Track consumer = new Track("consumer");
    private long received;

    /// Several items that became one.
    ///
    /// @param track where
    record Group(Track track, String stage, long item, long[] members, long now) {}

    /// A value of a counter of the program's own.
    ///
    /// @param at by [System#nanoTime]
    record Counted(String name, long at, double value) {}

    /// A stretch of time of the program's own, which ends when it is closed. Closed by the thread that began it,
    /// inner ones before outer ones; further calls of `close` do nothing.
    public static final class Span implements AutoCloseable {
        private final Trace trace;
        private final String name;
        private final Thread thread = Thread.currentThread();
        private final long start = System.nanoTime();
        private boolean closed;

        private Span(Trace trace, String name) {
            this.trace = trace;
            this.name = name;
        }

        /// Ends the span.
        ///
        /// @throws IllegalStateException in another thread than that which began it
        @Override
        public void close() {
            if (Thread.currentThread() != thread) {
                throw new IllegalStateException("span '" + name + "' was begun by thread '" + thread.getName()
                        + "' and closed by '" + Thread.currentThread().getName()
                        + "': close it in the thread that began it");
            }
            if (!closed) {
                closed = true;
                trace.span(name, 0, start, System.nanoTime());
            }
        }
    }

    private Trace(long limit) {
        this.limit = limit;
    }

    /// A trace of up to [#DEFAULT_LIMIT] spans.
    public static Trace create() {
        return new Trace(DEFAULT_LIMIT);
    }

    /// A trace of up to `spans` spans.
    public static Trace upTo(long spans) {
        if (spans < 1) {
            throw new IllegalArgumentException("a trace must hold at least 1 span but its limit was " + spans);
        }
        return new Trace(spans);
    }

    /// `options` of a run that is traced.
    public RunOptions on(RunOptions options) {
        return options.observer(this);
    }

    /// Adds counters of the process from a watch: `watch.onInterval(trace::count)`.
    public void count(Interval interval) {
        intervals.add(interval);
    }

    /// Begins a span on the track of the calling thread: `try (Trace.Span span = trace.span("augment")) { ... }`.
    /// It counts towards the limit. Names are kept for good, so there should be few of them: put what differs from
    /// call to call into a counter.
    public Span span(String name) {
        if (name.isBlank()) {
            throw new IllegalArgumentException("a span needs a name but it was '" + name + "'");
        }
        return new Span(this, name);
    }

    /// Notes the value that a counter of the program's own has from now on, such as a loss or a queue of its own.
    /// Counts towards the limit, as a span does.
    ///
    /// @param value must be finite, since JSON has no other numbers
    public void counter(String name, double value) {
        if (name.isBlank() || !Double.isFinite(value)) {
            throw new IllegalArgumentException(
                    "a counter needs a name and a finite value but was '" + name + "' of " + value);
        }
        if (spans.incrementAndGet() > limit) {
            lost.incrementAndGet();
            return;
        }
        counters.add(new Counted(name, System.nanoTime(), value));
    }

    @Override
    public void admitted(String source, long item, long start, long end) {
        span(source, item, start, end);
    }

    @Override
    public void worked(String stage, long item, long start, long end, Outcome outcome) {
        span(outcome == Outcome.FAILED ? stage + " (failed)" : stage, item, start, end);
    }

    private void span(String label, long item, long start, long end) {
        if (spans.incrementAndGet() > limit) {
            lost.incrementAndGet();
            return;
        }
        track().add(label(label), item, start, end);
    }

    private Track track() {
        Thread thread = Thread.currentThread();
        Track track = tracks.get(thread);
        if (track == null) {
            track = new Track(thread.getName().isEmpty() ? "thread " + thread.threadId() : thread.getName());
            tracks.put(thread, track);
        }
        return track;
    }

    private int label(String label) {
        Integer number = labels.get(label);
        return number != null ? number : newLabel(label);
    }

    private synchronized int newLabel(String label) {
        return labels.computeIfAbsent(label, name -> {
            labelNames.add(name);
            return labelNames.size() - 1;
        });
    }

    @Override
    public void grouped(String stage, long item, long[] members, long now) {
        if (spans.incrementAndGet() > limit) {
            lost.incrementAndGet();
            return;
        }
        groups.add(new Group(track(), stage, item, members, now));
    }

    @Override
    public void delivered(long item, long asked, long newReceived) {
        if (spans.incrementAndGet() > limit) {
            lost.incrementAndGet();
            return;
        }
        if (received != 0) {
            consumer.add(label("consumer busy"), 0, received, asked);
        }
        consumer.add(label("consumer starved"), item, asked, newReceived);
        received = newReceived;
    }

    /// Spans that were not kept because there were too many.
    public long lost() {
        return lost.get();
    }

    /// Writes the trace in Chrome's trace event format (JSON), which Perfetto and `chrome://tracing` read. Called
    /// when the run has ended.
    public void write(Path file) throws IOException {
        try (Writer out = Files.newBufferedWriter(file)) {
            List<Track> all = new ArrayList<>(tracks.values());
            all.sort(java.util.Comparator.comparing(track -> track.name()));
            all.add(consumer);
            new TraceFile(
                            out,
                            all,
                            List.copyOf(labelNames),
                            List.copyOf(groups),
                            List.copyOf(intervals),
                            List.copyOf(counters))
                    .write(lost());
        }
    }
}
