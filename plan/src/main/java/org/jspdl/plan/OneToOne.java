package org.jspdl.plan;

import java.util.List;
import java.util.Optional;

/// Finds the steps that a route of elements cannot have: each element takes its old place, so its way must make one of
/// one, by operations alone.
final class OneToOne {
    private OneToOne() {}

    static void check(PlanPath at, Step.Route route, Calls calls) {
        route.ways().forEach((key, steps) -> check(at.field("when").field(key), steps, calls));
        route.otherwise().ifPresent(steps -> check(at.field("otherwise"), steps, calls));
    }

    private static void check(PlanPath at, List<Step> steps, Calls calls) {
        for (int i = 0; i < steps.size(); i++) {
            PlanPath step = at.item(i);
            offence(steps.get(i), calls.operations())
                    .ifPresent(word -> calls.problems()
                            .add(Problem.name(
                                    step.field(word),
                                    "'" + word
                                            + "' cannot stand in a route of elements, where each makes one of one")));
        }
    }

    private static Optional<String> offence(Step step, Operations operations) {
        return switch (step) {
            case Step.Apply apply ->
                operations
                        .find(apply.call().operation())
                        .filter(operation -> operation.body() instanceof Operation.Body.OfFlatMap
                                || operation.body() instanceof Operation.Body.OfGatherer)
                        .map(Operation::name);
            case Step.Batch _ -> Optional.of(Words.BATCH);
            case Step.Unbatch _ -> Optional.of(Words.UNBATCH);
            case Step.Route route ->
                Optional.of(route.per() == Step.Route.Per.ITEM ? Words.ROUTE : Words.ROUTE_ELEMENTS);
        };
    }
}
