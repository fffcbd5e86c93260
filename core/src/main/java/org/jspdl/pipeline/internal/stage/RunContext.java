package org.jspdl.pipeline.internal.stage;

import org.jspdl.pipeline.PipelineException;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.pipeline.internal.failure.FailureBudget;
import org.jspdl.pipeline.internal.flight.FlightEvents;
import org.jspdl.pipeline.internal.lineage.Ledger;
import org.jspdl.pipeline.internal.link.Disposer;
import org.jspdl.pipeline.internal.link.Envelope;
import org.jspdl.stats.StageObserver;
import org.jspecify.annotations.Nullable;

/// What the stages of one run share.
public interface RunContext {
    /// The pipeline's name.
    String pipeline();

    RunOptions options();

    Ledger ledger();

    Budget budget();

    /// Records that nothing more comes of an item, which was closed.
    default void settled(Envelope item) {
        ledger().settle(item.lineage);
        budget().release(item);
    }

    /// Records that a policy has skipped an item, which was closed.
    default void skipped(Envelope item, FailureBudget failures) {
        ledger().skip(item.lineage, failures);
        budget().release(item);
    }

    Disposer disposal();

    StageObserver observer();

    /// Those who are told which item it is; null if nobody is.
    @Nullable
    ItemObservers items();

    /// What emits events for a flight recorder; null while none runs.
    FlightEvents.@Nullable Active flight();

    /// What watches the run's calls.
    Deadlines deadlines();

    /// The class loader that the run's threads give to user code: that of who started it.
    @Nullable
    ClassLoader classLoader();

    /// Whether one more of the engine's own threads is to be a platform thread.
    boolean takesPlatformThread();

    /// Ends the run because of `stage`: what is upstream of it stops, what is downstream finishes.
    void fail(Stage stage, PipelineException failure);

    /// Ends the run because of `stage`, which can't go on either: what it has passed on is all that comes of it.
    void breakDown(Stage stage, PipelineException failure);

    /// Stops what is upstream of `stage`, whose output has come to its end early; false if others get results of
    /// that, too.
    boolean abandon(Stage stage);

    /// Records a failure that came too late to end the run by, such as one of a close hook, for the consumer to
    /// hear of.
    void report(PipelineException failure);

    /// Whether the run is being closed, so that nobody waits for results.
    boolean closing();

    /// Counts a call of `stage` that was given up; too many end the run.
    void gaveUp(Stage stage, Deadlines.Call call);
}
