package org.jspdl.pipeline.internal.group;

import org.jspdl.pipeline.GathererState;
import org.jspdl.pipeline.PipelineException;
import org.jspdl.pipeline.internal.checkpoint.GathererStates;
import org.jspdl.pipeline.internal.checkpoint.RunState.AggregateState;
import org.jspdl.pipeline.internal.checkpoint.RunState.StateAt;
import org.jspdl.pipeline.internal.lineage.EmissionLog;
import org.jspdl.pipeline.internal.lineage.Ledger;
import org.jspdl.pipeline.internal.lineage.Lineage;
import org.jspdl.pipeline.internal.stage.Stage;
import org.jspecify.annotations.Nullable;

/// Writes the states of one gatherer for checkpoints, and reads those of an earlier run. Used by the stage's thread.
public final class StateKeeper {
    private static final char OPEN = '=';
    /// The gatherer wants no more inputs of the epoch.
    private static final char FINISHED = '!';

    private final Ledger ledger;
    private final String stage;
    private final GathererState.Saved<Object> format;
    private final EmissionLog emissions;
    private final StateAt restored;
    private StateAt last;

    /// A gatherer's state between two inputs.
    record State(@Nullable Object value, boolean finished) {}

    /// @throws IllegalArgumentException if the earlier run's state can't be read
    @SuppressWarnings("unchecked") // the compiler checked the state's type where the gatherer was given
    public StateKeeper(
            Ledger ledger, String stage, GathererState.Saved<?> format, long firstEpoch, AggregateState from) {
        this.ledger = ledger;
        this.stage = stage;
        this.format = (GathererState.Saved<Object>) format;
        this.restored = from.goesOn();
        this.emissions = new EmissionLog(stage, from);
        this.last = startOf(firstEpoch);
        read(restored);
        from.again().forEach(emission -> read(emission.before()));
        ledger.addEmissions(emissions);
    }

    /// The emissions that the earlier run has left.
    RestoredGroups regroups() {
        return RestoredGroups.of(emissions.left(), ledger.restored());
    }

    /// Whether the earlier run had come to the end of `epoch`, so that only late emissions are left of it.
    boolean isPast(long epoch) {
        return restored.epoch() > epoch;
    }

    /// The state with which `epoch` begins in this run; null for the gatherer's initial one.
    @Nullable
    State begin(long epoch) {
        last = startOf(epoch);
        return read(last);
    }

    private StateAt startOf(long epoch) {
        return restored.epoch() == epoch ? restored : new StateAt(epoch, null);
    }

    /// The state that was written; null for the gatherer's initial one.
    @Nullable
    State read(StateAt at) {
        String text = at.text();
        if (text == null) {
            return null;
        }
        char kind = text.isEmpty() ? ' ' : text.charAt(0);
        if (kind != OPEN && kind != FINISHED && kind != GathererStates.REST) {
            throw new IllegalArgumentException("not a checkpoint: stage '" + stage + "' can't have the state of " + at);
        }
        try {
            return new State(Stage.checked(format.read().apply(text.substring(1))), kind == FINISHED);
        } catch (RuntimeException refused) {
            throw new IllegalArgumentException(
                    "stage '" + stage + "' can't read its state from the checkpoint: " + refused.getMessage(), refused);
        }
    }

    /// Records that `members` became the parts of `split`, and the state that this left within `epoch`.
    void emitted(Lineage.Group members, Lineage.@Nullable Split split, long epoch, State left) {
        String text;
        try {
            text = (String) Stage.checked(format.write().apply(left.value()));
        } catch (RuntimeException failure) {
            throw new PipelineException(
                    stage, "stage '" + stage + "' can't write its state: " + failure.getMessage(), failure);
        }
        char kind = left.finished() ? FINISHED : format.isRest() ? GathererStates.REST : OPEN;
        emitted(members, split, new StateAt(epoch, kind + text));
    }

    /// Records that `members`, the last of `epoch`, became the parts of `split`, or nothing, which settles them.
    void emittedLast(Lineage.Group members, Lineage.@Nullable Split split, long epoch) {
        emitted(members, split, startOf(epoch + 1));
    }

    private void emitted(Lineage.Group members, Lineage.@Nullable Split split, StateAt after) {
        ledger.emitted(emissions, last, members, after, split);
        last = after;
    }

    /// Records that an emission of the earlier run was made again, or that this time nothing came of it, which
    /// settles its members.
    void madeAgain(EmissionLog.Emission emission, Lineage.Group members, Lineage.@Nullable Split split) {
        ledger.madeAgain(emissions, emission, members, split);
    }
}
