package org.jspdl.pipeline.internal.group;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspdl.pipeline.internal.lineage.EmissionLog;
import org.jspdl.pipeline.internal.link.Disposer;

/// The groups of one stage that an earlier run had partly settled, by epoch: a consumer in one epoch may leave behind
/// groups of the next, of which a filter has dropped a part.
final class RestoredGroups {
    /// The key of a group begins with that of a source item, `source:epoch:index`, or of an emission without any.
    private static final Pattern EPOCH = Pattern.compile("\\[*(?:\\d+|-):(\\d{1,18}):.*", Pattern.DOTALL);

    private final TreeMap<Long, List<RestoredGroup>> byEpoch = new TreeMap<>();

    /// @param groups the keys of each group's members
    RestoredGroups(List<List<String>> groups) {
        for (List<String> keys : groups) {
            if (keys.isEmpty()) {
                continue; // a gatherer that emits without input does so again
            }
            byEpoch.computeIfAbsent(epoch(keys), epoch -> new ArrayList<>()).add(new RestoredGroup(keys, null));
        }
    }

    /// The emissions of a gatherer whose state can be written.
    static RestoredGroups of(List<EmissionLog.Emission> emissions) {
        RestoredGroups regroups = new RestoredGroups(List.of());
        for (EmissionLog.Emission emission : emissions) {
            regroups.byEpoch
                    .computeIfAbsent(emission.before.epoch(), epoch -> new ArrayList<>())
                    .add(new RestoredGroup(emission.keys(), emission));
        }
        return regroups;
    }

    private static long epoch(List<String> keys) {
        Matcher matcher = EPOCH.matcher(keys.getFirst());
        if (!matcher.matches()) {
            throw new IllegalArgumentException("not a checkpoint: a group can't have the members " + keys);
        }
        return Long.parseLong(matcher.group(1));
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
