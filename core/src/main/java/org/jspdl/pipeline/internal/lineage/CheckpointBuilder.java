package org.jspdl.pipeline.internal.lineage;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspdl.pipeline.internal.checkpoint.NodeTable;
import org.jspdl.pipeline.internal.checkpoint.RunIdentity;
import org.jspdl.pipeline.internal.checkpoint.RunState;
import org.jspdl.pipeline.internal.checkpoint.RunState.AggregateState;
import org.jspdl.pipeline.internal.checkpoint.RunState.EpochState;
import org.jspdl.pipeline.internal.checkpoint.RunState.MixState;
import org.jspdl.pipeline.internal.checkpoint.RunState.Share;
import org.jspdl.pipeline.internal.checkpoint.RunState.SourceState;
import org.jspdl.pipeline.internal.checkpoint.RunState.StateAt;
import org.jspdl.pipeline.internal.checkpoint.RunState.Unsettled;
import org.jspdl.source.Position;

/// Turns what the ledger holds into the state that a checkpoint is.
public final class CheckpointBuilder {
    private CheckpointBuilder() {}

    /// Turns what the ledger holds into a state.
    ///
    /// What the ledger holds of epochs before `epoch` was left by the consumer, and is not part of the state. Nor
    /// is what was only read ahead of epochs of which nothing is settled: they begin anew, so that a checkpoint
    /// does not depend on how far a run happened to read.
    ///
    /// @param delivered how many items the consumer has received
    /// @param shared   by source, what ranks have left of epochs in which their number has changed
    /// @param restored what an earlier run had made its items from, which the snapshot names by number
    public static RunState of(
            Ledger.Snapshot snapshot,
            RunIdentity identity,
            long epoch,
            long delivered,
            List<Share> shares,
            List<Map<Long, List<String>>> shared,
            NodeTable restored) {
        long end = Math.max(epoch, snapshot.begun() + 1);
        List<SourceState> sources = new ArrayList<>();
        for (int i = 0; i < snapshot.cursors().size(); i++) {
            sources.add(sourceState(snapshot, i, epoch, end, shares.get(i), shared.get(i)));
        }
        NodeTable nodes = new NodeTable();
        Set<Integer> named = new TreeSet<>(snapshot.settledBefore().keySet());
        snapshot.states()
                .values()
                .forEach(left -> left.again().stream()
                        .map(emission -> emission.restored)
                        .filter(number -> number != NodeTable.NONE)
                        .forEach(named::add));
        long[] epochs = restored.epochs();
        named.removeIf(number -> epochs[number] < epoch);
        int[] numbers = nodes.addAll(restored, restored.reachable(named), leaf -> leaf);
        LineageNodes lineages = LineageNodes.adding(nodes);
        Map<Integer, String> parts = new TreeMap<>();
        snapshot.settledBefore().forEach((split, settled) -> {
            if (named.contains(split)) {
                parts.put(numbers[split], settled);
            }
        });
        snapshot.partly().forEach((split, settled) -> {
            if (split.parent.first().epoch >= epoch) {
                parts.put(lineages.number(split), settled);
            }
        });
        Map<String, List<MixState>> draws = new TreeMap<>();
        snapshot.draws()
                .forEach((stage, states) -> draws.put(
                        stage,
                        states.stream()
                                .filter(state -> state.epoch() >= epoch && state.epoch() < end)
                                .toList()));
        Map<String, AggregateState> states = new TreeMap<>();
        snapshot.states()
                .forEach((stage, left) -> states.put(stage, state(left, epoch, end, named, numbers, lineages)));
        return new RunState(identity, epoch, delivered, sources, nodes, parts, draws, states, snapshot.budgets());
    }

    private static AggregateState state(
            EmissionLog.Left left, long epoch, long end, Set<Integer> named, int[] numbers, LineageNodes lineages) {
        if (left.goesOn().epoch() < epoch) {
            return AggregateState.start(epoch);
        }
        List<Unsettled> again = new ArrayList<>();
        for (EmissionLog.Emission emission : left.again()) {
            if (emission.members == null && named.contains(emission.restored)) {
                again.add(new Unsettled(emission.before, numbers[emission.restored]));
            } else if (emission.members != null && emission.before.epoch() >= epoch) {
                again.add(new Unsettled(emission.before, lineages.number(emission.members)));
            }
        }
        again.removeIf(emission -> emission.before().epoch() >= end);
        return left.goesOn().epoch() < end
                ? new AggregateState(left.goesOn(), again)
                : new AggregateState(new StateAt(end, null), again);
    }

    private static SourceState sourceState(
            Ledger.Snapshot snapshot, int source, long first, long end, Share share, Map<Long, List<String>> shared) {
        TreeMap<Long, List<Position>> pending = new TreeMap<>();
        for (Ledger.Place place : snapshot.pending()) {
            if (place.source() == source && place.epoch() >= first && place.epoch() < end) {
                pending.computeIfAbsent(place.epoch(), epoch -> new ArrayList<>())
                        .add(place.position());
            }
        }
        TreeMap<Long, EpochState> epochs = new TreeMap<>();
        pending.forEach((epoch, places) -> epochs.put(epoch, new EpochState(epoch, places, false, Position.START)));
        for (Ledger.SourceCursor cursor : snapshot.cursors().get(source)) {
            long epoch = cursor.epoch();
            if (epoch >= first && epoch < end) {
                epochs.put(epoch, new EpochState(epoch, pending.getOrDefault(epoch, List.of()), true, cursor.next()));
            }
        }
        if (epochs.isEmpty() || snapshot.cursors().get(source).getFirst().epoch() >= end) {
            epochs.put(end, EpochState.whole(end));
        }
        Map<Long, List<String>> left = new TreeMap<>(shared);
        left.keySet().removeIf(epoch -> epoch < first);
        return new SourceState(
                List.copyOf(epochs.values()),
                share,
                left,
                List.of(),
                snapshot.counts().get(source));
    }
}
