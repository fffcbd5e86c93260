package org.jspdl.pipeline.internal.function;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspdl.pipeline.internal.compute.ComputeThread;
import org.jspdl.pipeline.internal.stage.Deadlines;
import org.jspdl.pipeline.internal.stage.ScheduledStage;
import org.jspdl.pipeline.internal.stage.WorkerSlot;
import org.jspecify.annotations.Nullable;

/// Sees to it that what an activation has put and taken does not wait for a call that takes long though those before
/// it were quick.
///
/// Quick calls share one wake-up at the end of their activation. If one of them waits, perhaps for the consumer of the
/// results before it, that end does not come, so the neighbors are told meanwhile: within twice [#PATIENCE_NANOS]. It
/// looks only while functions run. [#begins] may be called from any thread.
final class NewsWatch {
    /// How long a call may take before others are told.
    static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final ScheduledStage stage;
    private final AtomicBoolean watching = new AtomicBoolean();
    private volatile @Nullable ComputeThread someThread;

    NewsWatch(ScheduledStage stage) {
        this.stage = stage;
    }

    /// Says that a call is about to begin, before which the neighbors are not told.
    ///
    /// @param thread the calling one if it is of a pool
    void begins(@Nullable ComputeThread thread) {
        if (!watching.get() && watching.compareAndSet(false, true)) {
            someThread = thread;
            stage.run.deadlines().watch(new Look());
        }
    }

    private void tell() {
        stage.output.announceItems();
        stage.input.announceRoom();
        ComputeThread thread = someThread;
        if (thread != null) {
            thread.pool.shareWork();
        }
    }

    /// Looks at all slots again and again, until nothing runs.
    private final class Look extends Deadlines.Alarm {
        /// The neighbors know of everything before the calls that began until then.
        private long told;
        /// Whether nothing ran the last time, so that calls that begin since then are looked at by another.
        private boolean leaving;

        Look() {
            super(System.nanoTime() + PATIENCE_NANOS);
            told = System.nanoTime() - (1L << 62);
        }

        @Override
        protected long ring() {
            long now = System.nanoTime();
            boolean runs = false;
            boolean late = false;
            for (@Nullable WorkerSlot slot : stage.slots) {
                if (slot != null && slot.isBusy()) {
                    runs = true;
                    long since = slot.since();
                    late |= since - told > 0 && now - since >= PATIENCE_NANOS;
                }
            }
            if (late) {
                told = now - PATIENCE_NANOS;
                start();
            }
            if (runs) {
                if (leaving && !watching.compareAndSet(false, true)) {
                    return Long.MAX_VALUE; // another looks
                }
                leaving = false;
                return PATIENCE_NANOS;
            }
            if (leaving) {
                return Long.MAX_VALUE;
            }
            // A call that has begun meanwhile without seeing this is seen the next time.
            leaving = true;
            watching.set(false);
            return PATIENCE_NANOS;
        }
    }

    /// Tells on a thread of its own, since an executor of the user's may run a neighbor's function at once.
    private void start() {
        Thread thread = Thread.ofPlatform()
                .name("jspdl-" + stage.run.pipeline() + "-" + stage.name + "-news")
                .daemon()
                .inheritInheritableThreadLocals(false)
                .unstarted(this::tell);
        thread.setContextClassLoader(stage.run.classLoader());
        try {
            thread.start();
        } catch (OutOfMemoryError noThread) {
            tell();
        }
    }
}
