package org.jspdl.pipeline.internal.group;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspdl.pipeline.internal.checkpoint.Node;
import org.jspdl.pipeline.internal.lineage.EmissionLog;
import org.jspdl.pipeline.internal.lineage.LineageNodes;
import org.jspdl.pipeline.internal.link.Disposer;
import org.jspdl.pipeline.internal.link.Envelope;
import org.jspecify.annotations.Nullable;

/// The groups of one stage that an earlier run had partly settled, by epoch: a consumer in one epoch may leave behind
/// groups of the next, of which a filter has dropped a part.
public final class RestoredGroups {
    private final TreeMap<Long, List<RestoredGroup>> byEpoch = new TreeMap<>();
    private final LineageNodes restored;

    private RestoredGroups(LineageNodes restored) {
        this.restored = restored;
    }

    /// The groups of a checkpoint, with the items that they hold.
    ///
    /// @param restored finds the items of the earlier run
    /// @param groups   the numbers of the groups
    public static RestoredGroups of(LineageNodes restored, List<Integer> groups) {
        RestoredGroups regroups = new RestoredGroups(restored);
        groups.forEach(group -> regroups.add(group, null));
        return regroups;
    }

    /// The emissions of a gatherer whose state can be written.
    static RestoredGroups of(List<EmissionLog.Emission> emissions, LineageNodes restored) {
        RestoredGroups regroups = new RestoredGroups(restored);
        emissions.forEach(emission -> regroups.add(emission.restored, emission));
        return regroups;
    }

    private void add(int number, EmissionLog.@Nullable Emission emission) {
        Node.Group group = (Node.Group) restored.table().node(number);
        // A gatherer that emits without input does so again.
        if (emission != null || !group.members().isEmpty()) {
            byEpoch.computeIfAbsent(
                            emission == null ? group.epoch() : emission.before.epoch(), epoch -> new ArrayList<>())
                    .add(new RestoredGroup(group.stage(), group.members(), emission));
        }
    }

    /// The number of an item in the table of the earlier run, for [RestoredGroup#offer].
    int number(Envelope item) {
        return restored.number(item.lineage);
    }

    /// Whether there may be groups that are not formed yet.
    boolean areLeft() {
        return !byEpoch.isEmpty();
    }

    /// The groups of an epoch that are not formed yet; the caller may remove some.
    List<RestoredGroup> of(long epoch) {
        return byEpoch.isEmpty() ? List.of() : byEpoch.getOrDefault(epoch, List.of());
    }

    /// Forgets the groups of an epoch that has ended.
    void end(long epoch) {
        byEpoch.headMap(epoch, true).clear();
    }

    /// Closes the members that have come of groups that are not formed yet.
    void dispose(Disposer disposal) {
        byEpoch.values()
                .forEach(groups -> groups.forEach(group -> group.members().forEach(disposal::dispose)));
    }
}
