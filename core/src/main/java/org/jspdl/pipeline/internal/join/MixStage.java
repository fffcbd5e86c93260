package org.jspdl.pipeline.internal.join;

import java.util.List;
import org.jspdl.pipeline.internal.lineage.ItemRandom;
import org.jspdl.pipeline.internal.lineage.MixProgress;
import org.jspdl.pipeline.internal.link.Link;
import org.jspdl.pipeline.internal.recipe.MixSchedule;
import org.jspdl.pipeline.internal.recipe.Recipe;
import org.jspdl.pipeline.internal.recipe.Recipe.MergePolicy;
import org.jspdl.pipeline.internal.stage.RunContext;
import org.jspdl.pipeline.internal.stage.WorkerSlot;

/// Takes from several links in an order that depends on the number of each draw alone.
///
/// Draw d takes the link that the policy names for d. If that link has ended its epoch, round-robin passes the draw
/// over and weighted drawing draws again, so the order does not depend on when an end is noticed, and a resumed run
/// makes the same draws.
public final class MixStage extends DrawStage {
    /// Redraws before an almost weightless rest is taken in turn.
    private static final int MOST_REDRAWS = 64;

    private final MergePolicy policy;
    private final boolean untilFirstEnds;
    /// How many draws an epoch has at most.
    private final long limit;
    /// The weights that hold from draw `steadyFrom` to `steadyUntil` - 1.
    private final double[] weights;

    private long steadyFrom;
    private long steadyUntil;

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
        this.weights = new double[inputs.size()];
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
            case MergePolicy.Weighted(long seed, MixSchedule schedule, boolean _) -> {
                if (draw >= steadyUntil || draw < steadyFrom) {
                    steadyFrom = draw;
                    steadyUntil = schedule.at(draw, weights);
                }
                int choice = 0;
                for (int attempt = 0; attempt < MOST_REDRAWS; attempt++) {
                    choice = weighted(ItemRandom.uniform(seed, epoch, draw, attempt));
                    if (!exhausted[choice]) {
                        yield choice;
                    }
                }
                while (exhausted[choice]) {
                    choice = (choice + 1) % exhausted.length;
                }
                yield choice;
            }
            case MergePolicy.Arrival _, MergePolicy.Chosen _ -> throw unseeded();
        };
    }

    private int weighted(double uniform) {
        double sum = 0;
        for (double weight : weights) {
            sum += weight;
        }
        double rest = uniform * sum;
        int choice = 0;
        for (int i = 0; i < weights.length; i++) {
            rest -= weights[i];
            choice = weights[i] > 0 ? i : choice; // rounding may leave a rest behind the last
            if (rest < 0) {
                break;
            }
        }
        return choice;
    }
}
