package org.jspdl.plan;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import org.jspdl.plan.internal.LocatedNode;
import org.jspdl.plan.internal.LocatedNode.Empty;
import org.jspdl.plan.internal.LocatedNode.Field;
import org.jspdl.plan.internal.LocatedNode.Fields;
import org.jspdl.plan.internal.LocatedNode.Items;
import org.jspdl.plan.internal.LocatedNode.Text;
import org.jspdl.plan.internal.PlanError;
import org.jspdl.plan.internal.SourceLocation;
import org.jspdl.plan.internal.Suggestions;

/// Reads parts of a document, and collects errors instead of stopping at the first. One thread.
///
/// @param errors where errors are added
record NodeReader(List<PlanError> errors) {

    void error(SourceLocation location, String message) {
        errors.add(new PlanError(location, message));
    }

    /// The fields of `field`, of which unknown ones are errors; empty if it has none.
    SequencedMap<String, Field> fields(Field field, String what, Collection<String> known) {
        SequencedMap<String, Field> fields = fields(field, what);
        for (Field each : fields.values()) {
            if (!known.contains(each.name())) {
                error(
                        each.location(),
                        what + " has no '" + each.name() + "'"
                                + Suggestions.suggestion(each.name(), known, "; it has "));
            }
        }
        return fields;
    }

    /// The fields of `field`, whatever their names.
    SequencedMap<String, Field> fields(Field field, String what) {
        if (field.value() instanceof Fields map) {
            return map.fields();
        }
        error(
                field.value().location(),
                what + " must be a map but was " + field.value().description());
        return new LinkedHashMap<>();
    }

    /// The elements of `field`.
    List<Field> items(Field field) {
        List<Field> items = new ArrayList<>();
        if (field.value() instanceof Items list) {
            list.items().forEach(item -> items.add(new Field(item.location(), field.name(), item)));
        } else {
            error(
                    field.value().location(),
                    "'" + field.name() + "' must be a list but was "
                            + field.value().description());
        }
        return items;
    }

    /// The elements of the field `name`, or none if it is left out.
    List<Field> items(Map<String, Field> fields, String name) {
        Field field = fields.get(name);
        return field == null ? List.of() : items(field);
    }

    /// The value of the field `name`; empty if it is left out, or wrong.
    <T> Optional<T> value(Map<String, Field> fields, String name, ValueType<T> type) {
        Field field = fields.get(name);
        return field == null ? Optional.empty() : value(field, type);
    }

    /// The value of `field`; empty if it is wrong.
    <T> Optional<T> value(Field field, ValueType<T> type) {
        Optional<T> value = type.read().apply(field.value());
        if (value.isEmpty()) {
            error(field.value().location(), type.refusal(field.name(), field.value()));
        }
        return value;
    }

    /// The use of one operation: its name alone, or a map from its name to its parameters.
    Optional<OperationCall> call(String what, LocatedNode node) {
        if (node instanceof Text(SourceLocation location, String operation)) {
            return Optional.of(new OperationCall(location, operation, Optional.of(new LinkedHashMap<>())));
        }
        if (node instanceof Fields map && map.fields().size() == 1) {
            return Optional.of(given(map.fields().firstEntry().getValue()));
        }
        boolean several = node instanceof Fields map && map.fields().size() > 1;
        error(
                node.location(),
                what + " must be one operation, but was "
                        + (several && node instanceof Fields map
                                ? "a map of " + map.fields().size() + ": '"
                                        + String.join("', '", map.fields().keySet()) + "'"
                                : node.description()));
        return Optional.empty();
    }

    /// The use of the operation that `field` names, with its parameters.
    OperationCall given(Field field) {
        SequencedMap<String, Field> none = new LinkedHashMap<>();
        Optional<SequencedMap<String, Field>> parameters = switch (field.value()) {
            case Empty _ -> Optional.of(none);
            case Fields map -> Optional.of(map.fields());
            default -> {
                fields(field, "what '" + field.name() + "' is given");
                yield Optional.empty();
            }
        };
        return new OperationCall(field.location(), field.name(), parameters);
    }
}
