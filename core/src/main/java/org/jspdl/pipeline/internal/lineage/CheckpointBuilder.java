package org.jspdl.pipeline.internal.lineage;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspdl.pipeline.internal.checkpoint.RunState;
import org.jspdl.pipeline.internal.checkpoint.RunState.EpochState;
import org.jspdl.pipeline.internal.checkpoint.RunState.Share;
import org.jspdl.pipeline.internal.checkpoint.RunState.SourceState;
import org.jspdl.source.Position;

/// Turns what the ledger holds into the state that a checkpoint is.
public final class CheckpointBuilder {
    private CheckpointBuilder() {}

    /// Turns what the ledger holds into a state.
    public static RunState of(
            Ledger.Snapshot snapshot,
            List<String> recipe,
            long epoch,
            List<Share> shares,
            Map<String, List<List<String>>> restoredGroups) {
        List<SourceState> sources = new ArrayList<>();
        for (int i = 0; i < snapshot.cursors().size(); i++) {
            sources.add(sourceState(snapshot, i, shares.get(i)));
        }
        Map<String, String> parts = new LinkedHashMap<>(snapshot.settledBefore());
        Map<String, List<List<String>>> groups = new LinkedHashMap<>();
        restoredGroups.forEach((stage, list) -> list.stream()
                .filter(members -> isStillNeeded(members, snapshot))
                .forEach(members ->
                        groups.computeIfAbsent(stage, key -> new ArrayList<>()).add(members)));
        snapshot.partly().forEach((split, settled) -> {
            parts.put(split.key(), settled);
            addGroups(split.parent, snapshot.states().keySet(), groups);
        });
        snapshot.again().forEach(members -> addGroups(members, snapshot.states().keySet(), groups));
        return new RunState(
                recipe, epoch, sources, parts, groups, snapshot.draws(), snapshot.states(), snapshot.budgets());
    }

    private static boolean isStillNeeded(List<String> members, Ledger.Snapshot snapshot) {
        String key = "[" + String.join(",", members) + "]";
        return snapshot.settledBefore().keySet().stream().anyMatch(part -> part.contains(key))
                || snapshot.states().values().stream()
                        .flatMap(state -> state.again().stream())
                        .flatMap(emission -> emission.members().stream())
                        .anyMatch(member -> member.contains(key));
    }

    private static SourceState sourceState(Ledger.Snapshot snapshot, int source, Share share) {
        TreeMap<Long, List<Position>> pending = new TreeMap<>();
        for (Ledger.Place place : snapshot.pending()) {
            if (place.source() == source) {
                pending.computeIfAbsent(place.epoch(), epoch -> new ArrayList<>())
                        .add(place.position());
            }
        }
        TreeMap<Long, EpochState> epochs = new TreeMap<>();
        pending.forEach((epoch, places) -> epochs.put(epoch, new EpochState(epoch, places, false, Position.START)));
        for (Ledger.SourceCursor cursor : snapshot.cursors().get(source)) {
            long epoch = cursor.epoch();
            epochs.put(epoch, new EpochState(epoch, pending.getOrDefault(epoch, List.of()), true, cursor.next()));
        }
        return new SourceState(List.copyOf(epochs.values()), share);
    }

    /// Records the groups that an item was made from, so that they can be formed again. Those of `known` stages are
    /// part of their own states.
    public static void addGroups(Lineage lineage, Set<String> known, Map<String, List<List<String>>> groups) {
        switch (lineage) {
            case Lineage.Group group -> {
                for (Lineage member : group.members) {
                    addGroups(member, known, groups);
                }
                List<String> members = group.memberKeys();
                if (!known.contains(group.stage)
                        && !groups.getOrDefault(group.stage, List.of()).contains(members)) {
                    groups.computeIfAbsent(group.stage, stage -> new ArrayList<>())
                            .add(members);
                }
            }
            case Lineage.Part part -> addGroups(part.split.parent, known, groups);
            case Lineage.Drawn drawn -> addGroups(drawn.item, known, groups);
            case Lineage.Thinned thinned -> addGroups(thinned.batch, known, groups);
            case Lineage.Element element -> addGroups(element.batch.whole(), known, groups);
            case Lineage.Origin _ -> {}
        }
    }
}
