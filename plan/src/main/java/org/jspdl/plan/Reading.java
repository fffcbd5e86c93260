package org.jspdl.plan;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import org.jspdl.plan.PlanNode.Fields;
import org.jspdl.plan.PlanNode.Items;
import org.jspdl.plan.PlanNode.Nothing;
import org.jspdl.plan.PlanNode.Text;

/// Reads parts of a document, and collects what is wrong instead of stopping at the first. One thread.
final class Reading {
    private final List<Problem> problems = new ArrayList<>();

    List<Problem> problems() {
        return List.copyOf(problems);
    }

    void add(Problem problem) {
        problems.add(problem);
    }

    /// The fields of `node`, of which unknown ones are problems; empty if it has none.
    SequencedMap<String, PlanNode> fields(PlanPath path, PlanNode node, String what, Collection<String> known) {
        SequencedMap<String, PlanNode> fields = fields(path, node, what);
        for (String name : fields.keySet()) {
            if (!known.contains(name)) {
                unknown(path, name, what, known);
            }
        }
        return fields;
    }

    void unknown(PlanPath path, String name, String what, Collection<String> known) {
        add(Problem.name(
                path.field(name), what + " has no '" + name + "'" + Nearest.suggestion(name, known, "; it has ")));
    }

    /// The fields of `node`, whatever they are called.
    SequencedMap<String, PlanNode> fields(PlanPath path, PlanNode node, String what) {
        if (node instanceof Fields(var fields)) {
            return fields;
        }
        add(Problem.value(path, what + " must be a map but was " + node.described()));
        return Fields.none().fields();
    }

    /// The elements of field `name`, or none if it is left out.
    List<PlanNode> items(PlanPath path, Map<String, PlanNode> fields, String name) {
        PlanNode node = fields.get(name);
        return node == null ? List.of() : items(path.field(name), name, node);
    }

    List<PlanNode> items(PlanPath path, String name, PlanNode node) {
        if (node instanceof Items(var items)) {
            return items;
        }
        add(Problem.value(path, "'" + name + "' must be a list but was " + node.described()));
        return List.of();
    }

    /// The value of field `name`; empty if it is left out, or wrong.
    <T> Optional<T> value(PlanPath path, Map<String, PlanNode> fields, String name, Kind<T> kind) {
        PlanNode node = fields.get(name);
        if (node == null) {
            return Optional.empty();
        }
        Optional<T> value = kind.read().apply(node);
        if (value.isEmpty()) {
            add(Problem.value(path.field(name), kind.refusal(name, node)));
        }
        return value;
    }

    /// The use of one operation: its name alone, or a map from its name to its parameters.
    Optional<Call> call(PlanPath path, String what, PlanNode node) {
        switch (node) {
            case Text(String operation) -> {
                return Optional.of(Call.of(operation));
            }
            case Fields(var fields)
            when fields.size() == 1 -> {
                return Optional.of(given(
                        path, fields.firstEntry().getKey(), fields.firstEntry().getValue()));
            }
            default ->
                add(Problem.value(
                        path,
                        what + " must be one operation, but was "
                                + (node instanceof Fields(var fields) && fields.size() > 1
                                        ? "a map of " + fields.size() + ": '" + String.join("', '", fields.keySet())
                                                + "'"
                                        : node.described())));
        }
        return Optional.empty();
    }

    /// The use of `operation`, which stands at `path` with its parameters.
    Call given(PlanPath path, String operation, PlanNode parameters) {
        return parameters instanceof Nothing
                ? Call.of(operation)
                : new Call(
                        operation,
                        new Fields(fields(path.field(operation), parameters, "what '" + operation + "' is given")));
    }
}
