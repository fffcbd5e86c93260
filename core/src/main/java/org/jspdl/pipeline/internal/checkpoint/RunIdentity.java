package org.jspdl.pipeline.internal.checkpoint;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspdl.pipeline.ProvenanceChange;

/// What a checkpoint and a run that resumes from it must have in common.
///
/// @param seed       the key of all randomness in seeded stages
/// @param recipe     the recipe's fingerprint, a line for each step
/// @param provenance what the caller says of where items come from, by key
/// @param changes    where an earlier resume differed in it, oldest first
public record RunIdentity(
        long seed, List<String> recipe, Map<String, String> provenance, List<ProvenanceChange> changes) {
    /// The most changes that are kept, the latest.
    public static final int MOST_CHANGES = 100;
    /// The entry of the provenance that has a run's changes of weights: part of where the run stands, so another
    /// value is no change of provenance.
    public static final String LIVE_WEIGHTS = "weights of the live mix";

    public RunIdentity {
        changes = List.copyOf(changes.subList(Math.max(0, changes.size() - MOST_CHANGES), changes.size()));
    }

    /// This one with what another added to its changes.
    public RunIdentity with(List<ProvenanceChange> more) {
        List<ProvenanceChange> all = new ArrayList<>(changes);
        all.addAll(more);
        return new RunIdentity(seed, recipe, provenance, all);
    }

    /// Refuses a run whose seed or recipe is another.
    ///
    /// @param now  the identity of the run that is to go on
    /// @param what names the run in messages
    /// @throws IllegalArgumentException if they differ
    public void requireSame(RunIdentity now, String what) {
        if (!recipe.equals(now.recipe)) {
            throw new IllegalArgumentException(
                    what + " because the recipe has changed: " + RecipeDifference.between(recipe, now.recipe));
        }
        if (seed != now.seed) {
            throw new IllegalArgumentException(what + " because the seed has changed: it was " + seed + " and is "
                    + now.seed + "; give RunOptions.seed(" + seed + ")");
        }
    }

    /// Refuses ranks that have gone through other changes of weights.
    ///
    /// @param what names the ranks in messages
    void requireSameWeights(RunIdentity other, String what) {
        String one = provenance.getOrDefault(LIVE_WEIGHTS, "");
        String two = other.provenance.getOrDefault(LIVE_WEIGHTS, "");
        if (!one.equals(two)) {
            throw new IllegalArgumentException(what + " because the ranks have gone through other changes of weights,"
                    + " [step epoch item weight...]: '" + one + "' and '" + two + "'");
        }
    }

    /// Where the provenance of `now` differs from this one, as of `epoch`.
    public List<ProvenanceChange> changesTo(RunIdentity now, long epoch) {
        List<ProvenanceChange> differences = new ArrayList<>();
        Map<String, String> all = new LinkedHashMap<>(provenance);
        all.putAll(now.provenance);
        for (String key : new TreeSet<>(all.keySet())) {
            String was = provenance.getOrDefault(key, "");
            String is = now.provenance.getOrDefault(key, "");
            if (!was.equals(is) && !key.equals(LIVE_WEIGHTS)) {
                differences.add(new ProvenanceChange(epoch, key, was, is));
            }
        }
        return differences;
    }
}
