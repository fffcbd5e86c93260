package org.jspdl.source;

import java.util.OptionalLong;
import java.util.function.LongUnaryOperator;
import org.jspdl.internal.Arguments;

/// The indices of a dataset in the order of one epoch, or the share of them that falls to one rank.
///
/// Immutable; any place of the order is computed at once, so resuming and dealing to other ranks are arithmetic. Ranks
/// are dealt like cards: rank r of w gets the places r, r + w, r + 2w, ... of the common order. All ranks get equally
/// many: the remainder is dropped, unless [#even(Even)] says otherwise. Made by [Samplers].
public final class Sampler implements RankedSource<Long> {
    private final IndexOrder order;
    private final RankShare share;

    Sampler(IndexOrder order, RankShare share) {
        this.order = order;
        this.share = share;
    }

    /// The share of `rank` among `worldSize` ranks.
    public Sampler shard(int rank, int worldSize) {
        return new Sampler(order, share.of(rank, worldSize));
    }

    /// The same, with ranks that match in this way.
    public Sampler even(Even how) {
        return new Sampler(order, share.with(how));
    }

    /// The members of `subset`, in the order in which this sampler visits their numbers.
    ///
    /// @throws IllegalArgumentException if the order may name a number that the subset does not have
    public Sampler within(Subset subset) {
        if (order.size() > subset.size()) {
            throw new IllegalArgumentException("an order of " + order.size() + " places names more numbers than the "
                    + subset.size() + " of the subset (" + subset + ")");
        }
        return then(new Orders.Within(order, subset));
    }

    /// `times` passes as one epoch, each in an order of its own if the order changes with the epoch.
    public Sampler repeated(int times) {
        Arguments.atLeastOne("times", times);
        if (order.size() > Long.MAX_VALUE / times) {
            throw new IllegalArgumentException(
                    times + " passes over " + order.size() + " places are more than an epoch may have");
        }
        return then(new Orders.Repeated(order, times));
    }

    /// The first `places` places of each epoch.
    ///
    /// @throws IllegalArgumentException if there are fewer
    public Sampler limited(long places) {
        Arguments.notNegative("places", places);
        if (places > order.size()) {
            throw new IllegalArgumentException(
                    "an epoch has " + order.size() + " places, fewer than the " + places + " asked for");
        }
        return then(new Orders.Limited(order, places));
    }

    /// This order without some indices: where one of them would come, that of an earlier place of the epoch comes,
    /// drawn by epoch and place; at the first places, where none is earlier, one of a later place. So everything
    /// else stays where it is, epochs are as long, and ranks get equally many; of k indices that are left out an
    /// epoch has k others once more. That holds for [Even#UNEVEN], too, where each would come exactly once
    /// otherwise.
    ///
    /// Part of [#identity]: a checkpoint of another order, or of other indices, is refused.
    ///
    /// @param indices not negative; copied into 8 bytes each; those that the order does not have make no difference
    public Sampler without(long... indices) {
        return then(new ReplacedOrder(order, indices));
    }

    /// What belongs to the indices of this order, at the same places.
    ///
    /// @param what  begins the identity: what the indices are of
    /// @param visit called for one place after the other, by the thread that reads
    public <T> RankedSource<T> items(String what, Visit<? extends T> visit) {
        return new VisitedItems<>(what, this, visit);
    }

    /// Makes the item of one place.
    @FunctionalInterface
    public interface Visit<T> {
        /// The item, owned by the caller.
        ///
        /// @param last whether this rank has no place behind it in this epoch
        T visit(long epoch, long index, boolean last) throws Exception;
    }

    private Sampler then(IndexOrder next) {
        return new Sampler(next, share.resized(next.size()));
    }

    /// How many items of an epoch no rank has fewer of: all of them, unless [Even#UNEVEN].
    public long everywhere() {
        return share.everywhere();
    }

    @Override
    public OptionalLong size() {
        return share.perRank();
    }

    @Override
    public double passes() {
        return order.passes();
    }

    @Override
    public Cursor<Long> open(long epoch, Position from) {
        return cursor(epoch, from);
    }

    /// As [#open], with what only this package asks.
    RankShare.RankCursor<Long> cursor(long epoch, Position from) {
        LongUnaryOperator indices = order.in(epoch);
        return share.open(place -> indices.applyAsLong(place), from);
    }

    @Override
    public int rank() {
        return share.rank();
    }

    @Override
    public int worldSize() {
        return share.worldSize();
    }

    @Override
    public long places() {
        return share.places();
    }

    @Override
    public Even even() {
        return share.even();
    }

    @Override
    public String identity() {
        return order.identity() + share.even().text();
    }

    @Override
    public String toString() {
        return order.identity() + share.text();
    }
}
