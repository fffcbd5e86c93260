package org.jspdl.plan;

import java.util.Iterator;
import java.util.List;
import java.util.OptionalLong;
import org.jspdl.pipeline.Remainder;
import org.jspdl.pipeline.StoppingStrategy;

/// How many items a flow delivers in an epoch, as far as that follows from the sizes of its sources.
///
/// @param sizes those of all sources, in the order in which the plan names them
record PlanSize(Operations operations, Iterator<OptionalLong> sizes) {

    /// The number, if no failure is skipped; empty if a step may drop, multiply or regroup items by their content.
    OptionalLong of(Flow flow) {
        OptionalLong size = start(flow.start());
        for (PlanStep step : flow.steps()) {
            size = size.isPresent() ? after(step, size.getAsLong()) : size;
        }
        return size;
    }

    private OptionalLong start(Flow.Start start) {
        return switch (start) {
            case Flow.Start.From _ -> sizes.next();
            case Flow.Start.Unread _ -> OptionalLong.empty();
            case Flow.Start.Merge(var _, var by, List<Flow> of) -> {
                OptionalLong sum = sum(of);
                yield by.isPresent() ? OptionalLong.empty() : sum;
            }
            case Flow.Start.RoundRobin inTurn -> allOf(inTurn.end(), sum(inTurn.of()));
            case Flow.Start.Mix mix -> allOf(mix.end(), sum(mix.of()));
        };
    }

    private static OptionalLong allOf(StoppingStrategy end, OptionalLong sum) {
        return end == StoppingStrategy.FIRST_EXHAUSTED ? OptionalLong.empty() : sum;
    }

    private OptionalLong sum(List<Flow> flows) {
        long sum = 0;
        boolean known = true;
        for (Flow flow : flows) {
            OptionalLong size = of(flow);
            known &= size.isPresent();
            sum += size.orElse(0);
        }
        return known ? OptionalLong.of(sum) : OptionalLong.empty();
    }

    private OptionalLong after(PlanStep step, long items) {
        return switch (step) {
            case PlanStep.Apply apply -> isOneToOne(apply) ? OptionalLong.of(items) : OptionalLong.empty();
            case PlanStep.Batch(var _, int size, Remainder remainder, var flushAfter) ->
                flushAfter.isPresent()
                        ? OptionalLong.empty()
                        : OptionalLong.of(remainder == Remainder.KEEP ? Math.ceilDiv(items, size) : items / size);
            case PlanStep.Unread _, PlanStep.Unbatch _ -> OptionalLong.empty();
            case PlanStep.Route route -> route(route, items);
        };
    }

    private boolean isOneToOne(PlanStep.Apply apply) {
        return operations
                .find(apply.call().operation())
                .filter(operation -> operation.body() instanceof Operation.Body.OfFunction
                        || operation.body() instanceof Operation.Body.OfSeeded)
                .isPresent();
    }

    private OptionalLong route(PlanStep.Route route, long items) {
        boolean oneToOne = route.branches().stream().allMatch(branch -> isOneToOne(branch.steps()));
        return oneToOne || route.per() == PlanStep.Route.Per.ELEMENT ? OptionalLong.of(items) : OptionalLong.empty();
    }

    private boolean isOneToOne(List<PlanStep> steps) {
        return steps.stream().allMatch(step -> step instanceof PlanStep.Apply apply && isOneToOne(apply));
    }
}
