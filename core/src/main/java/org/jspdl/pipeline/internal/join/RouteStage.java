package org.jspdl.pipeline.internal.join;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspdl.pipeline.FailedItem;
import org.jspdl.pipeline.PipelineException;
import org.jspdl.pipeline.internal.failure.Descriptions;
import org.jspdl.pipeline.internal.lineage.Lineage;
import org.jspdl.pipeline.internal.link.Envelope;
import org.jspdl.pipeline.internal.link.Link;
import org.jspdl.pipeline.internal.recipe.Keyed;
import org.jspdl.pipeline.internal.recipe.Recipe;
import org.jspdl.pipeline.internal.stage.RunContext;
import org.jspdl.pipeline.internal.stage.ThreadStage;
import org.jspdl.pipeline.internal.stage.WorkerSlot;
import org.jspecify.annotations.Nullable;

/// Sends each item, or each element of each item, into the sub-chain that its key names.
public final class RouteStage extends ThreadStage {
    private final Recipe.Route route;
    private final Link input;
    private final Assemblies assemblies;

    /// @param assemblies where elements are put together again; unused when whole items are routed
    public RouteStage(
            RunContext run, String name, Recipe.Route route, Assemblies assemblies, Link input, List<Link> outputs) {
        super(run, name, 1, Threads.ENGINE, List.of(input), outputs);
        this.route = route;
        this.input = input;
        this.assemblies = assemblies;
    }

    @Override
    public void work(WorkerSlot slot) throws InterruptedException {
        while (!stopped()) {
            Envelope envelope = take(input, slot);
            if (envelope == null) {
                return;
            }
            if (envelope.isMark()) {
                if (envelope.kind == Envelope.Kind.EPOCH_END && route.elements()) {
                    assemblies.mark(envelope, slot);
                }
                for (Link output : outputs) {
                    if (!mark(envelope, output, slot)) {
                        return;
                    }
                }
            } else if (!(route.elements() ? sendElements(envelope, slot) : send(envelope, slot))) {
                return;
            }
            input.finished();
            if (envelope.kind == Envelope.Kind.END) {
                return;
            }
        }
    }

    /// Sends an item into its branch, unless its key failed; false if the branch was cancelled.
    private boolean send(Envelope item, WorkerSlot slot) throws InterruptedException {
        boolean sent = false;
        try {
            Link branch = branchOf(item, slot);
            if (branch == null) {
                sent = true;
            } else if (reserve(branch, slot)) {
                slot.completed++;
                branch.put(item);
                sent = true;
            }
            return sent;
        } finally {
            if (!sent) {
                run.disposal().dispose(item);
            }
        }
    }

    private boolean sendElements(Envelope batch, WorkerSlot slot) throws InterruptedException {
        Object input = batch.value;
        @Nullable Object[] elements;
        try {
            elements = ((List<?>) input).toArray();
        } catch (Throwable failure) {
            failed(batch, input, failure, slot);
            return true;
        }
        Assembly assembly = open(batch, elements.length, slot);
        for (int i = 0; i < elements.length; i++) {
            Envelope element = Envelope.item(elements[i], batch.epoch, new Lineage.Element(assembly, i));
            boolean sent = false;
            try {
                sent = send(element, slot);
            } finally {
                if (!sent) {
                    Arrays.asList(elements).subList(i + 1, elements.length).forEach(run.disposal()::dispose);
                }
            }
            if (!sent) {
                return false;
            }
        }
        return true;
    }

    private Assembly open(Envelope batch, int size, WorkerSlot slot) throws InterruptedException {
        try {
            return assemblies.open(batch, size, slot, run.disposal());
        } catch (InterruptedException stop) {
            run.disposal().dispose(batch);
            throw stop;
        }
    }

    /// The branch of an item; null if its key failed, which the failure policy has been applied to.
    private @Nullable Link branchOf(Envelope item, WorkerSlot slot) {
        Object input = item.value;
        Object routed = Keyed.unwrapped(input);
        Object key;
        int found = -1;
        slot.enter(WorkerSlot.State.BUSY, System.nanoTime());
        try {
            guard().refuse(item);
            key = checked(route.key().apply(input));
            for (int i = 0; i < outputs.size() && found < 0; i++) {
                if (route.branches().get(i).accepts().test(key, routed)) {
                    found = i;
                }
            }
        } catch (Throwable failure) {
            guard().forgetInterrupt();
            failed(item, input, failure, slot);
            return null;
        } finally {
            slot.enter(WorkerSlot.State.ENGINE, System.nanoTime());
        }
        guard().forgetInterrupt();
        if (found >= 0) {
            guard().succeeded();
            item.value = routed;
            return outputs.get(found);
        }
        slot.failed++;
        Lineage.Origin origin = item.lineage.first();
        throw new PipelineException(
                name,
                PipelineException.Kind.NO_BRANCH,
                Optional.of(new FailedItem.Place(origin.source, origin.epoch, origin.position)),
                "pipeline '" + run.pipeline() + "', stage '" + name + "': no branch for key "
                        + Descriptions.ofValue(key)
                        + " of the item at epoch "
                        + item.epoch + ", " + origin.position + "; the branches are "
                        + route.branches().stream().map(Recipe.Branch::label).toList()
                        + "; add one, or otherwise(...)",
                null);
    }

    @Override
    public String placement() {
        return "inline";
    }
}
