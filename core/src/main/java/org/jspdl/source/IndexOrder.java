package org.jspdl.source;

import java.util.function.LongUnaryOperator;
import org.jspdl.internal.Arguments;

/// An order in which to visit the items of a dataset that can be computed at any place: what a [Sampler] deals to
/// ranks. Immutable.
///
/// ```java
/// IndexOrder backwards = IndexOrder.of(1_000, "backwards", (epoch, place) -> 999 - place);
/// Sampler share = Samplers.of(backwards).shard(rank, worldSize);
/// ```
public interface IndexOrder {
    /// How many places an epoch has.
    long size();

    /// How often an epoch goes through the dataset, see [Source#passes].
    default double passes() {
        return 1;
    }

    /// The index at each place of `epoch`, places counted from 0. The function may be used by one thread only.
    LongUnaryOperator in(long epoch);

    /// What must be equal for two orders to be the same: seed, size, and what else decides.
    String identity();

    /// An order from a function of the epoch and the place.
    ///
    /// @param identity see [#identity()]
    static IndexOrder of(long size, String identity, IndexAt at) {
        Arguments.notNegative("size", size);
        return new Orders.Computed(size, identity, at);
    }

    /// The index at a place.
    @FunctionalInterface
    interface IndexAt {
        /// The index at `place` of `epoch`.
        long at(long epoch, long place);
    }
}
