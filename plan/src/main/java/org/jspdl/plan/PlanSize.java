package org.jspdl.plan;

import java.util.Iterator;
import java.util.List;
import java.util.OptionalLong;
import org.jspdl.pipeline.MixEnd;
import org.jspdl.pipeline.Remainder;

/// How many items a flow delivers in an epoch, as far as that follows from the sizes of its sources.
///
/// @param sizes those of all sources, in the order in which the plan names them
record PlanSize(Operations operations, Iterator<OptionalLong> sizes) {

    /// The number, if no failure is skipped; empty if a step may drop, multiply or regroup items by their content.
    OptionalLong of(Flow flow) {
        OptionalLong size = start(flow.start());
        for (Step step : flow.steps()) {
            size = size.isPresent() ? after(step, size.getAsLong()) : size;
        }
        return size;
    }

    private OptionalLong start(Flow.Start start) {
        return switch (start) {
            case Flow.Start.From _ -> sizes.next();
            case Flow.Start.Merge(List<Flow> of) -> sum(of);
            case Flow.Start.RoundRobin inTurn -> allOf(inTurn.end(), sum(inTurn.of()));
            case Flow.Start.Mix mix -> allOf(mix.end(), sum(mix.of()));
        };
    }

    private static OptionalLong allOf(MixEnd end, OptionalLong sum) {
        return end == MixEnd.FIRST_EXHAUSTED ? OptionalLong.empty() : sum;
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

    private OptionalLong after(Step step, long items) {
        return switch (step) {
            case Step.Apply apply -> isOneToOne(apply) ? OptionalLong.of(items) : OptionalLong.empty();
            case Step.Batch(int size, Remainder remainder, var flushAfter) ->
                flushAfter.isPresent()
                        ? OptionalLong.empty()
                        : OptionalLong.of(
                                remainder == Remainder.KEEP_REMAINDER ? Math.ceilDiv(items, size) : items / size);
            case Step.Unbatch _ -> OptionalLong.empty();
            case Step.Route route -> route(route, items);
        };
    }

    private boolean isOneToOne(Step.Apply apply) {
        return operations
                .find(apply.call().operation())
                .filter(operation -> operation.body() instanceof Operation.Body.OfFunction
                        || operation.body() instanceof Operation.Body.OfSeeded)
                .isPresent();
    }

    private OptionalLong route(Step.Route route, long items) {
        boolean oneToOne = route.ways().values().stream().allMatch(this::isOneToOne)
                && route.otherwise().map(this::isOneToOne).orElse(true);
        return oneToOne || route.per() == Step.Route.Per.ELEMENT ? OptionalLong.of(items) : OptionalLong.empty();
    }

    private boolean isOneToOne(List<Step> steps) {
        return steps.stream().allMatch(step -> step instanceof Step.Apply apply && isOneToOne(apply));
    }
}
