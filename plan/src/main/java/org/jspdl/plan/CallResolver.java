package org.jspdl.plan;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.plan.internal.AddressMask;
import org.jspdl.plan.internal.LocatedNode;
import org.jspdl.plan.internal.LocatedNode.Field;
import org.jspdl.plan.internal.PlanError;
import org.jspdl.plan.internal.Suggestions;

/// Looks up the operations that a plan calls, and reads their parameters. Used by one thread.
final class CallResolver {
    static final String RANK = "rank";
    static final String WORLD_SIZE = "world-size";

    private final Operations operations;
    private final List<PlanError> errors;
    private final Optional<PlanContext.Rank> rank;

    /// @param errors where errors are added
    /// @param rank   for sources that take one, and are given none
    CallResolver(Operations operations, List<PlanError> errors, Optional<PlanContext.Rank> rank) {
        this.operations = operations;
        this.errors = errors;
        this.rank = rank;
    }

    /// An operation with the value of each of its parameters, as far as they could be read.
    record Use(OperationCall call, Operation operation, Map<Parameter<?>, Object> values) {
        /// `pipeline`, of which a checkpoint depends on what the operation was given.
        Pipeline<Object> identified(Pipeline<Object> pipeline) {
            String given = operation.parameters().stream()
                    .filter(values::containsKey)
                    .map(parameter -> parameter.name() + ": " + values.get(parameter))
                    .collect(Collectors.joining(", "));
            return given.isEmpty()
                    ? pipeline
                    : pipeline.identifiedBy(AddressMask.of(operation.name() + " {" + given + "}"));
        }
    }

    Operations operations() {
        return operations;
    }

    /// What `call` uses; empty if there is no such operation.
    Optional<Use> find(OperationCall call) {
        Optional<Operation> operation = operations.find(call.operation());
        if (operation.isEmpty()) {
            List<String> known = operations.all().stream().map(Operation::name).toList();
            errors.add(new PlanError(
                    call.location(),
                    "there is no operation '" + call.operation() + "'"
                            + Suggestions.suggestion(call.operation(), known, "; there are ")));
        }
        return operation.map(found -> new Use(call, found, values(call, found)));
    }

    private Map<Parameter<?>, Object> values(OperationCall call, Operation operation) {
        if (call.parameters().isEmpty()) {
            return Map.of();
        }
        List<String> known =
                operation.parameters().stream().map(Parameter::name).toList();
        Map<String, Field> given = new HashMap<>(call.parameters().get());
        for (Field field : call.parameters().get().values()) {
            if (!known.contains(field.name())) {
                errors.add(new PlanError(
                        field.location(),
                        "'" + operation.name() + "' has no parameter '" + field.name() + "'"
                                + (known.isEmpty()
                                        ? "; it has none"
                                        : Suggestions.suggestion(field.name(), known, "; it has "))));
            }
        }
        if (operation.input().isEmpty()) {
            split(call, known, given);
        }
        Map<Parameter<?>, Object> values = new HashMap<>();
        for (Parameter<?> parameter : operation.parameters()) {
            value(call, parameter, given).ifPresent(value -> values.put(parameter, value));
        }
        return values;
    }

    private void split(OperationCall call, List<String> known, Map<String, Field> given) {
        int said = (given.containsKey(RANK) ? 1 : 0) + (given.containsKey(WORLD_SIZE) ? 1 : 0);
        boolean takes = known.contains(RANK) && known.contains(WORLD_SIZE);
        if (rank.isPresent() && (!takes || said == 1)) {
            String why = takes
                    ? "' names one of 'rank' and 'world-size' alone: ranks would load the same"
                    : "' does not take 'rank' and 'world-size': every rank would load everything of it";
            errors.add(new PlanError(call.location(), rank.get().unlike("'" + call.operation() + why)));
        } else if (rank.isPresent() && said == 0) {
            put(given, call, RANK, rank.get().rank());
            put(given, call, WORLD_SIZE, rank.get().worldSize());
        }
    }

    private static void put(Map<String, Field> given, OperationCall call, String name, int value) {
        given.put(
                name,
                new Field(call.location(), name, new LocatedNode.Whole(call.location(), value, Long.toString(value))));
    }

    private <T> Optional<T> value(OperationCall call, Parameter<T> parameter, Map<String, Field> given) {
        Field field = given.get(parameter.name());
        if (field == null) {
            if (parameter.fallback().isEmpty()) {
                errors.add(new PlanError(
                        call.location(),
                        "'" + call.operation() + "' needs '" + parameter.name() + "', "
                                + parameter.type().expected()));
            }
            return parameter.fallback();
        }
        return new NodeReader(errors).value(field, parameter.type());
    }
}
