package org.jspdl.source;

import java.util.Objects;
import java.util.function.LongToDoubleFunction;
import org.jspdl.internal.Arguments;

/// Orders in which to visit the items of a dataset, given by their index.
///
/// | order | memory | a place costs |
/// | --- | --- | --- |
/// | sequential, shuffled | none | nothing; 25 ns |
/// | weighted by an array | 12 bytes for each weight | two random numbers |
/// | weighted by a function | none | most weight / mean weight tries |
/// | weighted without replacement | 4 bytes for each weight, and 4 for each draw | sorting once an epoch |
/// | curriculum | 8 bytes for each value, and 8 for each index | sorting once, and a pass once an epoch |
/// | class-balanced | 4 bytes for each label | two small permutations |
public final class Samplers {
    private Samplers() {}

    /// 0, 1, 2, ... `size` - 1, in every epoch.
    public static Sampler sequential(long size) {
        return of(new Orders.Sequential(Arguments.notNegative("size", size)));
    }

    /// Every index once in each epoch, in an order given by `seed` and the epoch.
    public static Sampler shuffled(long size, long seed) {
        return of(new Orders.Shuffled(Arguments.notNegative("size", size), seed));
    }

    /// An order of the caller's own.
    public static Sampler of(IndexOrder order) {
        return new Sampler(order, RankShare.whole(Arguments.notNegative("size", order.size())));
    }

    /// `draws` indices in each epoch, each drawn with a probability in proportion to its weight, with replacement.
    ///
    /// @param weights finite, not negative, and not all 0; copied into 12 bytes each
    public static Sampler weighted(double[] weights, long draws, long seed) {
        return of(WeightedOrder.of(weights, Arguments.notNegative("draws", draws), seed));
    }

    /// As [#weighted(double[], long, long)], without memory for the weights: they are computed when an index is
    /// considered, `mostWeight` / mean weight times for each draw.
    ///
    /// @param weight     the weight of an index below `size`, from 0 to `mostWeight`; equal each time it is asked
    /// @param mostWeight at least every weight
    /// @param name       stands for the weights in checkpoints, so that other weights are recognized
    public static Sampler weighted(
            long size, LongToDoubleFunction weight, double mostWeight, String name, long draws, long seed) {
        Arguments.atLeastOne("size", size);
        if (!(mostWeight > 0) || mostWeight == Double.POSITIVE_INFINITY) {
            throw new IllegalArgumentException("mostWeight must be positive and finite but was " + mostWeight);
        }
        return of(new RejectionOrder(size, weight, mostWeight, name, Arguments.notNegative("draws", draws), seed));
    }

    /// `draws` different indices in each epoch: each is drawn among those that are left, with a probability in
    /// proportion to its weight.
    ///
    /// @param weights finite and not negative; at least `draws` of them positive; copied as floats
    public static Sampler weightedWithoutReplacement(double[] weights, int draws, long seed) {
        return of(WeightedOnceOrder.of(weights, draws, seed));
    }

    /// `draws` indices in each epoch, in which every class comes equally often: each run of as many draws as there
    /// are classes has every class once. The items of a class take turns: none comes again before all others have,
    /// where `draws` is a multiple of the number of classes.
    ///
    /// @param labels the class number of every item, not negative; classes without items are passed over
    public static Sampler classBalanced(int[] labels, long draws, long seed) {
        return of(BalancedOrder.of(labels, Arguments.notNegative("draws", draws), seed));
    }

    /// Every index once in each epoch, the easier ones first: at each place one is drawn at random among those
    /// whose value is at most the limit of that place, and which have not come yet. If none is left, the one with
    /// the least value comes, so a limit that rises slowly is no error.
    ///
    /// Places count over all ranks: with batches of b on r ranks, step s begins at place s b r.
    ///
    /// @param values what the limit is compared with, by index: difficulty, length, age, anything; copied
    /// @param limit  must not fall within an epoch
    /// @param name   stands for the limit in checkpoints, so that another one is recognized
    /// @throws IllegalArgumentException if a value is not a number
    public static Sampler curriculum(double[] values, Limit limit, String name, long seed) {
        return of(CurriculumOrder.of(
                values, Objects.requireNonNull(limit, "limit"), Arguments.name("the limit's name", name), seed));
    }

    /// The largest value that a [curriculum][#curriculum] admits at a place.
    @FunctionalInterface
    public interface Limit {
        /// The limit at `place` of `epoch`; at least that of every place before it in the epoch.
        double at(long epoch, long place);
    }
}
