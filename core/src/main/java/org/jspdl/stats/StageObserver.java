package org.jspdl.stats;

import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicBoolean;

/// Is told what happens in every stage, on the thread where it happens, so it must be quick and thread-safe.
///
/// All methods do nothing by default. An observer that throws from [#itemStarted] fails that item, unless it is
/// [guarded][#guarded].
public interface StageObserver {

    /// A stage is about to take its first item.
    default void stageStarted(String stage) {}

    /// The function is about to be called.
    ///
    /// @param item the input, still owned by the stage: not to be kept
    default void itemStarted(String stage, Object item) {}

    /// The function has returned or thrown.
    ///
    /// @param nanos how long the call took
    /// @param outcome what became of the item
    default void itemEnded(String stage, long nanos, Outcome outcome) {}

    /// A stage has passed on or dropped its last item, or was cancelled.
    default void stageEnded(String stage) {}

    /// What became of an item in a stage.
    enum Outcome {
        /// It was passed on.
        COMPLETED,
        /// A filter dropped it.
        FILTERED,
        /// The function threw.
        FAILED
    }

    /// An observer that does nothing.
    static StageObserver disabled() {
        return Disabled.INSTANCE;
    }

    /// `observer`, whose exceptions are logged once and otherwise ignored.
    static StageObserver guarded(StageObserver observer) {
        return new Guarded(observer, new AtomicBoolean());
    }

    /// Does nothing.
    enum Disabled implements StageObserver {
        /// The only one.
        INSTANCE
    }

    /// Keeps an observer's exceptions from the run.
    ///
    /// @param observer the observer that may throw
    /// @param warned   whether a failure was logged
    record Guarded(StageObserver observer, AtomicBoolean warned) implements StageObserver {

        @Override
        public void stageStarted(String stage) {
            guard(() -> observer.stageStarted(stage));
        }

        @Override
        public void itemStarted(String stage, Object item) {
            guard(() -> observer.itemStarted(stage, item));
        }

        @Override
        public void itemEnded(String stage, long nanos, Outcome outcome) {
            guard(() -> observer.itemEnded(stage, nanos, outcome));
        }

        @Override
        public void stageEnded(String stage) {
            guard(() -> observer.stageEnded(stage));
        }

        private void guard(Runnable call) {
            try {
                call.run();
            } catch (RuntimeException failure) {
                if (warned.compareAndSet(false, true)) {
                    System.getLogger(StageObserver.class.getName())
                            .log(
                                    Level.WARNING,
                                    "observer " + observer + " failed and is ignored from here on",
                                    failure);
                }
            }
        }
    }
}
