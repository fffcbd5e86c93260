package org.jspdl.pipeline.internal.group;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import org.jspdl.pipeline.Remainder;
import org.jspdl.pipeline.internal.lineage.Lineage;
import org.jspdl.pipeline.internal.link.Envelope;
import org.jspdl.pipeline.internal.link.Link;
import org.jspdl.pipeline.internal.recipe.Recipe;
import org.jspdl.pipeline.internal.stage.Fusion;
import org.jspdl.pipeline.internal.stage.RunContext;
import org.jspdl.pipeline.internal.stage.ThreadStage;
import org.jspdl.pipeline.internal.stage.WorkerSlot;

/// Gathers items into lists.
public final class BatchStage extends ThreadStage {
    private final Link input;
    private final Link output;
    private final int size;
    private final boolean keepsRemainder;
    private final long flushNanos;
    private final Fusion fused;
    private final RestoredGroups regroups;
    private List<Envelope> members = new ArrayList<>();
    private long flushAt = Long.MAX_VALUE;

    /// @param regroups the groups that an earlier run has partly delivered, which are formed again
    public BatchStage(
            RunContext run,
            String name,
            Recipe.Batch recipe,
            RestoredGroups regroups,
            List<Recipe.FusedStep> fused,
            Link input,
            Link output) {
        super(run, name, 1, Threads.ENGINE, List.of(input), List.of(output));
        this.input = input;
        this.output = output;
        this.size = recipe.size();
        this.keepsRemainder = recipe.remainder() == Remainder.KEEP;
        this.flushNanos = recipe.flushAfter().map(Duration::toNanos).orElse(Long.MAX_VALUE);
        this.fused = new Fusion(fused, run);
        this.regroups = regroups;
    }

    @Override
    public int gathers() {
        return size;
    }

    @Override
    public void work(WorkerSlot slot) throws InterruptedException {
        try {
            gather(slot);
        } finally {
            members.forEach(run.disposal()::dispose);
            regroups.dispose(run.disposal());
        }
    }

    private void gather(WorkerSlot slot) throws InterruptedException {
        while (!stopped()) {
            Envelope envelope = take(input, slot, missing(), flushAt);
            if (envelope == null) {
                if (System.nanoTime() < flushAt || members.isEmpty() || !emitMembers(slot)) {
                    return;
                }
                continue;
            }
            boolean open = switch (envelope.kind) {
                case ITEM -> add(envelope, slot);
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

    /// How many items may wait in the link until it is worth taking them. The first one starts the clock of a
    /// flush, and what earlier groups lack may come at once.
    private int missing() {
        boolean atOnce = (flushNanos != Long.MAX_VALUE && members.isEmpty()) || regroups.areLeft();
        return atOnce ? 1 : size - members.size();
    }

    private boolean add(Envelope item, WorkerSlot slot) throws InterruptedException {
        List<RestoredGroup> unformed = regroups.of(item.epoch);
        if (!unformed.isEmpty()) {
            int number = regroups.number(item);
            for (Iterator<RestoredGroup> each = unformed.iterator(); each.hasNext(); ) {
                RestoredGroup regroup = each.next();
                if (regroup.offer(number, item)) {
                    if (!regroup.isWhole()) {
                        return true;
                    }
                    each.remove();
                    return emit(regroup.members(), slot);
                }
            }
        }
        if (members.isEmpty() && flushNanos != Long.MAX_VALUE) {
            flushAt = System.nanoTime() + flushNanos;
        }
        members.add(item);
        return members.size() < size || emitMembers(slot);
    }

    private boolean endEpoch(Envelope mark, WorkerSlot slot) throws InterruptedException {
        for (RestoredGroup regroup : regroups.of(mark.epoch)) {
            if (!regroup.members().isEmpty() && !emit(regroup.members(), slot)) {
                return false;
            }
        }
        regroups.end(mark.epoch);
        if (!members.isEmpty()) {
            if (keepsRemainder) {
                if (!emitMembers(slot)) {
                    return false;
                }
            } else {
                members.forEach(dropped -> {
                    run.disposal().dispose(dropped);
                    run.settled(dropped);
                });
                reset();
            }
        }
        return mark(mark, output, slot);
    }

    private boolean emitMembers(WorkerSlot slot) throws InterruptedException {
        List<Envelope> whole = members;
        if (!reserve(output, slot)) {
            return false;
        }
        reset();
        return pass(whole, slot);
    }

    private boolean emit(List<Envelope> whole, WorkerSlot slot) throws InterruptedException {
        boolean reserved = false;
        try {
            reserved = reserve(output, slot);
        } finally {
            if (!reserved) {
                whole.forEach(run.disposal()::dispose);
            }
        }
        return reserved && pass(whole, slot);
    }

    private boolean pass(List<Envelope> whole, WorkerSlot slot) {
        List<Object> values = new ArrayList<>(whole.size());
        long bytes = 0;
        Lineage[] lineages = new Lineage[whole.size()];
        for (int i = 0; i < lineages.length; i++) {
            values.add(whole.get(i).value);
            lineages[i] = whole.get(i).lineage;
            bytes += whole.get(i).bytes;
        }
        Envelope batch = Envelope.item(
                Collections.unmodifiableList(values), whole.getFirst().epoch, new Lineage.Group(name, lineages));
        batch.bytes = bytes;
        passOn(batch, fused, output, slot);
        return true;
    }

    private void reset() {
        members = new ArrayList<>(Math.min(size, 1024));
        flushAt = Long.MAX_VALUE;
    }

    @Override
    public String placement() {
        return "inline";
    }
}
