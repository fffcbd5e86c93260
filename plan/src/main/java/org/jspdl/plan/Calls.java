package org.jspdl.plan;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Looks up what a plan calls, and reads what it gives.
///
/// @param problems where problems are added
record Calls(Operations operations, List<Problem> problems) {

    /// An operation with the value of each of its parameters, as far as they could be read.
    record Use(Operation operation, Map<Parameter<?>, Object> values) {}

    /// What `call` uses; empty if there is no such operation.
    Optional<Use> find(PlanPath at, Call call) {
        Optional<Operation> operation = operations.find(call.operation());
        if (operation.isEmpty()) {
            List<String> known = operations.all().stream().map(Operation::name).toList();
            problems.add(Problem.name(
                    at,
                    "there is no operation '" + call.operation() + "'"
                            + Nearest.suggestion(call.operation(), known, "; there are ")));
        }
        return operation.map(
                found -> new Use(found, values(at, found, call.parameters().fields())));
    }

    private Map<Parameter<?>, Object> values(PlanPath at, Operation operation, Map<String, PlanNode> given) {
        if (problems.stream().anyMatch(problem -> problem.path().equals(at))) {
            return Map.of(); // what it is given was not understood
        }
        List<String> known =
                operation.parameters().stream().map(Parameter::name).toList();
        for (String name : given.keySet()) {
            if (!known.contains(name)) {
                problems.add(Problem.name(
                        at.field(name),
                        "'" + operation.name() + "' has no parameter '" + name + "'"
                                + (known.isEmpty() ? "; it has none" : Nearest.suggestion(name, known, "; it has "))));
            }
        }
        Map<Parameter<?>, Object> values = new HashMap<>();
        for (Parameter<?> parameter : operation.parameters()) {
            value(at, operation, parameter, given).ifPresent(value -> values.put(parameter, value));
        }
        return values;
    }

    private <T> Optional<T> value(
            PlanPath at, Operation operation, Parameter<T> parameter, Map<String, PlanNode> given) {
        PlanNode node = given.get(parameter.name());
        if (node == null) {
            if (parameter.fallback().isEmpty()) {
                problems.add(Problem.name(
                        at,
                        "'" + operation.name() + "' needs '" + parameter.name() + "', "
                                + parameter.kind().expected()));
            }
            return parameter.fallback();
        }
        Optional<T> value = parameter.kind().read().apply(node);
        if (value.isEmpty()) {
            problems.add(
                    Problem.value(at.field(parameter.name()), parameter.kind().refusal(parameter.name(), node)));
        }
        return value;
    }
}
