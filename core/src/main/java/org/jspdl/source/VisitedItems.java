package org.jspdl.source;

import java.util.OptionalLong;

/// What belongs to the indices of a sampler, in its order.
///
/// @param what begins its identity
record VisitedItems<T>(String what, Sampler sampler, Sampler.Visit<? extends T> visit) implements RankedSource<T> {

    @Override
    public Cursor<T> open(long epoch, Position from) {
        RankShare.RankCursor<Long> places = sampler.cursor(epoch, from);
        return new Cursor<>() {
            @SuppressWarnings("NullAway.Init") // item() comes after advance()
            private T item;

            @Override
            public boolean advance() throws Exception {
                if (!places.advance()) {
                    return false;
                }
                item = visit.visit(epoch, places.item(), places.isLast());
                return true;
            }

            @Override
            public T item() {
                return item;
            }

            @Override
            public Position position() {
                return places.position();
            }
        };
    }

    @Override
    public OptionalLong size() {
        return sampler.size();
    }

    @Override
    public double passes() {
        return sampler.passes();
    }

    @Override
    public String identity() {
        return what + " " + sampler.identity();
    }

    @Override
    public int rank() {
        return sampler.rank();
    }

    @Override
    public int worldSize() {
        return sampler.worldSize();
    }

    @Override
    public long places() {
        return sampler.places();
    }

    @Override
    public Even even() {
        return sampler.even();
    }
}
