package org.jspdl.plan;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import org.jspdl.pipeline.Remainder;
import org.jspdl.plan.PlanStep.Route.Branch;
import org.jspdl.plan.internal.LocatedNode.Empty;
import org.jspdl.plan.internal.LocatedNode.Field;
import org.jspdl.plan.internal.LocatedNode.Fields;
import org.jspdl.plan.internal.LocatedNode.Text;
import org.jspdl.plan.internal.PlanKeywords;
import org.jspdl.plan.internal.Suggestions;

/// Reads steps.
///
/// @param reader where errors go
record StepReader(NodeReader reader) {

    List<PlanStep> steps(List<Field> items) {
        return items.stream().map(this::step).toList();
    }

    private PlanStep step(Field item) {
        if (item.value() instanceof Text(var location, String word)) {
            return step(new Field(location, word, new Empty(location)), new LinkedHashMap<>());
        }
        SequencedMap<String, Field> fields = reader.fields(item, "a step");
        List<Field> operations = fields.values().stream()
                .filter(field -> !PlanKeywords.SETTINGS.contains(field.name()))
                .toList();
        if (operations.isEmpty()) {
            if (item.value() instanceof Fields) {
                reader.error(item.value().location(), "a step must name an operation, but this has none");
            }
            return new PlanStep.Unread();
        }
        Field operation = operations.getFirst();
        for (Field other : operations.subList(1, operations.size())) {
            reader.error(
                    other.location(),
                    "a step has one operation, here '" + operation.name() + "', and no '" + other.name()
                            + "' beside it"
                            + Suggestions.suggestion(other.name(), PlanKeywords.SETTINGS, "; its settings are "));
        }
        return step(operation, fields);
    }

    private PlanStep step(Field operation, SequencedMap<String, Field> fields) {
        return switch (operation.name()) {
            case PlanKeywords.BATCH -> {
                allowSettings(operation, fields, Set.of());
                yield batch(operation);
            }
            case PlanKeywords.UNBATCH -> {
                allowSettings(operation, fields, Set.of());
                boolean given = operation.value() instanceof Fields map
                        ? !map.fields().isEmpty()
                        : !(operation.value() instanceof Empty);
                if (given) {
                    reader.error(
                            operation.value().location(),
                            "'unbatch' is given nothing, but was "
                                    + operation.value().description());
                }
                yield new PlanStep.Unbatch(operation.location());
            }
            case PlanKeywords.ROUTE, PlanKeywords.ROUTE_ELEMENTS -> {
                allowSettings(
                        operation,
                        fields,
                        operation.name().equals(PlanKeywords.ROUTE)
                                ? PlanKeywords.ROUTE_SETTINGS
                                : Set.of(PlanKeywords.NAME));
                yield route(operation, fields);
            }
            default -> {
                OperationCall call = reader.given(operation);
                Optional<Field> name = Optional.ofNullable(fields.get(PlanKeywords.NAME))
                        .filter(field -> reader.value(field, ValueType.text()).isPresent());
                yield new PlanStep.Apply(call, name, new SettingsReader(reader).stage(fields));
            }
        };
    }

    private void allowSettings(Field operation, Map<String, Field> fields, Set<String> allowed) {
        for (Field field : fields.values()) {
            if (PlanKeywords.SETTINGS.contains(field.name()) && !allowed.contains(field.name())) {
                reader.error(field.location(), "'" + operation.name() + "' has no setting '" + field.name() + "'");
            }
        }
    }

    private PlanStep batch(Field batch) {
        ValueType<Integer> sizes = ValueType.count(1, PlanStep.Batch.MOST);
        if (!(batch.value() instanceof Fields)) {
            int size = reader.value(batch, sizes).orElse(1);
            return new PlanStep.Batch(batch.location(), size, Remainder.KEEP, Optional.empty());
        }
        Map<String, Field> fields = reader.fields(batch, "'batch'", PlanKeywords.OF_BATCH);
        if (!fields.containsKey(PlanKeywords.BATCH_SIZE)) {
            reader.error(batch.location(), "'batch' needs 'batch-size', " + sizes.expected());
        }
        boolean dropLast =
                reader.value(fields, PlanKeywords.DROP_LAST, ValueType.bool()).orElse(false);
        return new PlanStep.Batch(
                batch.location(),
                reader.value(fields, PlanKeywords.BATCH_SIZE, sizes).orElse(1),
                dropLast ? Remainder.DROP : Remainder.KEEP,
                reader.value(fields, PlanKeywords.FLUSH_AFTER, SettingsReader.positiveTime()));
    }

    private PlanStep route(Field route, Map<String, Field> settings) {
        Map<String, Field> fields = reader.fields(route, "'" + route.name() + "'", PlanKeywords.OF_ROUTE);
        Optional<OperationCall> by =
                Optional.ofNullable(fields.get(PlanKeywords.BY)).flatMap(field -> reader.call("'by'", field.value()));
        List<Branch> branches = new ArrayList<>();
        Field when = fields.get(PlanKeywords.WHEN);
        if (when != null) {
            for (Field branch : reader.fields(when, "'when'").values()) {
                branches.add(new Branch(Optional.of(branch.name()), steps(reader.items(branch))));
            }
        }
        if (route.value() instanceof Fields && !fields.containsKey(PlanKeywords.BY)) {
            reader.error(route.location(), "'" + route.name() + "' needs 'by', the operation that gives the key");
        }
        boolean listed = when == null || when.value() instanceof Fields;
        if (route.value() instanceof Fields && listed && branches.isEmpty()) {
            reader.error(
                    route.location(), "'" + route.name() + "' needs 'when', a map from at least one key to its steps");
        }
        Field otherwise = fields.get(PlanKeywords.OTHERWISE);
        if (otherwise != null) {
            branches.add(new Branch(Optional.empty(), steps(reader.items(otherwise))));
        }
        if (branches.isEmpty() || branches.getFirst().key().isEmpty()) {
            return new PlanStep.Unread();
        }
        return new PlanStep.Route(
                route.location(),
                by,
                route.name().equals(PlanKeywords.ROUTE) ? PlanStep.Route.Per.ITEM : PlanStep.Route.Per.ELEMENT,
                reader.value(settings, PlanKeywords.NAME, ValueType.text()),
                new SettingsReader(reader).stage(settings),
                branches);
    }
}
