package org.jspdl.pipeline.internal.join;

import java.util.List;
import java.util.Objects;
import org.jspdl.pipeline.internal.lineage.MixProgress;
import org.jspdl.pipeline.internal.link.Link;
import org.jspdl.pipeline.internal.recipe.LiveWeights;
import org.jspdl.pipeline.internal.recipe.MixSchedule;
import org.jspdl.pipeline.internal.recipe.Recipe;
import org.jspdl.pipeline.internal.recipe.Recipe.MergePolicy;
import org.jspdl.pipeline.internal.stage.RunContext;
import org.jspdl.pipeline.internal.stage.WorkerSlot;
import org.jspecify.annotations.Nullable;

/// Takes from several links in an order that depends on the number of each draw alone.
///
/// Draw d takes the link that the policy names for d. If that link has ended its epoch, round-robin passes the draw
/// over and weighted drawing draws again, so the order does not depend on when an end is noticed, and a resumed run
/// makes the same draws.
public final class MixStage extends SelectingStage {
    private final MergePolicy policy;
    private final boolean untilFirstEnds;
    /// How many draws an epoch has at most.
    private final long limit;
    private final @Nullable WeightedDraws weighted;

    public MixStage(
            RunContext run,
            String name,
            MergePolicy policy,
            MixProgress draws,
            long firstEpoch,
            List<Recipe.FusedStep> fused,
            List<Link> inputs,
            Link output) {
        super(run, name, draws, firstEpoch, fused, inputs, output);
        this.policy = policy;
        this.weighted = policy instanceof MergePolicy.Weighted(long seed, MixSchedule schedule, boolean _)
                ? new WeightedDraws(
                        seed,
                        schedule,
                        schedule.live() ? LiveWeights.of(run.options().provenance()) : new LiveWeights(List.of()),
                        inputs.size())
                : null;
        this.untilFirstEnds = switch (policy) {
            case MergePolicy.RoundRobin(boolean first) -> first;
            case MergePolicy.Weighted(long seed, MixSchedule weights, boolean first) -> first;
            case MergePolicy.First(long items) -> false;
            case MergePolicy.Arrival _, MergePolicy.Chosen _ -> throw unseeded();
        };
        this.limit = policy instanceof MergePolicy.First(long items) ? items : Long.MAX_VALUE;
    }

    private static IllegalArgumentException unseeded() {
        return new IllegalArgumentException("the order does not follow from the numbers of draws");
    }

    @Override
    boolean untilFirstEnds() {
        return untilFirstEnds;
    }

    @Override
    int choose(long epoch, long draw, WorkerSlot slot) {
        if (draw >= limit) {
            return END;
        }
        return switch (policy) {
            case MergePolicy.First _ -> 0;
            case MergePolicy.RoundRobin _ -> (int) (draw % exhausted.length);
            case MergePolicy.Weighted _ -> Objects.requireNonNull(weighted).choose(epoch, draw, exhausted);
            case MergePolicy.Arrival _, MergePolicy.Chosen _ -> throw unseeded();
        };
    }
}
