package org.jspdl.pipeline.internal.join;

import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.jspdl.pipeline.internal.lineage.Lineage;
import org.jspdl.pipeline.internal.link.Envelope;
import org.jspdl.pipeline.internal.link.Link;
import org.jspdl.pipeline.internal.recipe.Recipe;
import org.jspdl.pipeline.internal.stage.Fusion;
import org.jspdl.pipeline.internal.stage.RunContext;
import org.jspdl.pipeline.internal.stage.ThreadStage;
import org.jspdl.pipeline.internal.stage.WorkerSlot;

/// Puts batches together again whose elements come from several sub-chains: a thread for each chain, and one
/// that emits.
///
/// Batches go on in the order in which they came, their elements in their old places.
public final class BatchAssemblyStage extends ThreadStage {
    private final Assemblies assemblies;
    private final MarkBarrier barrier;
    private final Link output;
    private final Fusion fused;

    public BatchAssemblyStage(
            RunContext run,
            String name,
            Assemblies assemblies,
            List<Recipe.FusedStep> fused,
            List<Link> inputs,
            Link output) {
        super(run, name, inputs.size() + 1, Threads.ENGINE, inputs, List.of(output));
        this.assemblies = assemblies;
        this.barrier = new MarkBarrier(inputs.size());
        this.output = output;
        this.fused = new Fusion(fused, run);
    }

    @Override
    public void work(WorkerSlot slot) throws InterruptedException {
        int index = List.of(slots).indexOf(slot);
        if (index < inputs.size()) {
            collect(inputs.get(index), slot);
        } else {
            emit(slot);
        }
    }

    private void collect(Link input, WorkerSlot slot) throws InterruptedException {
        while (!stopped()) {
            Envelope envelope = take(input, slot);
            if (envelope == null) {
                return;
            }
            if (envelope.isMark()) {
                if (envelope.kind == Envelope.Kind.END) {
                    Envelope _ = barrier.arrive(envelope, slot, _ -> assemblies.end());
                }
            } else if (envelope.lineage instanceof Lineage.Element element) {
                assemblies.set(element, envelope.value, run.disposal());
            } else {
                throw new IllegalStateException("an element lost its place: " + envelope.lineage);
            }
            input.finished();
            if (envelope.kind == Envelope.Kind.END) {
                return;
            }
        }
    }

    private void emit(WorkerSlot slot) throws InterruptedException {
        try {
            while (!stopped()) {
                Assembly assembly = assemblies.takeWhole(slot);
                if (assembly == null) {
                    output.mark(Envelope.end());
                    return;
                }
                if (assembly.mark != null) {
                    if (!mark(assembly.mark, output, slot)) {
                        return;
                    }
                } else if (!pass(assembly, slot)) {
                    return;
                }
            }
        } finally {
            assemblies.dispose(run.disposal());
        }
    }

    private boolean pass(Assembly assembly, WorkerSlot slot) throws InterruptedException {
        List<Object> values = assembly.removeAll();
        Envelope batch = Envelope.item(Collections.unmodifiableList(values), assembly.epoch, assembly.lineage());
        batch.bytes = Objects.requireNonNull(assembly.batch).bytes;
        if (values.isEmpty()) {
            settled(batch);
            return true;
        }
        boolean reserved = false;
        try {
            reserved = reserve(output, slot);
        } finally {
            if (!reserved) {
                run.disposal().dispose(batch);
            }
        }
        if (reserved) {
            passOn(batch, fused, output, slot);
        }
        return reserved;
    }

    @Override
    public String placement() {
        return "inline";
    }
}
