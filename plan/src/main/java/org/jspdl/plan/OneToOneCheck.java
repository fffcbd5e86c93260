package org.jspdl.plan;

import java.util.List;
import org.jspdl.plan.internal.PlanError;
import org.jspdl.plan.internal.PlanKeywords;
import org.jspdl.plan.internal.SourceLocation;

/// Finds the steps that a route of elements cannot have: each element keeps its position, so its branch must make one
/// element of each, with operations alone.
///
/// @param errors where errors are added
record OneToOneCheck(Operations operations, List<PlanError> errors) {

    void check(PlanStep.Route route) {
        route.branches().forEach(branch -> branch.steps().forEach(this::check));
    }

    private void check(PlanStep step) {
        switch (step) {
            case PlanStep.Apply apply -> {
                if (operations
                        .find(apply.call().operation())
                        .filter(operation -> operation.body() instanceof Operation.Body.OfFlatMap
                                || operation.body() instanceof Operation.Body.OfFlatMapAsync
                                || operation.body() instanceof Operation.Body.OfGatherer)
                        .isPresent()) {
                    refuse(apply.call().location(), apply.call().operation());
                }
            }
            case PlanStep.Batch batch -> refuse(batch.location(), PlanKeywords.BATCH);
            case PlanStep.Unbatch unbatch -> refuse(unbatch.location(), PlanKeywords.UNBATCH);
            case PlanStep.Route route -> refuse(route.location(), route.keyword());
            case PlanStep.Unread _ -> {}
        }
    }

    private void refuse(SourceLocation location, String name) {
        errors.add(new PlanError(
                location, "'" + name + "' cannot be in a route of elements, where each step makes one of one"));
    }
}
