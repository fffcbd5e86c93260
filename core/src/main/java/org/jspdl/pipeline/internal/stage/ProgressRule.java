package org.jspdl.pipeline.internal.stage;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.jspdl.pipeline.internal.link.Link;
import org.jspecify.annotations.Nullable;

/// Finds out when a run with a byte budget can go on only if one more item is admitted.
///
/// A run is stalled when no thread of it runs, none has a reason to wake up, and the consumer has nothing to take.
/// Threads say what they wait for by [WorkerSlot#parks]; whoever parks last asks the budget to look.
public final class ProgressRule {
    /// The condition of a slot that nobody uses.
    public static final BooleanSupplier NEVER = () -> false;

    private final Runnable onPark;
    /// Counts how often something went on. Unchanged while the run was looked at twice, nothing moved meanwhile.
    private final AtomicLong resumptions = new AtomicLong();
    private volatile List<Stage> stages = List.of();
    private volatile @Nullable Link sink;

    /// @param onPark looks whether the run is stalled
    ProgressRule(Runnable onPark) {
        this.onPark = onPark;
    }

    /// Names the stages of the run and the link that its consumer takes from; called once, before the run starts.
    public void watch(List<Stage> newStages, Link newSink) {
        stages = newStages;
        sink = newSink;
    }

    /// Called by a thread that is about to wait, after it said what for.
    void parked() {
        onPark.run();
    }

    /// Called by a thread that goes on.
    void resumed() {
        resumptions.incrementAndGet();
    }

    /// The source to admit an item of, among those that wait for the budget; null if the run is not stalled.
    ///
    /// One that the consumer waits for, directly or through other stages, comes first: the items of others would
    /// only fill links.
    @Nullable
    WorkerSlot next(Collection<WorkerSlot> waiting) {
        long before = resumptions.get();
        // Twice: what had no reason to wake up when it was looked at may have been given one by what was looked
        // at later.
        if (waiting.isEmpty() || !isQuiet() || !isQuiet() || resumptions.get() != before) {
            return null;
        }
        List<WorkerSlot> wanted = new ArrayList<>();
        addWanted(sink, new HashSet<>(), wanted);
        return wanted.stream()
                .filter(waiting::contains)
                .findFirst()
                .orElseGet(() -> waiting.iterator().next());
    }

    private boolean isQuiet() {
        Link last = sink;
        if (last == null || last.available() > 0 || last.outstanding() > 0) {
            return false;
        }
        for (Stage stage : stages) {
            if (!stage.hasEnded() && !stage.isQuiet()) {
                return false;
            }
        }
        return true;
    }

    /// Adds the slots of the stages that `link` waits for.
    private void addWanted(@Nullable Link link, Set<Stage> seen, List<WorkerSlot> wanted) {
        for (Stage stage : stages) {
            if (stage.outputs.contains(link) && seen.add(stage)) {
                wanted.addAll(List.of(stage.slots));
                stage.inputs.stream().filter(stage::awaits).forEach(input -> addWanted(input, seen, wanted));
            }
        }
    }
}
