package org.jspdl.plan;

import java.util.List;
import org.jspdl.plan.internal.PlanError;
import org.jspdl.plan.internal.SourceLocation;

/// Checks that a step has a stage of its own exactly where its kind of operation allows or needs one.
///
/// @param errors where errors are added
record StageCheck(List<PlanError> errors) {

    void check(PlanStep.Apply apply, Operation.Body body) {
        switch (body) {
            case Operation.Body.OfAsync _, Operation.Body.OfFlatMapAsync _ -> {
                if (apply.stage().isEmpty()) {
                    error(apply.call().location(), apply, "needs a stage of its own: add 'async'");
                }
                apply.stage()
                        .filter(stage -> stage.threads() != StageSettings.Threads.ASYNC)
                        .ifPresent(stage -> error(
                                stage.location(),
                                apply,
                                "runs on the threads of its client; write 'async' instead of '"
                                        + stage.threads().keyword() + "'"));
            }
            case Operation.Body.OfSeeded _, Operation.Body.OfFlatMap _ -> {
                if (apply.stage().isEmpty()) {
                    error(apply.call().location(), apply, "needs a stage of its own: add 'cpu', 'io' or 'dedicated'");
                }
                refuseAsync(apply);
            }
            case Operation.Body.OfFilter _ -> refuseStage(apply, "is run by the step before it");
            case Operation.Body.OfGatherer _ -> refuseStage(apply, "has a thread of its own");
            case Operation.Body.OfFunction _, Operation.Body.OfSource _, Operation.Body.OfMergePolicy _ ->
                refuseAsync(apply);
        }
        boolean nameless = body instanceof Operation.Body.OfFilter || body instanceof Operation.Body.OfFunction;
        if (nameless && apply.stage().isEmpty() && apply.name().isPresent()) {
            error(apply.name().get().location(), apply, "is run by the step before it, so it has no name of its own");
        }
    }

    private void refuseAsync(PlanStep.Apply apply) {
        apply.stage()
                .filter(stage -> stage.threads() == StageSettings.Threads.ASYNC)
                .ifPresent(stage -> error(
                        stage.location(), apply, "needs threads; write 'cpu', 'io' or 'dedicated' instead of 'async'"));
    }

    private void refuseStage(PlanStep.Apply apply, String reason) {
        apply.stage()
                .ifPresent(stage -> error(
                        stage.location(),
                        apply,
                        reason + "; remove '" + stage.threads().keyword() + "'"));
    }

    private void error(SourceLocation location, PlanStep.Apply apply, String message) {
        errors.add(new PlanError(location, "'" + apply.call().operation() + "' " + message));
    }
}
