package org.jspdl.pipeline.internal;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Gatherer;
import org.jspdl.source.Position;
import org.jspecify.annotations.Nullable;

/// Runs a JDK gatherer over each epoch, on a virtual thread.
///
/// What the gatherer emits during one call is made from every input since its last emission.
final class AggregateStage extends ThreadStage {
    private final Link input;
    private final Link output;
    private final Gatherer<Object, Object, Object> gatherer;
    private final Fusion fused;
    private final List<Lineage> members = new ArrayList<>();
    private Lineage.@Nullable Origin latest;
    private long memberBytes;
    private final Regroups regroups;
    private @Nullable Object state;
    private boolean finished;

    /// @param groups the members of groups that an earlier run has partly delivered, which are formed again
    AggregateStage(
            RunContext run,
            String name,
            Recipe.Aggregate recipe,
            List<List<String>> groups,
            List<Recipe.FusedStep> fused,
            Link input,
            Link output) {
        super(run, name, 1, true, List.of(input), List.of(output));
        this.input = input;
        this.output = output;
        this.gatherer = recipe.gatherer();
        this.fused = new Fusion(fused, run);
        this.regroups = new Regroups(groups);
    }

    @Override
    void work(Slot slot) throws InterruptedException {
        try {
            gather(slot);
        } finally {
            regroups.dispose(run.disposal());
        }
    }

    private void gather(Slot slot) throws InterruptedException {
        state = gatherer.initializer().get();
        while (!stopped()) {
            Envelope envelope = take(input, slot, Long.MAX_VALUE);
            if (envelope == null) {
                return;
            }
            boolean open = switch (envelope.kind) {
                case ITEM -> accept(envelope, slot);
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

    /// Integrates an item, unless it belongs to a group of the earlier run: since each emission leaves the
    /// gatherer's state empty, the members of such a group alone bring the same emission again.
    private boolean accept(Envelope item, Slot slot) throws InterruptedException {
        List<Regroup> unformed = regroups.of(item.epoch);
        if (unformed.isEmpty()) {
            return integrate(item, slot);
        }
        String key = item.lineage.key();
        if (unformed.stream().anyMatch(group -> group.offer(key, item))) {
            run.budget().hold(item.lineage.origins());
        } else if (!integrate(item, slot)) {
            return false;
        }
        Iterator<Regroup> each = unformed.iterator();
        while (members.isEmpty() && each.hasNext()) {
            Regroup group = each.next();
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
    private boolean form(Regroup group, long epoch, Slot slot) throws InterruptedException {
        List<Envelope> items = group.members();
        items.forEach(item -> run.budget().hold(-item.lineage.origins()));
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
        return members.isEmpty() || flush(epoch, slot);
    }

    private boolean integrate(Envelope item, Slot slot) throws InterruptedException {
        if (finished) {
            run.disposal().dispose(item);
            run.settled(item);
            return true;
        }
        members.add(item.lineage);
        memberBytes += item.bytes;
        latest = item.lineage.first();
        run.budget().hold(item.lineage.origins());
        List<Object> emitted = new ArrayList<>();
        slot.enter(Slot.State.BUSY, System.nanoTime());
        try {
            finished = !gatherer.integrator().integrate(state, item.value, downstream(emitted));
        } catch (Throwable failure) {
            slot.failed++;
            emitted.forEach(run.disposal()::dispose);
            throw failed(item, failure);
        } finally {
            slot.enter(Slot.State.ENGINE, System.nanoTime());
        }
        return emit(emitted, item.epoch, slot);
    }

    private boolean endEpoch(Envelope mark, Slot slot) throws InterruptedException {
        if (!flush(mark.epoch, slot)) {
            return false;
        }
        Iterator<Regroup> each = regroups.of(mark.epoch).iterator();
        while (each.hasNext()) {
            Regroup group = each.next();
            each.remove();
            if (!form(group, mark.epoch, slot)) {
                return false;
            }
        }
        regroups.end(mark.epoch);
        output.mark(mark);
        return true;
    }

    /// Lets the gatherer emit what is left, and begins anew.
    private boolean flush(long epoch, Slot slot) throws InterruptedException {
        List<Object> emitted = new ArrayList<>();
        slot.enter(Slot.State.BUSY, System.nanoTime());
        try {
            gatherer.finisher().accept(state, downstream(emitted));
        } finally {
            slot.enter(Slot.State.ENGINE, System.nanoTime());
        }
        if (!emit(emitted, epoch, slot)) {
            return false;
        }
        run.settled(takeMembers(epoch, emitted));
        finished = false;
        state = gatherer.initializer().get();
        return true;
    }

    /// What was made from every input since the last emission, which may be none.
    private Envelope takeMembers(long epoch, List<Object> emitted) {
        Lineage.Origin first = latest == null ? new Lineage.Origin(-1, epoch, Position.START) : latest;
        Lineage.Group group = new Lineage.Group(name, members.toArray(Lineage[]::new), first);
        Envelope whole = Envelope.item(emitted, epoch, group);
        whole.bytes = memberBytes;
        run.budget().hold(-group.origins());
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

    private boolean emit(List<Object> emitted, long epoch, Slot slot) throws InterruptedException {
        if (emitted.isEmpty()) {
            return true;
        }
        Parts parts = new Parts(takeMembers(epoch, emitted), emitted.iterator(), name, run);
        boolean whole = false;
        try {
            while (parts.next()) {
                if (!reserve(output, slot)) {
                    return false;
                }
                passOn(parts.take(), fused, output, slot);
            }
            parts.end();
            whole = true;
            return true;
        } finally {
            if (!whole) {
                parts.disposeRemaining();
            }
        }
    }

    @Override
    String placement() {
        return "inline";
    }
}
