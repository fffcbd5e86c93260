package org.jspdl.pipeline.internal.group;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Gatherer;
import org.jspdl.pipeline.internal.lineage.EmissionLog;
import org.jspdl.pipeline.internal.lineage.Lineage;
import org.jspdl.pipeline.internal.link.Envelope;
import org.jspdl.pipeline.internal.link.Link;
import org.jspdl.pipeline.internal.recipe.Recipe;
import org.jspdl.pipeline.internal.stage.FlatMapIterator;
import org.jspdl.pipeline.internal.stage.Fusion;
import org.jspdl.pipeline.internal.stage.RunContext;
import org.jspdl.pipeline.internal.stage.ThreadStage;
import org.jspdl.pipeline.internal.stage.WorkerSlot;
import org.jspdl.source.Position;
import org.jspecify.annotations.Nullable;

/// Runs a JDK gatherer over each epoch.
///
/// What the gatherer emits during one call is made from every input since its last emission.
public final class AggregateStage extends ThreadStage {
    private final Link input;
    private final Link output;
    private final Gatherer<Object, Object, Object> gatherer;
    private final Fusion fused;
    private final List<Lineage> members = new ArrayList<>();
    private Lineage.@Nullable Origin latest;
    private long memberBytes;
    private final @Nullable StateKeeper keeper;
    private final long firstEpoch;
    private final RestoredGroups regroups;
    private @Nullable Object state;
    private boolean finished;
    /// Whether the state may hold inputs.
    private boolean holds;
    /// The emission of an earlier run that is being made again.
    private EmissionLog.@Nullable Emission making;
    /// What the group that is made now is called.
    private String groupName;

    /// @param keeper     writes states for checkpoints; null if the gatherer's can't be written
    /// @param regroups   the groups that an earlier run has partly delivered, which are formed again
    /// @param firstEpoch the epoch that the consumer receives first
    public AggregateStage(
            RunContext run,
            String name,
            Gatherer<Object, Object, Object> gatherer,
            @Nullable StateKeeper keeper,
            RestoredGroups regroups,
            long firstEpoch,
            List<Recipe.FusedStep> fused,
            Link input,
            Link output) {
        super(run, name, 1, Threads.ENGINE, List.of(input), List.of(output));
        this.input = input;
        this.output = output;
        this.gatherer = gatherer;
        this.keeper = keeper;
        this.groupName = name;
        this.firstEpoch = firstEpoch;
        this.fused = new Fusion(fused, run);
        this.regroups = keeper == null ? regroups : keeper.regroups();
    }

    @Override
    public void work(WorkerSlot slot) throws InterruptedException {
        try {
            gather(slot);
        } finally {
            run.budget().release(takeMembers(firstEpoch, List.of()));
            regroups.dispose(run.disposal());
            if (holds) {
                run.disposal().dispose((AutoCloseable) this::closeRest);
            }
        }
    }

    /// Has the gatherer emit what it holds when the run ends early, which nobody else could close.
    private void closeRest() {
        List<Object> rest = new ArrayList<>();
        try {
            gatherer.finisher().accept(state, downstream(rest));
        } finally {
            rest.forEach(run.disposal()::dispose);
        }
    }

    private void gather(WorkerSlot slot) throws InterruptedException {
        begin(firstEpoch);
        while (!stopped()) {
            Envelope envelope = take(input, slot);
            if (envelope == null) {
                return;
            }
            boolean open = switch (envelope.kind) {
                case ITEM -> accept(envelope, slot) && leaveIfFinished(envelope.epoch);
                case EPOCH_END -> endEpoch(envelope, slot);
                case END -> {
                    output.mark(envelope);
                    yield false;
                }
            };
            input.finished();
            if (!open) {
                return;
            }
        }
    }

    private void begin(long epoch) {
        load(keeper == null ? null : keeper.begin(epoch));
        boolean _ = leaveIfFinished(epoch);
    }

