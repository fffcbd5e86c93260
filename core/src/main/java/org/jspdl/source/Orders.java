package org.jspdl.source;

import java.util.function.LongUnaryOperator;

/// The orders that need no memory, and those made of another order.
final class Orders {
    private Orders() {}

    /// 0, 1, 2, ...
    record Sequential(long size) implements IndexOrder {
        @Override
        public LongUnaryOperator in(long epoch) {
            return LongUnaryOperator.identity();
        }

        @Override
        public String identity() {
            return "sequential(" + size + ")";
        }
    }

    /// A keyed permutation.
    record Shuffled(long size, long seed) implements IndexOrder {
        @Override
        public LongUnaryOperator in(long epoch) {
            return Permutation.of(size, seed, epoch)::apply;
        }

        @Override
        public String identity() {
            return "shuffled(" + size + ", seed " + seed + ")";
        }
    }

    /// A function of the caller's.
    record Computed(long size, String identity, IndexAt at) implements IndexOrder {
        @Override
        public LongUnaryOperator in(long epoch) {
            return place -> at.at(epoch, place);
        }
    }

    /// The members of a subset, in the order of their numbers.
    record Within(IndexOrder order, Subset subset) implements IndexOrder {
        @Override
        public long size() {
            return order.size();
        }

        @Override
        public double passes() {
            return subset.size() == 0 ? 1 : order.passes() * order.size() / subset.size();
        }

        @Override
        public LongUnaryOperator in(long epoch) {
            LongUnaryOperator numbers = order.in(epoch);
            return place -> subset.index(numbers.applyAsLong(place));
        }

        @Override
        public String identity() {
            return order.identity() + ".within(" + subset + ")";
        }
    }

    /// Several epochs of an order as one.
    record Repeated(IndexOrder order, int times) implements IndexOrder {
        @Override
        public long size() {
            return Math.multiplyExact(order.size(), times);
        }

        @Override
        public double passes() {
            return order.passes() * times;
        }

        @Override
        public LongUnaryOperator in(long epoch) {
            long size = order.size();
            return new LongUnaryOperator() {
                private long pass = -1;
                private LongUnaryOperator indices = LongUnaryOperator.identity();

                @Override
                public long applyAsLong(long place) {
                    if (place / size != pass) {
                        pass = place / size;
                        indices = order.in(epoch * times + pass);
                    }
                    return indices.applyAsLong(place % size);
                }
            };
        }

        @Override
        public String identity() {
            return order.identity() + ".repeated(" + times + ")";
        }
    }

    /// The first places of an order.
    record Limited(IndexOrder order, long size) implements IndexOrder {
        @Override
        public double passes() {
            return order.size() == 0 ? 1 : order.passes() * size / order.size();
        }

        @Override
        public LongUnaryOperator in(long epoch) {
            return order.in(epoch);
        }

        @Override
        public String identity() {
            return order.identity() + ".limited(" + size + ")";
        }
    }
}
