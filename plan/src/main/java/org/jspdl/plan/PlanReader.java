package org.jspdl.plan;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.jspdl.pipeline.ByteBudget;
import org.jspdl.pipeline.FailurePolicy;
import org.jspdl.pipeline.Mix;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.StoppingStrategy;
import org.jspdl.pipeline.TuningBudget;
import org.jspdl.plan.Flow.Start;
import org.jspdl.plan.internal.LocatedNode;
import org.jspdl.plan.internal.LocatedNode.Field;
import org.jspdl.plan.internal.LocatedNode.Fields;
import org.jspdl.plan.internal.LocatedNode.Items;
import org.jspdl.plan.internal.PlanError;
import org.jspdl.plan.internal.PlanKeywords;

/// Reads what a plan says. What cannot be read is an error, and is replaced so that the rest can be checked. Used once.
final class PlanReader {
    private final NodeReader reader;
    private final StepReader steps;

    /// @param errors where errors are added
    PlanReader(List<PlanError> errors) {
        this.reader = new NodeReader(errors);
        this.steps = new StepReader(reader);
    }

    PlanModel plan(LocatedNode document) {
        Field root = new Field(document.location(), "", document);
        Map<String, Field> fields = reader.fields(root, "a plan", PlanKeywords.PLAN);
        return new PlanModel(
                reader.value(fields, PlanKeywords.NAME, ValueType.text()).orElse("plan"),
                flow(root, fields),
                reader.value(fields, PlanKeywords.PREFETCH, ValueType.count(1, StageSettings.MOST_WAITING))
                        .orElse(Plan.DEFAULT_PREFETCH),
                settings(fields));
    }

    private RunSettings settings(Map<String, Field> fields) {
        Optional<Integer> threads =
                reader.value(fields, PlanKeywords.COMPUTE_THREADS, ValueType.count(1, RunSettings.MOST_THREADS));
        Optional<LocatedNode.Text> quarantine = reader.value(fields, PlanKeywords.QUARANTINE, ValueType.text())
                .map(file -> new LocatedNode.Text(
                        requireNonNull(fields.get(PlanKeywords.QUARANTINE))
                                .value()
                                .location(),
                        file));
        return new RunSettings(
                reader.value(fields, PlanKeywords.EPOCHS, ValueType.whole(1, Long.MAX_VALUE))
                        .orElse(1L),
                reader.value(fields, PlanKeywords.SEED, ValueType.whole(Long.MIN_VALUE, Long.MAX_VALUE))
                        .orElse(0L),
                threads.map(OptionalInt::of).orElseGet(OptionalInt::empty),
                new FailureReader(reader).policy(fields).orElse(FailurePolicy.failFast()),
                quarantine,
                memoryBudget(fields),
                tuningBudget(fields));
    }

    private TuningBudget tuningBudget(Map<String, Field> plan) {
        Field field = plan.get(PlanKeywords.TUNING_BUDGET);
        Map<String, Field> given =
                field == null ? Map.of() : reader.fields(field, "'tuning-budget'", PlanKeywords.OF_TUNING_BUDGET);
        Optional<Double> processors =
                reader.value(given, PlanKeywords.PROCESSORS, ValueType.decimal(0.01, RunSettings.MOST_THREADS));
        TuningBudget budget = processors.map(TuningBudget.MACHINE::processors).orElse(TuningBudget.MACHINE);
        Optional<Long> memory = reader.value(given, PlanKeywords.MEMORY, ValueType.bytes());
        return memory.map(budget::memoryBytes).orElse(budget);
    }

    private Optional<ByteBudget> memoryBudget(Map<String, Field> plan) {
        Field field = plan.get(PlanKeywords.MEMORY_BUDGET);
        if (field == null || !(field.value() instanceof Fields)) {
            return reader.value(plan, PlanKeywords.MEMORY_BUDGET, ValueType.bytes())
                    .map(bytes -> new ByteBudget(bytes, 0));
        }
        Map<String, Field> given = reader.fields(field, "'memory-budget'", PlanKeywords.OF_BUDGET);
        Field itemField = given.get(PlanKeywords.ITEM);
        if (!given.containsKey(PlanKeywords.BYTES)) {
            reader.error(
                    field.location(),
                    "'memory-budget' needs 'bytes', " + ValueType.bytes().expected());
        }
        long bytes = reader.value(given, PlanKeywords.BYTES, ValueType.bytes()).orElse(Long.MAX_VALUE);
        long item = reader.value(given, PlanKeywords.ITEM, ValueType.bytes()).orElse(0L);
        if (itemField != null && item > bytes) {
            reader.error(
                    itemField.value().location(), "one item of " + item + " bytes does not fit a budget of " + bytes);
            return Optional.empty();
        }
        return Optional.of(new ByteBudget(bytes, item));
    }

    private Flow flow(Field at, Map<String, Field> fields) {
        Field source = fields.get(PlanKeywords.SOURCE);
        if (source == null && at.value() instanceof Fields) {
            reader.error(at.inside(), "a 'source' is missing");
        }
        return new Flow(
                source == null ? new Start.Unread() : start(source),
                steps.steps(reader.items(fields, PlanKeywords.STEPS)));
    }

