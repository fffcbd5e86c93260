package org.jspdl.plan;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import org.jspdl.pipeline.FailurePolicy;
import org.jspdl.pipeline.Remainder;
import org.jspdl.plan.PlanNode.Fields;
import org.jspdl.plan.PlanNode.Nothing;
import org.jspdl.plan.PlanNode.Text;

/// Reads steps and failure rules.
///
/// @param reading where problems go
record StepReader(Reading reading) {
    private static final Set<String> BATCH = Set.of("size", "remainder", "flush-after");
    private static final Set<String> ROUTE = Set.of("by", "when", "otherwise");
    private static final Set<String> RULE = Set.of("skip", "skip-rate", "probation", "retry", "backoff");

    /// What takes the place of a step that was not understood.
    private static final Step UNREAD = Step.Apply.fused(Call.of(""));

    List<Step> steps(PlanPath path, List<PlanNode> nodes) {
        List<Step> steps = new ArrayList<>();
        for (int i = 0; i < nodes.size(); i++) {
            steps.add(step(path.item(i), nodes.get(i)));
        }
        return steps;
    }

    private Step step(PlanPath path, PlanNode node) {
        if (node instanceof Text(String word)) {
            return step(path, word, new Nothing(), Fields.none().fields());
        }
        SequencedMap<String, PlanNode> fields = reading.fields(path, node, "a step");
        List<String> words = fields.keySet().stream()
                .filter(name -> !Words.SETTINGS.contains(name))
                .toList();
        if (words.isEmpty()) {
            if (node instanceof Fields) {
                reading.add(Problem.value(path, "a step must name an operation, but this has none"));
            }
            return UNREAD;
        }
        String word = words.getFirst();
        for (String other : words.subList(1, words.size())) {
            reading.add(Problem.name(
                    path.field(other),
                    "a step has one operation, here '" + word + "', and no '" + other + "' beside it"
                            + Nearest.suggestion(other, Words.SETTINGS, "; its settings are ")));
        }
        return step(path, word, Objects.requireNonNull(fields.get(word)), fields);
    }

    private Step step(PlanPath path, String word, PlanNode given, SequencedMap<String, PlanNode> fields) {
        return switch (word) {
            case Words.BATCH -> {
                onlySettings(path, word, fields, Set.of());
                yield batch(path, given);
            }
            case Words.UNBATCH -> {
                onlySettings(path, word, fields, Set.of());
                if (!(given instanceof Nothing) && !given.equals(Fields.none())) {
                    reading.add(Problem.value(
                            path.field(word), "'unbatch' is given nothing, but was " + given.described()));
                }
                yield new Step.Unbatch();
            }
            case Words.ROUTE, Words.ROUTE_ELEMENTS -> {
                onlySettings(path, word, fields, Set.of(Words.NAME));
                yield route(path, word, given, fields);
            }
            default -> apply(path, word, given, fields);
        };
    }

    private void onlySettings(PlanPath path, String word, Map<String, PlanNode> fields, Set<String> allowed) {
        for (String name : fields.keySet()) {
            if (Words.SETTINGS.contains(name) && !allowed.contains(name)) {
                reading.add(Problem.name(path.field(name), "'" + word + "' has no setting '" + name + "'"));
            }
        }
    }

    private Step apply(PlanPath path, String word, PlanNode given, Map<String, PlanNode> fields) {
        return new Step.Apply(
                reading.given(path, word, given),
                reading.value(path, fields, Words.NAME, Kind.text()),
                new StageReader(reading, this).stage(path, fields));
    }

    private Step batch(PlanPath step, PlanNode given) {
        PlanPath path = step.field(Words.BATCH);
        Kind<Integer> sizes = Kind.count(1, Step.Batch.MOST);
        if (!(given instanceof Fields)) {
            int size = reading.value(step, Map.of(Words.BATCH, given), Words.BATCH, sizes)
                    .orElse(1);
            return new Step.Batch(size, Remainder.KEEP_REMAINDER, Optional.empty());
        }
        Map<String, PlanNode> fields = reading.fields(path, given, "'batch'", BATCH);
        if (!fields.containsKey("size")) {
            reading.add(Problem.name(path, "'batch' needs 'size', " + sizes.expected()));
        }
        return new Step.Batch(
                reading.value(path, fields, "size", sizes).orElse(1),
                reading.value(path, fields, "remainder", REMAINDER).orElse(Remainder.KEEP_REMAINDER),
                positive(path, fields, "flush-after"));
    }

