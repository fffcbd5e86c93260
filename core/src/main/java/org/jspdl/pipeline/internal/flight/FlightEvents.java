package org.jspdl.pipeline.internal.flight;

import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import jdk.jfr.FlightRecorder;
import jdk.jfr.FlightRecorderListener;
import org.jspdl.stats.LinkStats;
import org.jspdl.stats.PipelineStats;
import org.jspdl.stats.StageStats;
import org.jspdl.stats.TuningStep;
import org.jspecify.annotations.Nullable;

/// The events of one run. Inactive until a recorder is initialized, which may be while the run goes on.
///
/// Safe for use by any thread.
public final class FlightEvents {
    private final Supplier<PipelineStats> stats;
    private final FlightRecorderListener listener = new FlightRecorderListener() {
        @Override
        public void recorderInitialized(FlightRecorder recorder) {
            activate();
        }
    };
    private volatile @Nullable Active active;
    private boolean stopped;

    /// Events of the run that `stats` takes snapshots of.
    public FlightEvents(Supplier<PipelineStats> stats) {
        this.stats = stats;
    }

    /// What emits events; null while no recorder was ever started.
    public @Nullable Active active() {
        return active;
    }

    /// Begins to look for a recorder.
    public void start() {
        if (FlightRecorder.isInitialized()) {
            activate();
        } else {
            FlightRecorder.addListener(listener);
        }
    }

    private synchronized void activate() {
        // The recorder may come while the run ends.
        if (active == null && !stopped) {
            active = new Active(stats);
        }
    }

    /// Emits the last events. Harmless when repeated.
    public synchronized void stop() {
        stopped = true;
        FlightRecorder.removeListener(listener);
        if (active != null) {
            active.stop();
        }
    }

    /// A run that is recorded.
    public static final class Active {
        private final Supplier<PipelineStats> stats;
        private final Runnable periodic = this::statistics;
        private final RunEvent run = new RunEvent();
        private boolean stopped;

        private Active(Supplier<PipelineStats> stats) {
            this.stats = stats;
            run.begin();
            FlightRecorder.addPeriodicEvent(StageStatisticsEvent.class, periodic);
        }

        /// Calls a stage's function as an [ItemEvent].
        ///
        /// @param place names the item by its place in its source
        public boolean item(String pipeline, String stage, Supplier<String> place, BooleanSupplier call) {
            ItemEvent event = new ItemEvent();
            event.begin();
            try {
                event.passed = call.getAsBoolean();
                return event.passed;
            } finally {
                event.end();
                if (event.shouldCommit()) {
                    event.pipeline = pipeline;
                    event.stage = stage;
                    event.item = place.get();
                    event.commit();
                }
            }
        }

        /// Tells of a call without an [ItemEvent] that has just ended, if it was slow.
        public void unchosen(String pipeline, String stage, Supplier<String> place, long nanos) {
            if (nanos < SlowItemEvent.NANOS) {
                return;
            }
            SlowItemEvent event = new SlowItemEvent();
            if (event.shouldCommit()) {
                event.pipeline = pipeline;
                event.stage = stage;
                event.item = place.get();
                event.took = nanos;
                event.commit();
            }
        }

        /// Waits for a delivery as a [DeliveryEvent].
        public <T> T delivery(String pipeline, Callable<T> wait) throws Exception {
            DeliveryEvent event = new DeliveryEvent();
            event.begin();
            try {
                return wait.call();
            } finally {
                event.end();
                if (event.shouldCommit()) {
                    event.pipeline = pipeline;
                    event.commit();
                }
            }
        }

        /// Tells of a decision of the run's tuner.
        public void tuning(String pipeline, TuningStep step) {
            TuningEvent event = new TuningEvent();
            event.pipeline = pipeline;
            event.decision = step.kind().name().toLowerCase(Locale.ROOT);
            event.stage = step.stage();
            event.what = step.what();
            event.from = step.from();
            event.to = step.to();
            event.predicted = step.predicted();
            event.measured = step.measured();
            event.why = step.why();
            event.commit();
        }

        private void statistics() {
            PipelineStats now;
            try {
                now = stats.get();
            } catch (IllegalStateException abandoned) {
                return;
            }
            now.stages().forEach(stage -> emit(now, stage));
            now.links().forEach(link -> emit(now, link));
        }

        private static void emit(PipelineStats now, StageStats stage) {
            StageStatisticsEvent event = new StageStatisticsEvent();
            event.pipeline = now.pipeline();
            event.stage = stage.name();
            event.placement = stage.placement();
            event.workers = stage.concurrency();
            event.completed = stage.completed();
            event.failed = stage.failed();
            event.busy = stage.busy().toNanos();
            event.starved = stage.starved().toNanos();
            event.backpressured = stage.backpressured().toNanos();
            event.waitingForCpu = stage.waitingForCpu().toNanos();
            event.commit();
        }

        private static void emit(PipelineStats now, LinkStats link) {
            LinkStatisticsEvent event = new LinkStatisticsEvent();
            event.pipeline = now.pipeline();
            event.from = link.name();
            event.to = link.consumer();
            event.size = link.size();
            event.capacity = link.capacity();
            event.passed = link.passed();
            event.empty = link.empty().toNanos();
            event.full = link.full().toNanos();
            event.commit();
        }

        private void stop() {
            if (stopped) {
                return;
            }
            stopped = true;
            FlightRecorder.removePeriodicEvent(periodic);
            statistics();
            run.end();
            if (run.shouldCommit()) {
                PipelineStats last = stats.get();
                run.pipeline = last.pipeline();
                run.delivered = last.delivered();
                run.failed = last.skipped();
                run.consumerWait = nanos(last.consumerWait());
                run.commit();
            }
        }

        private static long nanos(Duration duration) {
            return duration.toNanos();
        }
    }
}
