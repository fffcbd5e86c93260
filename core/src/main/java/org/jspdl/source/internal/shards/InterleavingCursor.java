package org.jspdl.source.internal.shards;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspdl.source.Cursor;
import org.jspdl.source.Position;
import org.jspdl.source.RangedSource;
import org.jspdl.source.ShardOrders;
import org.jspdl.source.Source;
import org.jspdl.source.internal.Items;

/// Reads several segments of shards round-robin, one item of each. Where one ends, the next segment replaces it.
///
/// Its state is the number of the next segment, whose turn it is, and the place in each open segment.
final class InterleavingCursor<T> implements AutoCloseable {
    private final List<? extends Source<T>> shards;
    private final ShardSegments segments;
    private final long epoch;
    private final List<Open<T>> open = new ArrayList<>();
    private final ShardOrders.Epoch told;
    private final int ahead;
    /// Segments that come next and are open already, so that what they begin with is on its way.
    private final ArrayDeque<Open<T>> ready = new ArrayDeque<>();
    private int nextSegment;
    private boolean isLastTold;
    private int turn;
    /// What [#ends] tells next.
    private List<long[]> ended = new ArrayList<>();

    /// A segment that is being read.
    private static final class Open<T> {
        final int segment;
        final Cursor<T> cursor;
        long passed;
        Position place;

        Open(int segment, Cursor<T> cursor, long passed, Position place) {
            this.segment = segment;
            this.cursor = cursor;
            this.passed = passed;
            this.place = place;
        }
    }

    /// @param ahead segments that are opened before their turn
    /// @param told  closed with this
    InterleavingCursor(
            List<? extends Source<T>> shards, ShardSegments segments, long epoch, int ahead, ShardOrders.Epoch told) {
        this.ahead = ahead;
        this.told = told;
        this.shards = shards;
        this.segments = segments;
        this.epoch = epoch;
    }

    /// Opens the first segments.
    void begin(int interleave) throws Exception {
        while (open.size() < interleave && nextSegment < segments.count()) {
            open.add(next());
        }
    }

    /// The next segment; those behind it are opened now, too.
    private Open<T> next() throws Exception {
        while (ready.size() <= ahead && nextSegment + ready.size() < segments.count()) {
            ready.add(opened(nextSegment + ready.size()));
        }
        nextSegment++;
        return ready.removeFirst();
    }

    /// Opens what [#state] described.
    void restore(StateText.Reader state) throws Exception {
        nextSegment = state.number(segments.count());
        turn = state.number(Integer.MAX_VALUE);
        int count = state.number(segments.count());
        for (int i = 0; i < count; i++) {
            int segment = state.number(segments.count() - 1);
            long passed = state.longNumber();
            Position place = new Position(state.longNumber(), state.text());
            open.add(new Open<>(segment, opened(segments.get(segment), place), passed, place));
        }
        if (turn >= Math.max(1, count)) {
            throw state.refused();
        }
    }

    void state(StateText.Writer state) {
        state.number(nextSegment).number(turn).number(open.size());
        for (Open<T> each : open) {
            state.number(each.segment)
                    .number(each.passed)
                    .number(each.place.index())
                    .text(each.place.state());
        }
    }

    private Open<T> opened(int segment) throws Exception {
        ShardSegments.Segment part = segments.get(segment);
        if (ahead > 0) {
            Position first = new Position(part.from(), "");
            return new Open<>(segment, opened(part, first), part.from(), first);
        }
        Cursor<T> cursor = shards.get(part.shard()).open(epoch, Position.START);
        try {
            for (long passed = 0; passed < part.from(); passed++) {
                if (!cursor.advance()) {
                    throw new IllegalStateException(
                            "shard " + part.shard() + " has only " + passed + " items, fewer than its size says");
                }
                Items.close(cursor.item());
            }
            return new Open<>(segment, cursor, part.from(), part.from() == 0 ? Position.START : cursor.position());
        } catch (Throwable failure) {
            cursor.close();
            throw failure;
        }
    }

    private Cursor<T> opened(ShardSegments.Segment part, Position from) throws Exception {
        Source<T> shard = shards.get(part.shard());
        return ahead > 0 && shard instanceof RangedSource<T> ranged
                ? ranged.open(epoch, from, part.to())
                : shard.open(epoch, from);
    }

    /// The segments that have ended since this was asked last, before what they say is their end; each with how far
    /// its items went.
    List<long[]> ends() {
        if (ended.isEmpty()) {
            return List.of();
        }
        List<long[]> taken = ended;
        ended = new ArrayList<>();
        return taken;
    }

    boolean advance() throws Exception {
        if (!isLastTold && nextSegment == segments.count()) {
            isLastTold = true;
            told.lastOpened();
        }
        while (!open.isEmpty()) {
            Open<T> now = open.get(turn);
            ShardSegments.Segment segment = segments.get(now.segment);
            if (passOver(now, segment.next(now.passed)) && now.passed < segment.to() && now.cursor.advance()) {
                return true;
            }
            if (now.passed < segment.to()) {
                ended.add(new long[] {now.segment, now.passed});
            }
            now.cursor.close();
            if (nextSegment < segments.count()) {
                open.set(turn, next());
            } else {
                open.remove(turn);
                turn = turn == open.size() ? 0 : turn;
            }
        }
        return false;
    }

    /// Reads on to item `wanted` of a shard; false if the segment ends before.
    private boolean passOver(Open<T> now, long wanted) throws Exception {
        while (now.passed < wanted) {
            if (wanted == Long.MAX_VALUE || !now.cursor.advance()) {
                return false;
            }
            Items.close(now.cursor.item());
            now.place = now.cursor.position();
            now.passed++;
        }
        return true;
    }

    /// The item that [#advance] found; the next one comes from another segment.
    T take() {
        Open<T> now = open.get(turn);
        T item = now.cursor.item();
        now.place = now.cursor.position();
        now.passed++;
        turn = turn + 1 == open.size() ? 0 : turn + 1;
        return item;
    }

    @Override
    public void close() throws IOException {
        IOException first = null;
        told.close();
        open.addAll(ready);
        ready.clear();
        for (Open<T> each : open) {
            try {
                each.cursor.close();
            } catch (IOException failure) {
                if (first == null) {
                    first = failure;
                } else {
                    first.addSuppressed(failure);
                }
            }
        }
        open.clear();
        if (first != null) {
            throw first;
        }
    }
}