    static final Kind<Remainder> REMAINDER = new Kind<>(
            "one of keep, drop",
            node -> node instanceof Text(String word)
                    ? switch (word) {
                        case "keep" -> Optional.of(Remainder.KEEP_REMAINDER);
                        case "drop" -> Optional.of(Remainder.DROP_REMAINDER);
                        default -> Optional.empty();
                    }
                    : Optional.empty(),
            remainder -> new Text(remainder == Remainder.KEEP_REMAINDER ? "keep" : "drop"));

    private Step route(PlanPath step, String word, PlanNode given, Map<String, PlanNode> settings) {
        PlanPath path = step.field(word);
        Map<String, PlanNode> fields = reading.fields(path, given, "'" + word + "'", ROUTE);
        Optional<Call> by =
                Optional.ofNullable(fields.get("by")).flatMap(node -> reading.call(path.field("by"), "'by'", node));
        SequencedMap<String, List<Step>> ways = new LinkedHashMap<>();
        PlanNode when = fields.get("when");
        if (when != null) {
            reading.fields(path.field("when"), when, "'when'")
                    .forEach(
                            (key, steps) -> ways.put(key, way(path.field("when").field(key), key, steps)));
        }
        Optional<List<Step>> otherwise = Optional.ofNullable(fields.get("otherwise"))
                .map(node -> way(path.field("otherwise"), "otherwise", node));
        if (!fields.containsKey("by") && given instanceof Fields) {
            reading.add(Problem.name(path.field("by"), "'" + word + "' needs 'by', the operation that gives the key"));
        }
        if (ways.isEmpty()) {
            reading.add(Problem.name(step, "'" + word + "' needs 'when', a map from at least one key to its steps"));
            return UNREAD;
        }
        Step.Route.Per per = word.equals(Words.ROUTE) ? Step.Route.Per.ITEM : Step.Route.Per.ELEMENT;
        Optional<String> name = reading.value(step, settings, Words.NAME, Kind.text());
        return new Step.Route(by.orElse(Call.of("")), per, name, ways, otherwise);
    }

    private List<Step> way(PlanPath path, String key, PlanNode node) {
        return steps(path, reading.items(path, key, node));
    }

    /// The failure rule among `fields`, if there is one.
    Optional<FailureRule> failure(PlanPath owner, Map<String, PlanNode> fields) {
        PlanNode node = fields.get(Words.FAILURE);
        if (node == null || node.equals(new Text("fail-fast"))) {
            return node == null ? Optional.empty() : Optional.of(FailureRule.of(FailurePolicy.failFast()));
        }
        PlanPath path = owner.field(Words.FAILURE);
        if (!(node instanceof Fields)) {
            reading.add(Problem.value(
                    path,
                    "'failure' must be fail-fast, or a map with skip, skip-rate or retry, but was "
                            + node.described()));
            return Optional.empty();
        }
        return Optional.of(rule(path, reading.fields(path, node, "'failure'", RULE)));
    }

    private FailureRule rule(PlanPath path, Map<String, PlanNode> fields) {
        Optional<Long> skip = reading.value(path, fields, "skip", Kind.whole(0, Long.MAX_VALUE));
        Optional<Double> rate = reading.value(path, fields, "skip-rate", Kind.share());
        Optional<Long> probation = reading.value(path, fields, "probation", Kind.whole(1, Long.MAX_VALUE));
        if (skip.isPresent() && rate.isPresent()) {
            reading.add(Problem.name(path.field("skip-rate"), "'failure' has either 'skip' or 'skip-rate', not both"));
        }
        if (probation.isPresent() && !fields.containsKey("skip-rate")) {
            reading.add(Problem.name(path.field("probation"), "'probation' belongs to 'skip-rate'"));
        }
        if (fields.containsKey("backoff") && !fields.containsKey("retry")) {
            reading.add(Problem.name(path.field("backoff"), "'backoff' belongs to 'retry'"));
        }
        FailurePolicy base = rate.map(
                        value -> FailurePolicy.skipRate(value, probation.orElse(FailurePolicy.DEFAULT_PROBATION)))
                .or(() -> skip.map(FailurePolicy::skip))
                .orElse(FailurePolicy.failFast());
        int attempts =
                reading.value(path, fields, "retry", Kind.count(2, 1_000_000)).orElse(1);
        Duration backoff =
                reading.value(path, fields, "backoff", Kind.duration()).orElse(Duration.ZERO);
        return new FailureRule(base, attempts, attempts == 1 ? Duration.ZERO : backoff);
    }

    /// The time in field `name`, above 0.
    Optional<Duration> positive(PlanPath path, Map<String, PlanNode> fields, String name) {
        Kind<Duration> kind = Kind.duration();
        Kind<Duration> above = new Kind<>(
                kind.expected() + ", above 0",
                node -> kind.read().apply(node).filter(Duration::isPositive),
                kind.write());
        return reading.value(path, fields, name, above);
    }
}
