package org.jspdl.pipeline.internal.checkpoint;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspdl.pipeline.internal.checkpoint.RunState.EpochState;
import org.jspdl.pipeline.internal.checkpoint.RunState.Share;
import org.jspdl.pipeline.internal.checkpoint.RunState.SourceState;
import org.jspdl.pipeline.internal.checkpoint.Together.Place;
import org.jspdl.source.ElasticSource;
import org.jspdl.source.ElasticSource.Left;
import org.jspdl.source.Position;

/// What one rank gets of an [ElasticSource] that other ranks have left.
///
/// Places of items that were partly delivered go to a rank as they are; the source shares out the rest.
///
/// @param number the source's number
/// @param left   what all ranks have left
record ElasticShares(int number, ElasticSource<?> source, SourceState left, Together together, int rank) {

    SourceState dealt() {
        long first = Long.MAX_VALUE;
        long last = 0;
        for (List<EpochState> epochs : left.ranks()) {
            first = Math.min(first, epochs.getFirst().epoch());
            last = Math.max(last, epochs.getLast().epoch());
        }
        CheckpointMerge.requireBesideEachOther(first, last);
        Map<Long, List<String>> shares = new TreeMap<>();
        List<EpochState> dealt = new ArrayList<>();
        for (long epoch = first; epoch <= last; epoch++) {
            dealt.add(deal(epoch, shares));
        }
        Share share = Share.of(source);
        return new SourceState(dealt, share, shares, List.of(), left.counts().part(rank, share.worldSize()));
    }

    private EpochState deal(long epoch, Map<Long, List<String>> shares) {
        List<Left> lanes = new ArrayList<>();
        List<Position> apart = new ArrayList<>();
        List<Position> mine = new ArrayList<>();
        boolean isWhole = !left.shares().containsKey(epoch);
        boolean isOver = true;
        for (List<EpochState> epochs : left.ranks()) {
            EpochState of = CheckpointMerge.find(epochs, epoch);
            List<Position> pending = new ArrayList<>();
            for (Position place : of.pending()) {
                int owner = together.owner(new Place(number, epoch, place));
                (owner < 0 ? pending : apart).add(place);
                if (owner == rank) {
                    mine.add(place);
                }
            }
            lanes.add(new Left(pending, of.goesOn() ? of.next() : null));
            isWhole &= of.isWhole();
            isOver &= pending.isEmpty() && !of.goesOn();
        }
        if (isWhole) {
            return EpochState.whole(epoch);
        }
        // places of one share together, so that they are found by reading on
        mine.sort(Comparator.<Position, String>comparing(source::owner).thenComparingLong(Position::index));
        // what ranks that take turns have left out is shared out unless all was delivered
        if (isOver && (apart.isEmpty() || left.shares().containsKey(epoch))) {
            if (left.shares().containsKey(epoch)) {
                shares.put(epoch, left.shares().get(epoch));
            }
            return new EpochState(epoch, mine, false, Position.START);
        }
        shares.put(epoch, share(epoch, lanes, apart));
        return new EpochState(epoch, mine, true, Position.START);
    }

    private List<String> share(long epoch, List<Left> lanes, List<Position> apart) {
        try {
            return source.sharing(left.shares()).share(epoch, lanes, apart);
        } catch (RuntimeException failure) {
            throw failure;
        } catch (Exception failure) {
            throw new IllegalStateException(
                    "what ranks have left of epoch " + epoch + " can't be shared out: " + failure.getMessage(),
                    failure);
        }
    }
}
