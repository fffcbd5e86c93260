package org.jspdl.pipeline;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspdl.pipeline.internal.checkpoint.CheckpointAdvance;
import org.jspdl.pipeline.internal.checkpoint.CheckpointMerge;
import org.jspdl.pipeline.internal.checkpoint.CheckpointRewind;
import org.jspdl.pipeline.internal.checkpoint.StateJson;

/// Where a run stood as of a ticket, to be resumed from by [RunOptions#resumeFrom]. Immutable; its JSON is small and
/// safe to keep, and ends with a checksum: a text of which any character was altered is refused when a run starts from
/// it.
///
/// A run resumed from it delivers exactly what the first had not delivered, whatever its concurrency. The recipe must
/// be the same in its source, structure, names and batch sizes, and the seed must be the same. Another recipe, seed or
/// format is refused by name. What is asked of a text that is no checkpoint throws an `IllegalArgumentException`.
public final class Checkpoint {
    private final String json;

    private Checkpoint(String json) {
        this.json = json;
    }

    /// Reads what [#toJson] wrote. What is wrong with it, if anything, is said when a run starts from it.
    public static Checkpoint parse(String json) {
        return new Checkpoint(Objects.requireNonNull(json, "json"));
    }

    /// The state of all ranks together, from which any number of ranks can resume.
    ///
    /// The samples that are left are dealt anew in the order common to all ranks; those of a stream of shards so
    /// that each rank reads as few shards as can be. In the epoch that is resumed one rank may get a sample more
    /// than another, because none is dropped, unless a sampler fills up ([org.jspdl.source.Even#REPEAT]); or a few
    /// if groups of samples were partly delivered, which stay together. What a gatherer with a saved state holds is
    /// emitted by one of the ranks, as at the end of an epoch.
    ///
    /// @param ranks the checkpoint of every rank, in any order
    public static Checkpoint combine(List<Checkpoint> ranks) {
        return new Checkpoint(
                CheckpointMerge.combine(ranks.stream().map(Checkpoint::toJson).toList()));
    }

    /// The start of epoch `epoch` of the same recipe, for this or any number of ranks: nothing is in flight, and
    /// failures that were counted stay counted.
    ///
    /// @throws IllegalArgumentException if `epoch` is negative, or this is no checkpoint
    public Checkpoint startOfEpoch(long epoch) {
        return new Checkpoint(CheckpointRewind.startOfEpoch(json, epoch));
    }

    /// Where a run stands that has delivered since what was made of `places`, all of `epoch`, and `delivered` items
    /// in all, of one sampler whose items are not gathered, divided or mixed. What it has dropped is read again.
    public Checkpoint delivering(long epoch, List<Long> places, long delivered) {
        return new Checkpoint(CheckpointAdvance.delivering(json, epoch, places, delivered));
    }

    /// What the run said of where its items come from, by key.
    public Map<String, String> provenance() {
        return Map.copyOf(StateJson.read(json).identity().provenance());
    }

    /// Where a run had another [provenance][#provenance()] than the checkpoint that it resumed from, oldest first;
    /// the last 100 of them.
    public List<ProvenanceChange> provenanceChanges() {
        return StateJson.read(json).identity().changes();
    }

    /// How many items the run had delivered, those before it resumed among them; of several ranks that were
    /// combined, the most. [#startOfEpoch] does not change it.
    public long delivered() {
        return StateJson.read(json).delivered();
    }

    /// The checkpoint as JSON.
    public String toJson() {
        return json;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Checkpoint checkpoint && checkpoint.json.equals(json);
    }

    @Override
    public int hashCode() {
        return json.hashCode();
    }

    @Override
    public String toString() {
        return json;
    }
}
