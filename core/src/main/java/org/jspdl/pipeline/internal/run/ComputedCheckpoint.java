package org.jspdl.pipeline.internal.run;

import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspdl.pipeline.FailurePolicy;
import org.jspdl.pipeline.Order;
import org.jspdl.pipeline.Remainder;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.pipeline.StageOptions;
import org.jspdl.pipeline.internal.checkpoint.NodeTable;
import org.jspdl.pipeline.internal.checkpoint.RunIdentity;
import org.jspdl.pipeline.internal.checkpoint.RunState;
import org.jspdl.pipeline.internal.checkpoint.RunState.EpochState;
import org.jspdl.pipeline.internal.checkpoint.RunState.Share;
import org.jspdl.pipeline.internal.checkpoint.RunState.SourceState;
import org.jspdl.pipeline.internal.checkpoint.SourceCounts;
import org.jspdl.pipeline.internal.checkpoint.StateJson;
import org.jspdl.pipeline.internal.recipe.Recipe;
import org.jspdl.source.Position;
import org.jspdl.source.RankedSource;

/// Where a run stands that has delivered so many items, computed: without running, and without what an earlier run has
/// written.
///
/// That works where each item follows from its number alone: one source with a common order of ranks, and behind it
/// steps that make one item of one, or a batch of a fixed number, in input order, and that skip nothing.
public final class ComputedCheckpoint {
    private final String pipeline;
    /// Source items of one delivered item.
    private long members = 1;
    private Remainder remainder = Remainder.KEEP;

    private ComputedCheckpoint(String pipeline) {
        this.pipeline = pipeline;
    }

    /// The checkpoint as JSON.
    ///
    /// @param delivered items of all epochs
    /// @throws IllegalArgumentException if it doesn't follow from that number; the message names the step
    public static String of(String pipeline, Recipe recipe, long delivered, RunOptions options) {
        if (delivered < 0) {
            throw new IllegalArgumentException("delivered must not be negative but was " + delivered);
        }
        return new ComputedCheckpoint(pipeline).at(recipe, delivered, options);
    }

    private String at(Recipe recipe, long delivered, RunOptions options) {
        List<Recipe> steps = Recipe.chain(recipe);
        for (Recipe step : steps) {
            follow(step, options.failures());
        }
        RankedSource<?> source = ranked((Recipe.From) steps.getFirst());
        long items = perEpoch(source);
        long perEpoch = remainder == Remainder.KEEP ? Math.ceilDiv(items, members) : items / members;
        if (perEpoch == 0) {
            throw refused("its epochs are empty");
        }
        long epoch = delivered / perEpoch;
        long before = Math.min(items, delivered % perEpoch * members);
        long place = source.rank() + before * source.worldSize();
        EpochState state = new EpochState(epoch, List.of(), true, before == 0 ? Position.START : Position.at(place));
        return StateJson.write(new RunState(
                new RunIdentity(options.seed(), Recipe.fingerprint(recipe), options.provenance(), List.of()),
                epoch,
                delivered,
                List.of(new SourceState(
                        List.of(state), Share.of(source), Map.of(), List.of(), counts(epoch, items, before))),
                new NodeTable(),
                Map.of(),
                Map.of(),
                Map.of(),
                Map.of()));
    }

    private SourceCounts counts(long epoch, long items, long before) {
        long dropped = remainder == Remainder.KEEP ? 0 : items % members;
        return SourceCounts.ofEpochs(epoch, items - dropped, dropped, before);
    }

    private void follow(Recipe step, FailurePolicy ofRun) {
        switch (step) {
            case Recipe.From _, Recipe.Epochs _ -> {}
            case Recipe.Pipe pipe -> follow(pipe.name(), pipe.options(), ofRun);
            case Recipe.Batch batch -> {
                if (batch.flushAfter().isPresent()) {
                    throw refused(batch.signature() + " may be cut short by time");
                }
                if (members > 1 && (remainder == Remainder.KEEP || batch.remainder() == Remainder.KEEP)) {
                    throw refused("batches of batches that keep a remainder differ in what they hold");
                }
                members = Math.multiplyExact(members, batch.size());
                remainder = batch.remainder();
            }
            case Recipe.Fused fused -> {
                if (fused.step() instanceof Recipe.FusedStep.Filter) {
                    throw refused("a filter drops what only running shows");
                }
                skips("map", ofRun);
            }
            case Recipe.FlatMap _,
                    Recipe.Unbatch _,
                    Recipe.Aggregate _,
                    Recipe.Merge _,
                    Recipe.Route _,
                    Recipe.Entry _ -> throw refused("step '" + step.signature() + "' does not make one item of one");
        }
    }

    private void follow(String stage, StageOptions options, FailurePolicy ofRun) {
        if (options.isTimed()) {
            throw refused("stage '" + stage + "' "
                    + (options.order() == Order.COMPLETION
                            ? "delivers in completion order, which time decided"
                            : "lets others pass items that are late, which time decided"));
        }
        skips(stage, options.failures().orElse(ofRun));
    }

    private void skips(String stage, FailurePolicy policy) {
        switch (policy) {
            case FailurePolicy.FailFast _ -> {}
            case FailurePolicy.Retry retry -> skips(stage, retry.base());
            case FailurePolicy.Quarantine quarantine -> skips(stage, quarantine.base());
            case FailurePolicy.SkipCount _, FailurePolicy.SkipRate _ ->
                throw refused("stage '" + stage + "' may have skipped items that failed");
        }
    }

    private RankedSource<?> ranked(Recipe.From from) {
        if (from.source() instanceof RankedSource<?> ranked) {
            return ranked;
        }
        throw refused("source '" + from.name() + "' finds a place only by reading, as samplers do not");
    }

    private long perEpoch(RankedSource<?> source) {
        OptionalLong size = source.size();
        if (size.isEmpty()) {
            throw refused("its source does not say how many items an epoch has");
        }
        return size.getAsLong();
    }

    private IllegalArgumentException refused(String why) {
        return new IllegalArgumentException("pipeline '" + pipeline
                + "': what comes at a step does not follow from its number, because " + why
                + "; go on from the last checkpoint before it");
    }
}