    /// Wants nothing more of an epoch in which the gatherer is finished and no group is left to be formed. Always
    /// true.
    private boolean leaveIfFinished(long epoch) {
        if (finished && !stopped() && regroups.of(epoch).isEmpty()) {
            input.leave(epoch);
        }
        return true;
    }

    /// Takes over a state; null for the initial one.
    private void load(StateKeeper.@Nullable State from) {
        state = from == null ? gatherer.initializer().get() : from.value();
        finished = from != null && from.finished();
        holds = false;
    }

    /// Integrates an item, unless it belongs to a group of the earlier run: the members of such a group alone bring
    /// the same emission again, from the state before it, or from an empty one if each emission leaves that.
    private boolean accept(Envelope item, WorkerSlot slot) throws InterruptedException {
        List<RestoredGroup> unformed = regroups.of(item.epoch);
        if (unformed.isEmpty()) {
            return integrate(item, slot);
        }
        int number = regroups.number(item);
        if (unformed.stream().anyMatch(group -> group.offer(number, item))) {
        } else if (!integrate(item, slot)) {
            return false;
        }
        Iterator<RestoredGroup> each = unformed.iterator();
        while (members.isEmpty() && each.hasNext()) {
            RestoredGroup group = each.next();
            if (group.isWhole()) {
                each.remove();
                if (!form(group, item.epoch, slot)) {
                    return false;
                }
            }
        }
        return true;
    }

    /// Integrates the members of a group into an empty state; if they bring no emission, the group was the rest at
    /// the end of an epoch.
    private boolean form(RestoredGroup group, long epoch, WorkerSlot slot) throws InterruptedException {
        StateKeeper.State goesOn = new StateKeeper.State(state, finished);
        making = group.emission;
        if (making != null) {
            groupName = group.stage;
            load(Objects.requireNonNull(keeper).read(making.before));
        }
        boolean open = integrateAll(group, slot) && (isFormed(group) || flush(epoch, slot));
        if (group.emission != null) {
            making = null;
            groupName = name;
            load(goesOn);
        }
        return open;
    }

    private boolean isFormed(RestoredGroup group) {
        return group.emission == null ? members.isEmpty() : making == null;
    }

    private boolean integrateAll(RestoredGroup group, WorkerSlot slot) throws InterruptedException {
        List<Envelope> items = group.members();
        int taken = 0;
        try {
            while (taken < items.size()) {
                if (!integrate(items.get(taken++), slot)) {
                    return false;
                }
            }
        } finally {
            items.subList(taken, items.size()).forEach(run.disposal()::dispose);
        }
        return true;
    }

    private boolean integrate(Envelope item, WorkerSlot slot) throws InterruptedException {
        if (finished) {
            run.disposal().dispose(item);
            if (!stopped()) {
                run.ledger().leave(item.lineage);
            }
            run.budget().release(item);
            return true;
        }
        Object input = item.value;
        List<Object> emitted = new ArrayList<>();
        boolean goesOn;
        slot.enter(WorkerSlot.State.BUSY, System.nanoTime());
        try {
            goesOn = gatherer.integrator().integrate(state, input, downstream(emitted));
        } catch (Throwable failure) {
            guard().forgetInterrupt();
            emitted.forEach(run.disposal()::dispose);
            failed(item, input, failure, slot);
            return true;
        } finally {
            slot.enter(WorkerSlot.State.ENGINE, System.nanoTime());
        }
        guard().forgetInterrupt();
        guard().succeeded();
        finished = !goesOn;
        holds = true;
        members.add(item.lineage);
        memberBytes += item.bytes;
        latest = item.lineage.first();
        return emit(emitted, item.epoch, false, slot);
    }

