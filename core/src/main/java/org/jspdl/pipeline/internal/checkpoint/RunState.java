package org.jspdl.pipeline.internal.checkpoint;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspdl.source.ElasticSource;
import org.jspdl.source.Position;
import org.jspdl.source.RankedSource;
import org.jspdl.source.Source;
import org.jspecify.annotations.Nullable;

/// Where a run stands: what a checkpoint holds, as values. [StateJson] writes and reads it.
///
/// @param identity what a run that resumes must have in common with it
/// @param epoch    the epoch whose items the consumer receives
/// @param delivered how many items the consumer has received, with those before it resumed; of several ranks the most
/// @param sources  every source, in the order in which the recipe names them
/// @param nodes    what `parts` and `states` name by number, and all that these are made from
/// @param parts    by division, which of its parts are settled
/// @param draws    every merge with an order of its own, by stage
/// @param states   by stage, every gatherer whose state can be written
/// @param budgets  by stage, calls and failures so far
public record RunState(
        RunIdentity identity,
        long epoch,
        long delivered,
        List<SourceState> sources,
        NodeTable nodes,
        Map<Integer, String> parts,
        Map<String, List<MixState>> draws,
        Map<String, AggregateState> states,
        Map<String, BudgetState> budgets) {

    /// The groups of `stage` that are formed again, by number. Those of a gatherer whose state is written are part
    /// of it.
    public List<Integer> groups(String stage) {
        List<Integer> groups = new ArrayList<>();
        if (!states.containsKey(stage)) {
            nodes.forEachGroup((group, number) -> {
                if (group.stage().equals(stage)) {
                    groups.add(number);
                }
            });
        }
        return groups;
    }

    /// Whether places of a source belong to shares, see [org.jspdl.source.ElasticSource].
    boolean isElastic(int source) {
        return source < sources.size() && sources.get(source).share().isElastic();
    }

    /// The numbers of the nodes that `parts` and `states` name.
    Set<Integer> named() {
        Set<Integer> named = new TreeSet<>(parts.keySet());
        states.values().forEach(state -> state.again().forEach(emission -> named.add(emission.group())));
        return named;
    }

    /// The state of a source: what was admitted and not settled, and where it goes on.
    ///
    /// @param epochs by epoch, the last of which goes on; an epoch that is missing is read from its start
    ///     if it lies after all others, and has nothing left if not
    /// @param share  which share of an order common to several ranks the source is
    /// @param shares what was left of epochs in which the number of ranks has changed, for [ElasticSource#sharing]
    /// @param ranks  what each rank has left, in a combined state of an [ElasticSource]
    /// @param counts how many items are settled; of all ranks in a combined state
    public record SourceState(
            List<EpochState> epochs,
            Share share,
            Map<Long, List<String>> shares,
            List<List<EpochState>> ranks,
            SourceCounts counts) {
        /// A source of which nobody says what was read before.
        public SourceState(List<EpochState> epochs, Share share) {
            this(epochs, share, Map.of(), List.of(), SourceCounts.UNKNOWN);
        }

        /// The last epoch of which something may be settled: those after it are whole.
        public long begun() {
            long begun = epochs.getFirst().epoch() - 1;
            for (EpochState left : epochs) {
                boolean isWhole = left.isWhole() && !shares.containsKey(left.epoch());
                begun = isWhole ? Math.max(begun, left.epoch() - 1) : left.epoch();
            }
            return begun;
        }
    }

    /// What is left of one epoch of a source.
    ///
    /// @param epoch   the epoch
    /// @param pending places of items to read again, in the order in which they were admitted
    /// @param goesOn  whether the epoch goes on after them
    /// @param next    the place where it goes on
    public record EpochState(long epoch, List<Position> pending, boolean goesOn, Position next) {

        public static EpochState whole(long epoch) {
            return new EpochState(epoch, List.of(), true, Position.START);
        }

        /// Whether all of the epoch is left, and none of it was read.
        public boolean isWhole() {
            return pending.isEmpty() && goesOn && next.equals(Position.START);
        }

        /// How many items a source reads again that can only count to where it stood; none if a state finds the
        /// place.
        public long readAgain() {
            Position farthest = goesOn || pending.isEmpty() ? next : pending.getLast();
            return farthest.state().isEmpty() ? farthest.index() : 0;
        }
    }

    /// The draws of a merge in one epoch.
    ///
    /// @param choices for each open draw, the input that it chose; none if that follows from the draw's number
    /// @param text    the state behind the last draw, as the user's function wrote it; null for the state at the
    ///     start of an epoch, and for a merge without one
    public record MixState(
            long epoch,
            long next,
            List<Long> open,
            List<Integer> choices,
            @Nullable String text) {}

    /// A gatherer's state at a place of an epoch.
    ///
    /// @param text what the user's function wrote; null for the state at the start of an epoch
    public record StateAt(long epoch, @Nullable String text) {}

    /// An emission that was not settled when later ones were.
    ///
    /// @param before  the state that it was made from
    /// @param group   the group of its inputs
    public record Unsettled(StateAt before, int group) {}

    /// Where a gatherer goes on, and which emissions before that are to be made again.
    public record AggregateState(StateAt goesOn, List<Unsettled> again) {
        public static AggregateState start(long epoch) {
            return new AggregateState(new StateAt(epoch, null), List.of());
        }
    }

    /// The calls and failures that a failure policy counted.
    public record BudgetState(long calls, long failures) {}

    /// A rank's share of an order common to several ranks.
    ///
    /// @param rank      the rank; [#ALL_RANKS] in a combined state
    /// @param worldSize the number of ranks; 0 for a source that isn't dealt to ranks
    /// @param places    places of the common order in an epoch; [#NO_ORDER] for an [ElasticSource]
    public record Share(int rank, int worldSize, long places) {
        static final int ALL_RANKS = -1;
        static final long NO_ORDER = -1;
        static final Share NONE = new Share(0, 0, 0);

        public static Share of(Source<?> source) {
            return switch (source) {
                case RankedSource<?> ranked -> new Share(ranked.rank(), ranked.worldSize(), ranked.places());
                case ElasticSource<?> elastic -> new Share(elastic.rank(), elastic.worldSize(), NO_ORDER);
                default -> NONE;
            };
        }

        boolean isElastic() {
            return places == NO_ORDER;
        }
    }
}
