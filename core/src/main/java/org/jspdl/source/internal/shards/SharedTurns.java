package org.jspdl.source.internal.shards;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.jspdl.source.Position;

/// What ranks have left of a sequence that all of them read.
///
/// @param index a place of the sequence, before which everything was handed out
/// @param state the state of that place; empty for the beginning
/// @param given items from there on that were handed out nevertheless
record SharedTurns(long index, String state, ItemRuns given) {
    static final SharedTurns ALL = new SharedTurns(0, "", ItemRuns.NONE);
    /// Ranks that are farther apart than this did not run beside each other.
    private static final long MOST_APART = 1_000_000;

    Position position() {
        return new Position(index, state);
    }

    /// The item that `rank` hands out of the round that begins at `round`.
    long item(long round, int rank) {
        long item = given.nextMissing(round);
        for (int i = 0; i < rank; i++) {
            item = given.nextMissing(item + 1);
        }
        return item;
    }

    /// What is left of these after rounds of ranks that now stand at `next`.
    ///
    /// A round that is not full and that no rank handed out is left too, also if all ranks have come to the end.
    ///
    /// @param at      a place before all that is left
    /// @param next    by rank, where its next round begins; negative for a rank that has come to the end
    /// @param pending items that were not handed out
    /// @param end     how many items there are, if a rank has come to the end
    /// @param dropped whether no rank hands out a round that isn't full; only if nothing is [#given]
    SharedTurns after(Position at, long[] next, TreeSet<Long> pending, long end, boolean dropped) {
        long first = Long.MAX_VALUE;
        long last = 0;
        boolean ends = false;
        for (long each : next) {
            first = each < 0 ? first : Math.min(first, each);
            last = Math.max(last, each);
            ends |= each < 0;
        }
        List<Long> bounds = new ArrayList<>();
        if (first == Long.MAX_VALUE) {
            first = dropped ? end - Math.floorMod(end - index, (long) next.length) : end;
        }
        addRange(bounds, at.index(), ends ? Math.min(first, end) : first);
        long round = first;
        while (round < (ends ? end : last)) {
            if (round - first > MOST_APART) {
                throw new IllegalArgumentException("a rank is at item " + first + " of the shards and another"
                        + (ends ? " at their end" : " at item " + last) + ": too far apart to have run together");
            }
            round = addRound(bounds, round, next, ends ? end : Long.MAX_VALUE, dropped);
        }
        ItemRuns gone = ItemRuns.of(bounds).union(given).without(pending);
        return new SharedTurns(at.index(), at.state(), gone.within(at.index(), Long.MAX_VALUE));
    }

    /// Adds what ranks have handed out of the round that begins at `round`; the beginning of the next one.
    private long addRound(List<Long> bounds, long round, long[] next, long end, boolean dropped) {
        long behind = round;
        boolean full = item(round, next.length - 1) < end;
        for (long each : next) {
            long item = given.nextMissing(behind);
            behind = item + 1;
            boolean out = each < 0 ? full || !dropped : round < each;
            if (out && item < end) {
                addRange(bounds, item, item + 1);
            }
        }
        return behind;
    }

    private static void addRange(List<Long> bounds, long from, long to) {
        if (from < to) {
            bounds.add(from);
            bounds.add(to);
        }
    }

    String write() {
        StateText.Writer text = new StateText.Writer().number(index).text(state);
        given.write(text);
        return text.toString();
    }

    static SharedTurns read(StateText.Reader text) {
        return new SharedTurns(text.longNumber(), text.text(), ItemRuns.read(text));
    }
}
