package org.jspdl.source.internal.shards;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongUnaryOperator;
import org.jspdl.source.Position;

/// Which items a window holds, and where the shards stood behind it, computed from the state of a place without
/// reading: what an [InterleavingCursor] did there is done again with numbers alone.
final class WindowItems {
    private final ShardSegments segments;
    private final List<Item> open = new ArrayList<>();
    private final Map<Integer, Long> ends = new HashMap<>();
    private final List<Item> items = new ArrayList<>();
    private final LongUnaryOperator order;
    private final long first;
    private int nextSegment;
    private int turn;

    /// An item, or where a segment stands: at its item `number`, counted in its shard.
    record Item(int segment, long number) {}

    private WindowItems(Position place, ShardSegments segments, ShardMix mix, long epoch) {
        this.segments = segments;
        StateText.Reader text = new StateText.Reader(place.state(), "a stream of shards");
        Lane.read(text);
        long window = text.longNumber();
        this.first = text.longNumber();
        nextSegment = text.number(segments.count());
        turn = text.number(Integer.MAX_VALUE);
        for (int left = text.number(segments.count()); left > 0; left--) {
            open.add(new Item(text.number(segments.count() - 1), text.longNumber()));
            text.longNumber();
            text.text();
        }
        int count = text.number(WindowCursor.size(mix));
        for (int left = text.number(segments.count()); left > 0; left--) {
            ends.put(text.number(segments.count() - 1), text.longNumber());
        }
        if (turn >= Math.max(1, open.size())) {
            throw text.refused();
        }
        for (int i = 0; i < count; i++) {
            if (!advance()) {
                throw text.refused();
            }
        }
        this.order = WindowCursor.order(mix, epoch, window, count);
    }

    /// The window of `place`, which has a state.
    static WindowItems of(Position place, ShardSegments segments, ShardMix mix, long epoch) {
        return new WindowItems(place, segments, mix, epoch);
    }

    private boolean advance() {
        while (!open.isEmpty()) {
            Item now = open.get(turn);
            ShardSegments.Segment segment = segments.get(now.segment);
            long number = segment.next(now.number);
            if (number < Math.min(segment.to(), ends.getOrDefault(now.segment, Long.MAX_VALUE))) {
                items.add(new Item(now.segment, number));
                open.set(turn, new Item(now.segment, number + 1));
                turn = turn + 1 == open.size() ? 0 : turn + 1;
                return true;
            }
            if (nextSegment < segments.count()) {
                open.set(turn, new Item(nextSegment, segments.get(nextSegment++).from()));
            } else {
                open.remove(turn);
                turn = turn == open.size() ? 0 : turn;
            }
        }
        return false;
    }

    /// The items of the window that a cursor at `place` hands out.
    List<Item> from(Position place) {
        List<Item> left = new ArrayList<>();
        for (int next = next(place); next < items.size(); next++) {
            left.add(items.get((int) order.applyAsLong(next)));
        }
        return left;
    }

    /// The item that a cursor at `place` hands out first.
    Item at(Position place) {
        int next = next(place);
        if (next == items.size()) {
            throw new IllegalArgumentException("no item of a stream of shards is at " + place);
        }
        return items.get((int) order.applyAsLong(next));
    }

    private int next(Position place) {
        long next = place.index() - first;
        if (next < 0 || next > items.size()) {
            throw new IllegalArgumentException(
                    place + " is not a place of a window of " + items.size() + " items of shards");
        }
        return (int) next;
    }

    /// Segments that are open behind the window, each with its next item.
    List<Item> open() {
        return open;
    }

    /// The first segment that is not open yet.
    int nextSegment() {
        return nextSegment;
    }
}
