package org.jspdl.pipeline.resume;

import java.util.OptionalLong;
import org.jspdl.source.Cursor;
import org.jspdl.source.Position;
import org.jspdl.source.RangedSource;

/// A shard of numbered samples, which knows its size or does not.
record HeldShard(long first, long items, boolean known, Held.Count count) implements RangedSource<Held> {
    @Override
    public boolean isRanged() {
        return known;
    }

    @Override
    public OptionalLong size() {
        return known ? OptionalLong.of(items) : OptionalLong.empty();
    }

    @Override
    public String identity() {
        return "shard from " + first;
    }

    @Override
    public Cursor<Held> open(long epoch, Position from) {
        return open(epoch, from, items);
    }

    @Override
    public Cursor<Held> open(long epoch, Position from, long to) {
        if (from.index() > to || to > items) {
            throw new IllegalArgumentException("items " + from + " to " + to + " of " + items);
        }
        count.shardOpened();
        return new Cursor<>() {
            private long next = from.index();

            @Override
            public boolean advance() {
                return next < to && next++ >= 0;
            }

            @Override
            public Held item() {
                return new Held(first + next - 1, count);
            }

            @Override
            public Position position() {
                return Position.at(next);
            }
        };
    }
}
