package org.jspdl.pipeline.internal.run;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspdl.pipeline.BackgroundTask;
import org.jspdl.pipeline.Tuning;
import org.jspdl.pipeline.internal.flight.FlightEvents;
import org.jspdl.pipeline.internal.stage.Stage;
import org.jspdl.pipeline.internal.tune.Knob;
import org.jspdl.pipeline.internal.tune.TuningLoop;
import org.jspdl.stats.Change;
import org.jspdl.stats.TuningStats;
import org.jspdl.stats.TuningStep;
import org.jspecify.annotations.Nullable;

/// Changes a run while it goes on, for its user and for the tuner of its `auto` stages.
///
/// What the user has changed once, the tuner leaves alone. Safe for use by any thread.
final class RunTuning {
    /// Older changes are forgotten.
    static final int MOST_CHANGES = 256;

    private final RunCore run;
    private final @Nullable TuningLoop tuner;
    private final ReentrantLock changing = new ReentrantLock();
    private final Deque<Change> changes = new ArrayDeque<>();

    /// @param knobs what a tuner chooses; there is none without them
    RunTuning(RunCore run, List<Knob> knobs) {
        this.run = run;
        this.tuner = knobs.isEmpty()
                ? null
                : new TuningLoop(knobs, run.options().tuning(), this::tuneUnlessTaken, this::record);
    }

    /// What goes on beside the run, by name.
    Map<String, BackgroundTask> tasks() {
        return tuner == null ? Map.of() : Map.of("tuner", tuner);
    }

    /// Makes an event of a decision, while somebody records events.
    void record(TuningStep step) {
        FlightEvents.Active recorder = run.flight();
        if (recorder != null) {
            recorder.tuning(run.pipeline(), step);
        }
    }

    /// Changes what the user has not changed, for the tuner.
    void tuneUnlessTaken(Tuning tuning) {
        changing.lock();
        try {
            if (tuner != null && !tuner.isTaken(tuning)) {
                change(tuning);
            }
        } finally {
            changing.unlock();
        }
    }

    /// Changes a stage or what is behind it, for the user.
    Change tune(Tuning tuning) {
        changing.lock();
        try {
            Change change = change(tuning);
            if (tuner != null) {
                tuner.takenOver(tuning);
            }
            return change;
        } finally {
            changing.unlock();
        }
    }

    private Change change(Tuning tuning) {
        Stage stage = run.stages().stream()
                .filter(each -> each.name.equals(tuning.stage()))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("pipeline '" + run.pipeline()
                        + "' has no stage named '" + tuning.stage() + "', only "
                        + run.stages().stream().map(each -> each.name).toList()));
        Duration at = Duration.ofNanos(System.nanoTime() - run.startedAt());
        Change change = switch (tuning) {
            case Tuning.Concurrency(String name, int calls) -> {
                int before = stage.concurrency();
                stage.tune(calls);
                yield new Change(at, name, "concurrency", before, calls);
            }
            case Tuning.Buffer(String name, int items) -> {
                int before = stage.outputs.getFirst().buffer();
                stage.outputs.forEach(output -> output.resize(items, -1));
                yield new Change(at, name, "buffer", before, items);
            }
        };
        synchronized (changes) {
            if (changes.size() == MOST_CHANGES) {
                changes.removeFirst();
            }
            changes.addLast(change);
        }
        return change;
    }

    /// What was changed of late, oldest first.
    List<Change> changes() {
        synchronized (changes) {
            return List.copyOf(changes);
        }
    }

    /// What the tuner has decided so far.
    TuningStats stats() {
        return tuner == null ? TuningStats.OFF : tuner.stats();
    }
}
