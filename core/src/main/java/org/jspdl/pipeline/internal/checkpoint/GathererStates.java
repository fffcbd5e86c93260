package org.jspdl.pipeline.internal.checkpoint;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import org.jspdl.pipeline.internal.checkpoint.RunState.AggregateState;
import org.jspdl.pipeline.internal.checkpoint.RunState.StateAt;
import org.jspdl.pipeline.internal.checkpoint.RunState.Unsettled;

/// What becomes of the states of gatherers when the number of ranks changes.
///
/// A gatherer's state belongs to its rank, and nobody but the gatherer could make one of several. If it is a rest, it
/// comes to its end as at the end of an epoch: one of the new ranks has the gatherer emit it, and all begin anew. That
/// is an emission without members, and such groups of several ranks are told apart by their names.
public final class GathererStates {
    /// Begins a state that is a rest.
    public static final char REST = '~';
    /// Begins what is added to a stage's name in the group of a rest.
    private static final char NUMBER = '\0';

    private GathererStates() {}

    /// The states of all ranks as one, in which nothing is left to go on from.
    ///
    /// @param numbers by rank, the numbers that its nodes have in `nodes`
    static Map<String, AggregateState> together(List<RunState> ranks, List<int[]> numbers, NodeTable nodes) {
        if (ranks.size() == 1) {
            return renumbered(ranks.getFirst().states(), numbers.getFirst());
        }
        long first = ranks.stream().mapToLong(RunState::epoch).min().orElseThrow();
        Map<String, List<Unsettled>> again = new LinkedHashMap<>();
        for (int rank = 0; rank < ranks.size(); rank++) {
            int from = rank;
            renumbered(ranks.get(rank).states(), numbers.get(rank)).forEach((stage, state) -> {
                List<Unsettled> left = again.computeIfAbsent(stage, name -> new ArrayList<>());
                left.addAll(state.again());
                addRest(left, stage, state.goesOn(), from, nodes);
            });
        }
        return begunAnew(again, first);
    }

    private static Map<String, AggregateState> begunAnew(Map<String, List<Unsettled>> again, long first) {
        Map<String, AggregateState> states = new LinkedHashMap<>();
        again.forEach((stage, left) -> {
            if (!left.isEmpty()) {
                states.put(stage, new AggregateState(new StateAt(first, null), left));
            }
        });
        return states;
    }

    private static void addRest(List<Unsettled> left, String stage, StateAt goesOn, int rank, NodeTable nodes) {
        String text = goesOn.text();
        if (text == null) {
            return;
        }
        if (text.indexOf(REST) != 0) {
            throw CheckpointMerge.belongsToRank(stage, rank);
        }
        left.add(new Unsettled(goesOn, nodes.add(apart(new Node.Group(stage, goesOn.epoch(), List.of()), nodes))));
    }

    /// A state that goes on, made to end: for other ranks than the one that it was of.
    static Map<String, AggregateState> ended(RunState state, NodeTable nodes) {
        Map<String, List<Unsettled>> again = new LinkedHashMap<>();
        state.states().forEach((stage, gatherer) -> {
            List<Unsettled> left = again.computeIfAbsent(stage, name -> new ArrayList<>(gatherer.again()));
            addRest(left, stage, gatherer.goesOn(), 0, nodes);
        });
        return begunAnew(again, state.epoch());
    }

    /// A group like `group`, which has no members, that `nodes` do not have.
    static Node.Group apart(Node.Group group, NodeTable nodes) {
        int end = group.stage().indexOf(NUMBER);
        String stage = end < 0 ? group.stage() : group.stage().substring(0, end);
        for (int number = 0; ; number++) {
            Node.Group other = new Node.Group(stage + NUMBER + number, group.epoch(), List.of());
            if (nodes.find(other) == NodeTable.NONE) {
                return other;
            }
        }
    }

    private static Map<String, AggregateState> renumbered(Map<String, AggregateState> states, int[] numbers) {
        Map<String, AggregateState> renumbered = new LinkedHashMap<>();
        states.forEach((stage, state) -> renumbered.put(
                stage,
                new AggregateState(
                        state.goesOn(),
                        state.again().stream()
                                .map(each -> new Unsettled(each.before(), numbers[each.group()]))
                                .toList())));
        return renumbered;
    }

    /// Those emissions that are made again by one rank.
    ///
    /// @param numbers the numbers that its nodes now have
    static Map<String, AggregateState> of(Map<String, AggregateState> states, IntPredicate mine, int[] numbers) {
        Map<String, AggregateState> kept = new LinkedHashMap<>();
        states.forEach((stage, state) -> kept.put(
                stage,
                new AggregateState(
                        state.goesOn(),
                        state.again().stream()
                                .filter(each -> mine.test(each.group()))
                                .toList())));
        return renumbered(kept, numbers);
    }
}
