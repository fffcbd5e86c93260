package org.jspdl.observe;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspdl.observe.process.ProcessReader;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.stats.PipelineStats;
import org.jspecify.annotations.Nullable;

/// Watches one run: samples its statistics and its process, and looks at what its functions do.
///
/// ```java
/// Watch watch = Watch.create();
/// try (Run<Batch> run = loading.start(watch.on(RunOptions.defaults().epochs(3)))) {
///     for (Batch batch : run) try (batch) { model.step(batch); }
/// }
/// IO.println(watch.report().text());
/// ```
///
/// Watching ends with the run; [#report] may be called at any time and from any thread. Each run needs a watch of its
/// own.
public final class Watch {
    /// How far samples are apart at first; a long run keeps fewer of them.
    public static final Duration DEFAULT_INTERVAL = Duration.ofMillis(250);

    /// How far looks are apart: a part of the time that was watched, within limits. A look costs about a quarter of
    /// a millisecond of processor time, mostly for waking and stopping threads.
    private static final long MOST_BETWEEN_LOOKS = Duration.ofMillis(50).toNanos();
    private static final long LEAST_BETWEEN_LOOKS = Duration.ofMillis(10).toNanos();
    private static final int PART_BETWEEN_LOOKS = 10;

    private final Duration interval;
    private final Lookout lookout = new Lookout();
    private final Series series = new Series();
    private final List<Consumer<Interval>> callbacks = new CopyOnWriteArrayList<>();
    private final Instant started = Instant.now();
    private @Nullable Waits waits;
    private volatile @Nullable Snapshot last;

    private Watch(Duration interval) {
        this.interval = interval;
    }

    /// A watch that samples every [#DEFAULT_INTERVAL].
    public static Watch create() {
        return new Watch(DEFAULT_INTERVAL);
    }

    /// A watch that samples every `interval`.
    public static Watch every(Duration interval) {
        if (interval.compareTo(Duration.ofMillis(1)) < 0) {
            throw new IllegalArgumentException("interval must be at least 1 ms but was " + interval);
        }
        return new Watch(interval);
    }

    /// Also follows every item, so that each delivery can tell what it waited for. Costs about half a microsecond
    /// for each item and stage. Called before [#on].
    public Watch explainWaits() {
        waits = new Waits();
        return this;
    }

    /// Calls `callback` after every interval, on the watch's thread. What it throws ends the watching, with a
    /// warning.
    public Watch onInterval(Consumer<Interval> callback) {
        callbacks.add(callback);
        return this;
    }

    /// `options` of a run that is watched.
    public RunOptions on(RunOptions options) {
        RunOptions watched = options.observer(lookout).background("watch", this::watch);
        return waits == null ? watched : watched.observer(waits);
    }

    private void watch(Supplier<PipelineStats> newStats) {
        ProcessReader process = ProcessReader.ofThisProcess();
        Snapshot before = new Snapshot(newStats.get(), process.read());
        series.offer(before);
        long begun = System.nanoTime();
        long next = begun + interval.toNanos();
        while (!Thread.currentThread().isInterrupted()) {
            long now = System.nanoTime();
            long pause = Math.clamp((now - begun) / PART_BETWEEN_LOOKS, LEAST_BETWEEN_LOOKS, MOST_BETWEEN_LOOKS);
            LockSupport.parkNanos(this, Math.min(pause, Math.max(1, next - now)));
            lookout.look();
            if (System.nanoTime() >= next) {
                next += interval.toNanos();
                Snapshot snapshot = new Snapshot(newStats.get(), process.read());
                // Files are not read on a thread that is interrupted, so that snapshot may lack them.
                if (!Thread.currentThread().isInterrupted()) {
                    before = keep(snapshot, before);
                }
            }
        }
        Thread.interrupted();
        keep(new Snapshot(newStats.get(), process.read()), before);
    }

    private Snapshot keep(Snapshot now, Snapshot before) {
        series.offer(now);
        last = now;
        Interval lap = now.since(before);
        callbacks.forEach(callback -> callback.accept(lap));
        return now;
    }

    /// What the delivery that came last has waited for; empty before the first, or without [#explainWaits].
    public Optional<Wait> lastWait() {
        return waits == null ? Optional.empty() : waits.last();
    }

    /// What was seen so far.
    ///
    /// @throws IllegalStateException if no run was started with [#on]
    public Report report() {
        return report(last);
    }

    /// As [#report], with `stats` of the run as its last sample: for runs so short, or machines so busy, that the
    /// watch may not have come to its turn.
    public Report report(PipelineStats stats) {
        Snapshot latest = last;
        return report(
                latest != null
                        ? latest
                        : new Snapshot(stats, ProcessReader.ofThisProcess().read()));
    }

    private Report report(@Nullable Snapshot latest) {
        List<Snapshot> snapshots = new ArrayList<>(series.list());
        if (latest != null && (snapshots.isEmpty() || snapshots.getLast() != latest)) {
            snapshots.add(latest);
        }
        if (snapshots.isEmpty()) {
            throw new IllegalStateException("no run was watched: start one with Pipeline.start(watch.on(options))");
        }
        return Report.of(started, snapshots, lookout.work(), waits == null ? List.of() : waits.longest());
    }
}
