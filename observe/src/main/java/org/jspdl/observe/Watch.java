package org.jspdl.observe;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspdl.observe.machine.MachineReader;
import org.jspdl.observe.machine.MachineUsage;
import org.jspdl.observe.process.ProcessReader;
import org.jspdl.observe.requests.RequestLog;
import org.jspdl.observe.requests.StageReads;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.stats.PipelineStats;
import org.jspecify.annotations.Nullable;

/// Watches one run: samples its statistics, its process and the stacks of its functions.
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

    /// What the background task of a watch is called.
    static final String TASK = "watch";

    /// Time between stack samples: a part of the time that was watched, within limits. A sample costs about a
    /// quarter of a millisecond of CPU time, mostly for waking and stopping threads.
    private static final long MOST_BETWEEN_SAMPLES = Duration.ofMillis(50).toNanos();
    private static final long LEAST_BETWEEN_SAMPLES = Duration.ofMillis(10).toNanos();
    private static final int PART_BETWEEN_SAMPLES = 10;

    private final Duration interval;
    private final StackSampler sampler = new StackSampler();
    private final Series series = new Series();
    private final List<Consumer<Interval>> callbacks = new CopyOnWriteArrayList<>();
    private volatile Instant started = Instant.now();
    private @Nullable StallTracker stalls;
    private @Nullable StageReads reads;
    private volatile @Nullable Snapshot last;
    /// One permit for each watching that has ended.
    private final Semaphore ended = new Semaphore(0);

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

    /// Also follows every item, so that each stall of the consumer is explained. Costs about half a microsecond
    /// for each item and stage. Called before [#on].
    public Watch explainStalls() {
        return explainStalls(RequestLog.create());
    }

    /// The same, with the requests to other machines that stalls waited for: those of storage that was opened with
    /// `StorageOptions.requests(requests)`.
    public Watch explainStalls(RequestLog requests) {
        stalls = new StallTracker(requests);
        return this;
    }

    /// Also tells how many bytes each stage reads from storage that was opened with
    /// `StorageOptions.requests(counted)`. Costs about 20 ns for each item and stage. Called before [#on].
    public Watch countReads(StageReads counted) {
        reads = counted;
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
        started = Instant.now();
        RunOptions watched = options.observer(sampler).background(TASK, this::watch);
        if (reads != null) {
            reads.begin();
            watched = watched.observer(reads);
        }
        if (stalls != null) {
            stalls.startedAt(System.nanoTime());
            watched = watched.observer(stalls);
        }
        return watched;
    }

    /// Waits, but not long, until the last sample is taken, in a task of the same run that is ending too.
    void awaitLast() throws InterruptedException {
        boolean _ = ended.tryAcquire(10, TimeUnit.SECONDS);
    }

    private void watch(Supplier<PipelineStats> newStats) {
        ProcessReader process = ProcessReader.ofThisProcess();
        MachineReader machine = MachineReader.ofThisMachine();
        // The run began before this thread did, and on a busy machine long before: its counters begin at zero.
        PipelineStats first = newStats.get();
        if (stalls != null) {
            stalls.startedAt(System.nanoTime() - first.elapsed().toNanos());
        }
        Snapshot before = new Snapshot(first.since(first), process.read(), machine.read());
        series.offer(before);
        long begun = System.nanoTime();
        long next = begun + interval.toNanos();
        while (!Thread.currentThread().isInterrupted()) {
            long now = System.nanoTime();
            long pause = Math.clamp((now - begun) / PART_BETWEEN_SAMPLES, LEAST_BETWEEN_SAMPLES, MOST_BETWEEN_SAMPLES);
            LockSupport.parkNanos(this, Math.min(pause, Math.max(1, next - now)));
            sampler.sample();
            if (System.nanoTime() >= next) {
                next += interval.toNanos();
                Snapshot snapshot = new Snapshot(newStats.get(), process.read(), machine.read());
                // Files are not read on a thread that is interrupted, so that snapshot may lack them.
                if (!Thread.currentThread().isInterrupted()) {
                    before = keep(snapshot, before);
                }
            }
        }
        Thread.interrupted();
        keep(new Snapshot(newStats.get(), process.read(), machine.readNow()), before);
        ended.release();
    }

    private Snapshot keep(Snapshot now, Snapshot before) {
        series.offer(now);
        last = now;
        Interval lap = now.since(before);
        callbacks.forEach(callback -> callback.accept(lap));
        return now;
    }

    /// The stall before the last batch; empty before the first, or without [#explainStalls].
    public Optional<Stall> lastStall() {
        return stalls == null ? Optional.empty() : stalls.last();
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
                        : new Snapshot(stats, ProcessReader.ofThisProcess().read(), MachineUsage.UNKNOWN));
    }

    private Report report(@Nullable Snapshot latest) {
        List<Snapshot> snapshots = new ArrayList<>(series.list());
        if (latest != null && (snapshots.isEmpty() || snapshots.getLast() != latest)) {
            snapshots.add(latest);
        }
        if (snapshots.isEmpty()) {
            throw new IllegalStateException("no run was watched: start one with Pipeline.start(watch.on(options))");
        }
        if (latest != null && snapshots.size() == 1 && snapshots.getFirst() == latest) {
            // The watch has not come to its first turn; the counters of the run began at zero all the same.
            PipelineStats stats = latest.stats();
            snapshots.addFirst(new Snapshot(stats.since(stats), latest.usage(), latest.machine()));
        }
        Report report = Report.of(started, snapshots, work(snapshots));
        return stalls == null ? report : report.explaining(stalls.longest(), stalls.most());
    }

    private Map<String, StageWork> work(List<Snapshot> snapshots) {
        Map<String, StageWork> work = sampler.work();
        if (reads != null) {
            PipelineStats stats = snapshots.getLast().stats();
            stats.stages()
                    .forEach(stage -> reads.bytes(stats.pipeline(), stage.name())
                            .ifPresent(bytes -> work.put(
                                    stage.name(),
                                    work.getOrDefault(stage.name(), StageWork.NONE)
                                            .reading(bytes))));
        }
        return work;
    }
}
