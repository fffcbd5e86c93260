package org.jspdl.pipeline.internal.checkpoint;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspdl.pipeline.internal.checkpoint.RunState.AggregateState;
import org.jspdl.pipeline.internal.checkpoint.RunState.EpochState;
import org.jspdl.pipeline.internal.checkpoint.RunState.Share;
import org.jspdl.pipeline.internal.checkpoint.RunState.SourceState;
import org.jspdl.source.Position;

/// Moves a checkpoint to the start of an epoch.
public final class CheckpointRewind {
    private CheckpointRewind() {}

    /// The checkpoint `json` at the start of `epoch`, as JSON.
    public static String startOfEpoch(String json, long epoch) {
        if (epoch < 0) {
            throw new IllegalArgumentException("epoch must not be negative but was " + epoch);
        }
        RunState state = StateJson.read(json);
        EpochState start = EpochState.whole(epoch);
        List<SourceState> sources = state.sources().stream()
                .map(source -> begun(start, source.share()))
                .toList();
        Map<String, AggregateState> states = new LinkedHashMap<>();
        state.states().keySet().forEach(stage -> states.put(stage, AggregateState.start(epoch)));
        return StateJson.write(new RunState(
                state.identity(),
                epoch,
                state.delivered(),
                sources,
                new NodeTable(),
                Map.of(),
                Map.of(),
                states,
                state.budgets()));
    }

    /// A source of which nobody has anything yet, for any number of ranks.
    private static SourceState begun(EpochState start, Share share) {
        return share.worldSize() == 0
                ? new SourceState(List.of(start), share)
                : new SourceState(
                        List.of(start),
                        new Share(Share.ALL_RANKS, 1, share.places()),
                        Map.of(),
                        share.isElastic() ? List.of(List.of(start)) : List.of(),
                        SourceCounts.UNKNOWN);
    }
}
