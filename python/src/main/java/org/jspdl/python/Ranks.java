package org.jspdl.python;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import org.jspdl.plan.Call;
import org.jspdl.plan.Flow;
import org.jspdl.plan.Operation;
import org.jspdl.plan.Operations;
import org.jspdl.plan.Parameter;
import org.jspdl.plan.Plan;
import org.jspdl.plan.PlanNode;

/// Deals a plan to ranks: every source that takes `rank` and `world-size`, and says neither, is given them.
///
/// Used once, by one thread.
final class Ranks {
    private static final String RANK = "rank";
    private static final String WORLD_SIZE = "world-size";

    private final Operations operations;
    private final int rank;
    private final int worldSize;
    private boolean dealt;

    /// @param operations where sources are looked up
    Ranks(Operations operations, int rank, int worldSize) {
        this.operations = operations;
        this.rank = rank;
        this.worldSize = worldSize;
    }

    /// The plan for this rank.
    ///
    /// @throws IllegalArgumentException if there are several ranks, and every one of them would load everything
    Plan deal(Plan plan) {
        if (worldSize == 1) {
            return plan;
        }
        Plan mine = new Plan(plan.name(), deal(plan.flow()), plan.sink(), plan.running());
        if (!dealt) {
            throw new IllegalArgumentException("this is rank " + rank + " of " + worldSize
                    + ", but the plan has no source that takes 'rank' and 'world-size': every rank would load"
                    + " everything. If that is meant, give rank=0 and world_size=1");
        }
        return mine;
    }

    private Flow deal(Flow flow) {
        Flow.Start start = switch (flow.start()) {
            case Flow.Start.From(Call call) -> new Flow.Start.From(deal(call));
            case Flow.Start.Merge(List<Flow> of) -> new Flow.Start.Merge(deal(of));
            case Flow.Start.RoundRobin(var end, List<Flow> of) -> new Flow.Start.RoundRobin(end, deal(of));
            case Flow.Start.Mix(long seed, var weights, var end, List<Flow> of) ->
                new Flow.Start.Mix(seed, weights, end, deal(of));
        };
        return new Flow(start, flow.steps());
    }

    private List<Flow> deal(List<Flow> flows) {
        return flows.stream().map(this::deal).toList();
    }

    private Call deal(Call call) {
        SequencedMap<String, PlanNode> given = call.parameters().fields();
        boolean says = given.containsKey(RANK) || given.containsKey(WORLD_SIZE);
        boolean takes = takesRanks(call.operation());
        dealt |= says || takes;
        if (says || !takes) {
            return call;
        }
        SequencedMap<String, PlanNode> more = new LinkedHashMap<>(given);
        more.put(RANK, new PlanNode.Whole(rank));
        more.put(WORLD_SIZE, new PlanNode.Whole(worldSize));
        return new Call(call.operation(), new PlanNode.Fields(more));
    }

    private boolean takesRanks(String name) {
        List<String> parameters = operations.find(name).map(Operation::parameters).orElse(List.of()).stream()
                .map(Parameter::name)
                .toList();
        return parameters.contains(RANK) && parameters.contains(WORLD_SIZE);
    }
}