    private boolean endEpoch(Envelope mark, WorkerSlot slot) throws InterruptedException {
        if (!(keeper != null && keeper.isPast(mark.epoch)) && !flush(mark.epoch, slot)) {
            return false;
        }
        begin(mark.epoch + 1);
        Iterator<RestoredGroup> each = regroups.of(mark.epoch).iterator();
        while (each.hasNext()) {
            RestoredGroup group = each.next();
            each.remove();
            if (!form(group, mark.epoch, slot)) {
                return false;
            }
        }
        regroups.end(mark.epoch);
        return mark(mark, output, slot);
    }

    /// Lets the gatherer emit what is left, and begins anew.
    private boolean flush(long epoch, WorkerSlot slot) throws InterruptedException {
        List<Object> emitted = new ArrayList<>();
        slot.enter(WorkerSlot.State.BUSY, System.nanoTime());
        try {
            gatherer.finisher().accept(state, downstream(emitted));
        } catch (Throwable failure) {
            emitted.forEach(run.disposal()::dispose);
            emitted.clear();
            finisherFailed(epoch, failure, slot);
        } finally {
            slot.enter(WorkerSlot.State.ENGINE, System.nanoTime());
        }
        guard().forgetInterrupt();
        if (!emit(emitted, epoch, true, slot)) {
            return false;
        }
        if (emitted.isEmpty()) {
            Envelope nothing = takeMembers(epoch, emitted);
            if (keeper == null) {
                settled(nothing);
            } else {
                if (!stopped()) {
                    record(nothing, null, epoch, true);
                }
                run.budget().release(nothing);
            }
        }
        load(null);
        return true;
    }

    /// Applies the failure policy to what was left of an epoch, as one item without members: those are settled as
    /// what nothing came of.
    private void finisherFailed(long epoch, Throwable failure, WorkerSlot slot) {
        Lineage.Group rest = new Lineage.Group(name, new Lineage[0], origin(epoch));
        failed(Envelope.item(List.of(), epoch, rest), "the rest of epoch " + epoch, failure, slot);
    }

    private Lineage.Origin origin(long epoch) {
        return latest == null || latest.epoch != epoch ? new Lineage.Origin(-1, epoch, Position.START) : latest;
    }

    private void record(Envelope whole, Lineage.@Nullable Split split, long epoch, boolean last) {
        StateKeeper writer = Objects.requireNonNull(keeper);
        Lineage.Group group = (Lineage.Group) whole.lineage;
        if (making != null) {
            writer.madeAgain(making, group, split);
            making = null;
        } else if (last) {
            writer.emittedLast(group, split, epoch);
        } else {
            writer.emitted(group, split, epoch, new StateKeeper.State(state, finished));
        }
    }

    /// What was made from every input since the last emission, which may be none.
    private Envelope takeMembers(long epoch, List<Object> emitted) {
        Lineage.Group group = new Lineage.Group(groupName, members.toArray(Lineage[]::new), origin(epoch));
        Envelope whole = Envelope.item(emitted, epoch, group);
        whole.bytes = memberBytes;
        members.clear();
        memberBytes = 0;
        return whole;
    }

    private Gatherer.Downstream<Object> downstream(List<Object> emitted) {
        return value -> {
            emitted.add(value);
            return true;
        };
    }

    /// Passes on what a call has emitted.
    ///
    /// @param last whether it was the call at the end of the epoch
    private boolean emit(List<Object> emitted, long epoch, boolean last, WorkerSlot slot) throws InterruptedException {
        if (emitted.isEmpty()) {
            return true;
        }
        Envelope group = takeMembers(epoch, emitted);
        FlatMapIterator parts = new FlatMapIterator(group, emitted, emitted.iterator(), true, this, output);
        boolean recorded = false;
        try {
            if (keeper != null) {
                record(group, parts.split(), epoch, last);
            }
            recorded = true;
        } finally {
            if (!recorded) {
                parts.dispose();
            }
        }
        return passParts(parts, fused, output, slot);
    }

    @Override
    public String placement() {
        return "inline";
    }
}
