package org.jspdl.plan;

import java.util.ArrayList;
import java.util.List;

/// A pipeline as data: what is loaded, by which named operations, and how it is run. Immutable, and equal by value.
///
/// ```java
/// Plan plan = Plan.of(document);                       // or built from its records
/// try (CompiledPlan loading = plan.compile(Operations.installed(), PlanContext.in(folder));
///         Run<?> run = loading.start()) {
///     for (Object item : run) use(item);
/// }
/// ```
///
/// @param name what threads, statistics and errors call it
/// @param sink how many finished items may wait for the consumer
public record Plan(String name, Flow flow, int sink, Running running) {
    /// How many finished items may wait for the consumer if nothing is said.
    public static final int DEFAULT_SINK = 3;

    /// Checks the name and the sink.
    public Plan {
        if (name.isBlank()) {
            throw new IllegalArgumentException("a plan's name must not be blank");
        }
        Stage.require("sink", sink, Stage.MOST_WAITING);
    }

    /// The plan that `document` describes; its operations are not looked up yet.
    ///
    /// @throws PlanException that names everything which is no part of a plan
    public static Plan of(PlanNode document) {
        PlanReader reader = new PlanReader();
        Plan plan = reader.plan(document);
        if (!reader.problems().isEmpty()) {
            throw new PlanException(reader.problems());
        }
        return plan;
    }

    /// The plan that `document` describes, also checked against `operations`, so that all problems are named at
    /// once.
    ///
    /// @throws PlanException that names every problem
    public static Plan checked(PlanNode document, Operations operations) {
        PlanReader reader = new PlanReader();
        Plan plan = reader.plan(document);
        List<Problem> problems = new ArrayList<>(reader.problems());
        new Checker(operations, problems).plan(plan);
        if (!problems.isEmpty()) {
            throw new PlanException(problems);
        }
        return plan;
    }

    /// Everything that is wrong with this plan's use of `operations`; nothing is opened or started.
    public List<Problem> check(Operations operations) {
        List<Problem> problems = new ArrayList<>();
        new Checker(operations, problems).plan(this);
        return List.copyOf(problems);
    }

    /// Makes the pipeline. Sources are opened as far as their operations do so, but no item is read.
    ///
    /// @return owned by the caller, who closes it after its runs
    /// @throws PlanException that names every problem
    public CompiledPlan compile(Operations operations, PlanContext context) {
        List<Problem> problems = new ArrayList<>();
        Checker.Checked checked = new Checker(operations, problems).plan(this);
        if (!problems.isEmpty()) {
            throw new PlanException(problems);
        }
        return CompiledPlan.of(this, operations, checked, context);
    }

    /// The document that describes this plan: `Plan.of(plan.document())` equals `plan`.
    public PlanNode document() {
        return PlanWriter.document(this);
    }
}
