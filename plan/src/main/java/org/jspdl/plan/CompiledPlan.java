package org.jspdl.plan;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.QuarantineFile;
import org.jspdl.pipeline.Run;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.plan.internal.LocatedNode;
import org.jspdl.plan.internal.PlanErrorException;
import org.jspdl.plan.internal.PlanFiles;
import org.jspdl.plan.internal.Resources;

/// A plan's pipeline, with what its operations hold open.
///
/// Operations may keep buffers between items, so only one run at a time unless they say otherwise. Closed after the
/// last run, and after every item that the run delivered.
public final class CompiledPlan implements AutoCloseable {
    private final Pipeline<?> pipeline;
    private final TypeToken<?> output;
    private final RunOptions options;
    private final OptionalLong sourceSize;
    private final OptionalLong size;
    private final Resources resources;
    private final AtomicBoolean closed = new AtomicBoolean();

    private CompiledPlan(
            Pipeline<?> pipeline,
            TypeToken<?> output,
            RunOptions options,
            OptionalLong sourceSize,
            OptionalLong size,
            Resources resources) {
        this.pipeline = pipeline;
        this.output = output;
        this.options = options;
        this.sourceSize = sourceSize;
        this.size = size;
        this.resources = resources;
    }

    static CompiledPlan of(PlanModel plan, Operations operations, PlanChecker.Checked checked, PlanContext context) {
        Resources resources = new Resources();
        List<OptionalLong> sizes = new ArrayList<>();
        try {
            PlanContext recording = recording(plan.run(), context, resources);
            RunOptions options = plan.run().options(recording.finish());
            Pipeline<?> pipeline = checked.builder()
                    .build(new PipelineBuilder(recording.offer(RunOptions.class, options), resources, sizes))
                    .named(plan.name())
                    .prefetch(plan.prefetch());
            return new CompiledPlan(
                    pipeline,
                    checked.output(),
                    options,
                    sum(sizes),
                    new PlanSize(operations, sizes.iterator()).of(plan.flow()),
                    resources);
        } catch (Throwable failure) {
            try {
                resources.closeAll();
            } catch (Exception second) {
                failure.addSuppressed(second);
            }
            throw failure;
        }
    }

    /// The context in which skipped items are also recorded where the plan wants it.
    private static PlanContext recording(RunSettings settings, PlanContext context, Resources resources) {
        if (settings.quarantine().isEmpty() || !context.recordsQuarantine()) {
            return context;
        }
        LocatedNode.Text file = settings.quarantine().get();
        try {
            Path path = PlanFiles.quarantine(context.quarantineFolder(), file.value());
            return context.recording(resources.keep(QuarantineFile.open(path)));
        } catch (IOException failure) {
            throw new PlanErrorException(
                    file.location(), "the quarantine cannot be written: " + failure.getMessage(), failure);
        }
    }

    /// The pipeline.
    public Pipeline<?> pipeline() {
        return pipeline;
    }

    /// What the pipeline yields.
    public TypeToken<?> output() {
        return output;
    }

    /// How the plan wants it to run.
    public RunOptions options() {
        return options;
    }

    /// Items of all sources in an epoch, if every source knows.
    public OptionalLong sourceSize() {
        return sourceSize;
    }

    /// Items that an epoch delivers if no failure is skipped; empty if that depends on the items.
    public OptionalLong size() {
        return size;
    }

    private static OptionalLong sum(List<OptionalLong> sizes) {
        return sizes.stream().allMatch(OptionalLong::isPresent)
                ? OptionalLong.of(
                        sizes.stream().mapToLong(OptionalLong::getAsLong).sum())
                : OptionalLong.empty();
    }

    /// Starts a run as the plan says. The caller closes it, before this.
    public Run<?> start() {
        return pipeline.start(options);
    }

    /// Closes what the operations hold open; again is harmless.
    ///
    /// @throws PlanException if something cannot be closed, such as memory of which an item is still out
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            try {
                resources.closeAll();
            } catch (Exception failure) {
                throw new PlanException("an operation could not be closed: " + failure.getMessage(), failure);
            }
        }
    }
}
