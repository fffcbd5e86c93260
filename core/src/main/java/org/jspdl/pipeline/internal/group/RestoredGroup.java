package org.jspdl.pipeline.internal.group;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspdl.pipeline.internal.lineage.EmissionLog;
import org.jspdl.pipeline.internal.link.Envelope;
import org.jspecify.annotations.Nullable;

/// A group that an earlier run had partly delivered, on its way to being formed again from the same members in the same
/// order.
final class RestoredGroup {
    private final Map<Integer, Integer> missing = new HashMap<>();
    private final @Nullable Envelope[] members;

    /// Of which emission the group is to be made again; null for a batch or a gatherer whose state is always empty
    /// then.
    final EmissionLog.@Nullable Emission emission;

    /// What the group is called: the stage, or more for one of several ranks' rests.
    final String stage;

    /// @param nodes the numbers of its members
    RestoredGroup(String stage, List<Integer> nodes, EmissionLog.@Nullable Emission emission) {
        this.stage = stage;
        this.emission = emission;
        members = new Envelope[nodes.size()];
        for (int i = 0; i < nodes.size(); i++) {
            missing.put(nodes.get(i), i);
        }
    }

    /// Takes an item if it is a member that is still missing.
    ///
    /// @param node the item's number in the table of the earlier run
    boolean offer(int node, Envelope item) {
        Integer index = missing.remove(node);
        if (index == null) {
            return false;
        }
        members[index] = item;
        return true;
    }

    boolean isWhole() {
        return missing.isEmpty();
    }

    /// The members so far, in the group's order.
    List<Envelope> members() {
        return java.util.Arrays.stream(members)
                .filter(java.util.Objects::nonNull)
                .toList();
    }
}
