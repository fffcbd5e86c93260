package org.jspdl.pipeline.internal.join;

import org.jspdl.pipeline.internal.lineage.ItemRandom;
import org.jspdl.pipeline.internal.recipe.LiveWeights;
import org.jspdl.pipeline.internal.recipe.MixSchedule;

/// Which input each draw of a mix takes from: at random, by the weights for its number. A function of the seed, the
/// epoch and the number. Used by one thread.
final class WeightedDraws {
    /// Redraws before an almost weightless rest is taken in turn.
    private static final int MOST_REDRAWS = 64;

    private final long seed;
    private final MixSchedule schedule;
    private final LiveWeights changes;
    /// The weights that hold from draw `from` to `until` - 1 of `of`.
    private final double[] weights;

    private long of;
    private long from;
    private long until;

    /// @param changes what the run has changed of the schedule
    WeightedDraws(long seed, MixSchedule schedule, LiveWeights changes, int inputs) {
        this.seed = seed;
        this.schedule = schedule;
        this.changes = changes;
        this.weights = new double[inputs];
    }

    /// The input of a draw, drawn again while it is one that has ended.
    ///
    /// @param ended by input; not all have
    int choose(long epoch, long draw, boolean[] ended) {
        if (draw >= until || draw < from || epoch != of) {
            of = epoch;
            from = draw;
            until = changes.at(schedule, epoch, draw, weights);
        }
        int choice = 0;
        for (int attempt = 0; attempt < MOST_REDRAWS; attempt++) {
            choice = weighted(ItemRandom.uniform(seed, epoch, draw, attempt));
            if (!ended[choice]) {
                return choice;
            }
        }
        int without = choice;
        for (int i = 1; i <= ended.length; i++) {
            int next = (choice + i) % ended.length;
            if (!ended[next] && weights[next] > 0) {
                return next;
            }
            without = ended[without] ? next : without;
        }
        return without;
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
