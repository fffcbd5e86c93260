package org.jspdl.observe.alarm;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspdl.observe.Interval;
import org.jspdl.stats.Bottleneck;
import org.jspdl.stats.PipelineStats;
import org.jspecify.annotations.Nullable;

/// Tells when the trainer begins to wait for data for more of its time than it did, and when that ends.
///
/// ```java
/// Watch watch = Watch.create().onInterval(StarvationAlarm.calling(each -> logger.warn(each.toString())));
/// ```
///
/// It compares the last ten seconds with all the time before them, without the first ten, in which code is compiled and
/// queues fill. A wait has risen when its part of the time is larger by 0.05 and twice what it was; it has ended when
/// half of the rise is gone. So noise is told at most once, and a run that was starved all along is not: its report
/// says so. Used by one thread: that of one watch.
public final class StarvationAlarm implements Consumer<Interval> {
    /// The part of the time by which a wait has to rise, unless another is given.
    public static final double DEFAULT_RISE = 0.05;
    /// What is compared with the time before it, unless another is given.
    public static final Duration DEFAULT_WINDOW = Duration.ofSeconds(10);

    private final Consumer<? super Starvation> told;
    private final double rise;
    private final Duration window;
    private final WaitRise wait;
    private final Deque<Interval> recent = new ArrayDeque<>();

    private StarvationAlarm(Consumer<? super Starvation> told, double rise, Duration window) {
        this.told = told;
        this.rise = rise;
        this.window = window;
        this.wait = new WaitRise(rise, window);
    }

    /// An alarm of [#DEFAULT_RISE] over [#DEFAULT_WINDOW].
    ///
    /// @param told is called on the watch's thread; what it throws ends the watching, with a warning
    public static StarvationAlarm calling(Consumer<? super Starvation> told) {
        return new StarvationAlarm(told, DEFAULT_RISE, DEFAULT_WINDOW);
    }

    /// The same for a rise by `part` of the time, above 0 and below 1. For a run that has not begun.
    public StarvationAlarm rise(double part) {
        if (!(part > 0 && part < 1)) {
            throw new IllegalArgumentException("rise must be above 0 and below 1 but was " + part);
        }
        return new StarvationAlarm(told, part, window);
    }

    /// The same over `newWindow`, a second at least. For a run that has not begun.
    public StarvationAlarm window(Duration newWindow) {
        if (newWindow.compareTo(Duration.ofSeconds(1)) < 0) {
            throw new IllegalArgumentException("window must be at least 1 s but was " + newWindow);
        }
        return new StarvationAlarm(told, rise, newWindow);
    }

    @Override
    public void accept(Interval interval) {
        recent.addLast(interval);
        Optional<Starvation.Kind> changed = wait.add(
                interval.stats().elapsed().toNanos(),
                interval.stats().consumerWait().toNanos());
        while (recent.size() > wait.laps()) {
            recent.removeFirst();
        }
        changed.ifPresent(
                kind -> told.accept(new Starvation(kind, interval.end(), wait.part(), wait.before(), bottleneck())));
    }

    /// What limited the run in the interval of the window in which the consumer waited longest.
    private Bottleneck bottleneck() {
        @Nullable PipelineStats longest = null;
        for (Interval each : recent) {
            if (longest == null || each.stats().consumerWait().compareTo(longest.consumerWait()) > 0) {
                longest = each.stats();
            }
        }
        if (longest == null) {
            throw new IllegalStateException("there is no interval yet");
        }
        return longest.bottleneck();
    }
}
