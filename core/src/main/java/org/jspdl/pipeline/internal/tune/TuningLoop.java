package org.jspdl.pipeline.internal.tune;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspdl.memory.BufferPool;
import org.jspdl.pipeline.BackgroundTask;
import org.jspdl.pipeline.RunHandle;
import org.jspdl.pipeline.Tuning;
import org.jspdl.pipeline.TuningBudget;
import org.jspdl.stats.TuningStats;
import org.jspdl.stats.TuningStep;

/// Shows a run to its tuner four times a second, and does what the tuner decides.
///
/// [#stats] and [#takenOver] may be called from any thread.
public final class TuningLoop implements BackgroundTask {
    private static final long BETWEEN_LOOKS = Duration.ofMillis(250).toNanos();

    private final Tuner tuner;
    private final TuningBudget budget;
    private final Consumer<Tuning> change;
    private final Consumer<TuningStep> recorder;
    private final Set<String> taken = ConcurrentHashMap.newKeySet();
    private final Queue<Tuning> news = new ConcurrentLinkedQueue<>();
    private final Deque<TuningStep> steps = new ArrayDeque<>();
    private volatile TuningStats stats = new TuningStats(TuningStats.State.WARMING_UP, List.of());

    /// @param change   changes the run
    /// @param recorder is told of every decision
    public TuningLoop(List<Knob> knobs, TuningBudget budget, Consumer<Tuning> change, Consumer<TuningStep> recorder) {
        this.tuner = new Tuner(knobs);
        this.budget = budget;
        this.change = change;
        this.recorder = recorder;
    }

    /// What was decided so far.
    public TuningStats stats() {
        return stats;
    }

    /// Leaves what `tuning` has changed to whoever has changed it.
    public void takenOver(Tuning tuning) {
        if (taken.add(subject(tuning))) {
            news.add(tuning);
        }
    }

    /// Whether somebody else has changed what `tuning` changes.
    public boolean isTaken(Tuning tuning) {
        return taken.contains(subject(tuning));
    }

    private static String subject(Tuning tuning) {
        return tuning.getClass().getSimpleName() + " " + tuning.stage();
    }

    @Override
    public void run(RunHandle run) {
        ResourceReader resources = new ResourceReader(budget);
        look(new Look(run.get(), resources.read()));
        while (!Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(this, BETWEEN_LOOKS);
            if (Thread.currentThread().isInterrupted()) {
                return;
            }
            look(new Look(run.get(), resources.read()));
        }
    }

    /// Shows the run to the tuner as it is now, and does what is decided. A change is made before its decision is
    /// told.
    void look(Look now) {
        for (Tuning byHand = news.poll(); byHand != null; byHand = news.poll()) {
            tuner.release(byHand);
        }
        for (Action action : tuner.look(now)) {
            action.tuning().ifPresent(change);
            if (action.step().kind() == TuningStep.Kind.YIELDED) {
                BufferPool.trimAllPools(); // what fewer items leave idle would be kept for them
            }
            recorder.accept(action.step());
            if (steps.size() == TuningStats.MOST_STEPS) {
                steps.removeFirst();
            }
            steps.addLast(action.step());
        }
        stats = new TuningStats(tuner.state(), List.copyOf(steps));
    }
}