    private Start start(Field source) {
        if (source.value() instanceof Fields map && map.fields().size() == 1) {
            Field only = map.fields().firstEntry().getValue();
            if (PlanKeywords.JOINED.contains(only.name())) {
                return joined(source, only);
            }
        }
        return reader.call("the source", source.value())
                .<Start>map(Start.From::new)
                .orElseGet(Start.Unread::new);
    }

    private Start joined(Field source, Field field) {
        Set<String> known = switch (field.name()) {
            case PlanKeywords.MERGE -> Set.of(PlanKeywords.OF, PlanKeywords.BY);
            case PlanKeywords.ROUND_ROBIN -> Set.of(PlanKeywords.OF, PlanKeywords.STOPPING_STRATEGY);
            default -> PlanKeywords.MIXED;
        };
        Field of = field.value() instanceof Fields map ? map.fields().get(PlanKeywords.OF) : null;
        if (of == null || !(of.value() instanceof Items list) || list.items().isEmpty()) {
            reader.error(source.value().location(), "'" + field.name() + "' needs 'of', a list of at least one flow");
            return new Start.Unread();
        }
        Map<String, Field> fields = reader.fields(field, "'" + field.name() + "'", known);
        List<Flow> flows = flows(of);
        StoppingStrategy end = reader.value(
                        fields, PlanKeywords.STOPPING_STRATEGY, ValueType.choice(StoppingStrategy.class))
                .orElse(StoppingStrategy.ALL_EXHAUSTED);
        return switch (field.name()) {
            case PlanKeywords.MERGE -> {
                Optional<OperationCall> by = Optional.ofNullable(fields.get(PlanKeywords.BY))
                        .flatMap(policy -> reader.call("'by'", policy.value()));
                yield fields.containsKey(PlanKeywords.BY) && by.isEmpty()
                        ? new Start.Unread()
                        : new Start.Merge(field.location(), by, flows);
            }
            case PlanKeywords.ROUND_ROBIN -> new Start.RoundRobin(field.location(), end, flows);
            default -> mix(field, fields, end, flows);
        };
    }

    private List<Flow> flows(Field of) {
        List<Flow> flows = new ArrayList<>();
        for (Field item : reader.items(of)) {
            flows.add(flow(item, reader.fields(item, "a flow", PlanKeywords.FLOW)));
        }
        return flows;
    }

    private Start mix(Field mix, Map<String, Field> fields, StoppingStrategy end, List<Flow> flows) {
        double[] equal = new double[flows.size()];
        Arrays.fill(equal, 1);
        long seed = reader.value(fields, PlanKeywords.SEED, ValueType.whole(Long.MIN_VALUE, Long.MAX_VALUE))
                .orElse(0L);
        Mix weights = Pipeline.mix(seed, weights(fields, flows.size()).orElse(equal));
        Field schedule = fields.get(PlanKeywords.SCHEDULE);
        for (Field item : schedule == null ? List.<Field>of() : reader.items(schedule)) {
            weights = changed(weights, item, flows.size());
        }
        Optional<String> changes = reader.value(fields, PlanKeywords.CHANGES, ValueType.text());
        return new Start.Mix(mix.location(), weights, changes, end, flows);
    }

    private Optional<double[]> weights(Map<String, Field> fields, int flows) {
        Field given = fields.get(PlanKeywords.WEIGHTS);
        if (given == null) {
            return Optional.empty();
        }
        Optional<List<Double>> weights = reader.value(given, ValueType.list(ValueType.decimal(0, Double.MAX_VALUE)));
        boolean fits = weights.isPresent()
                && weights.get().size() == flows
                && weights.get().stream().anyMatch(weight -> weight > 0);
        if (weights.isPresent() && !fits) {
            reader.error(
                    given.value().location(),
                    "'weights' must be one for each of the " + flows + " flows, and one above 0, but were "
                            + weights.get());
        }
        return weights.filter(_ -> fits)
                .map(all -> all.stream().mapToDouble(Double::doubleValue).toArray());
    }

    /// The same with a change of the weights at an item, if it is understood.
    private Mix changed(Mix weights, Field change, int flows) {
        Map<String, Field> fields = reader.fields(change, "a change of weights", PlanKeywords.CHANGE_OF_WEIGHTS);
        Optional<Long> from = reader.value(fields, PlanKeywords.FROM, ValueType.whole(1, Long.MAX_VALUE));
        Optional<double[]> to = weights(fields, flows);
        if (from.isEmpty() || to.isEmpty()) {
            if (!fields.containsKey(PlanKeywords.FROM) || !fields.containsKey(PlanKeywords.WEIGHTS)) {
                reader.error(change.value().location(), "a change of weights needs 'from', an item, and 'weights'");
            }
            return weights;
        }
        try {
            return reader.value(fields, PlanKeywords.RAMP, ValueType.bool()).orElse(false)
                    ? weights.rampTo(from.get(), to.get())
                    : weights.then(from.get(), to.get());
        } catch (IllegalArgumentException unordered) {
            reader.error(change.value().location(), String.valueOf(unordered.getMessage()));
            return weights;
        }
    }
}
