package org.jspdl.plan;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspdl.pipeline.Order;
import org.jspdl.pipeline.StageOptions;
import org.jspdl.plan.PlanNode.Flag;
import org.jspdl.plan.PlanNode.Text;
import org.jspdl.plan.PlanNode.Whole;
import org.jspdl.plan.Stage.Where;

/// Reads how a step runs.
///
/// @param reading where problems go
/// @param steps   reads failure rules and times
record StageReader(Reading reading, StepReader steps) {
    private static final List<String> OF_STAGES = List.of(Words.ORDER, Words.BUFFER, Words.FAILURE, Words.DEADLINE);

    /// How many calls at once: a number, or as many as there are processors.
    private static final Kind<OptionalInt> CONCURRENCY = new Kind<>(
            Kind.count(1, Stage.MOST_AT_ONCE).expected() + ", or 'processors',",
            node -> node.equals(new Text("processors"))
                    ? Optional.of(OptionalInt.empty())
                    : Kind.count(1, Stage.MOST_AT_ONCE).read().apply(node).map(OptionalInt::of),
            n -> n.isPresent() ? new Whole(n.getAsInt()) : new Text("processors"));

    private static final Kind<Boolean> DEDICATED = new Kind<>(
            "true, or left out,",
            node -> node.equals(new Flag(true)) ? Optional.of(true) : Optional.empty(),
            Flag::new);

    Optional<Stage> stage(PlanPath path, Map<String, PlanNode> fields) {
        List<Where> given = List.of(Where.values()).stream()
                .filter(where -> fields.containsKey(word(where)))
                .toList();
        Stage defaults = Stage.of(Where.CPU, 1);
        Optional<Order> order = reading.value(path, fields, Words.ORDER, Kind.choice(Order.class));
        Optional<Integer> buffer = reading.value(path, fields, Words.BUFFER, Kind.count(1, Stage.MOST_WAITING));
        Optional<FailureRule> failure = steps.failure(path, fields);
        var deadline = steps.positive(path, fields, Words.DEADLINE);
        if (given.isEmpty()) {
            OF_STAGES.stream()
                    .filter(fields::containsKey)
                    .forEach(name -> reading.add(Problem.name(
                            path.field(name),
                            "'" + name + "' needs a stage of its own: add 'cpu', 'io' or 'dedicated'")));
            return Optional.empty();
        }
        given.stream()
                .skip(1)
                .forEach(where -> reading.add(Problem.name(
                        path.field(word(where)),
                        "a step runs in one place, here '" + word(given.getFirst()) + "', and not also '" + word(where)
                                + "'")));
        return Optional.of(new Stage(
                given.getFirst(),
                concurrency(path, fields, given.getFirst()),
                order.orElse(defaults.order()),
                buffer.orElse(StageOptions.DEFAULT_BUFFER),
                failure,
                deadline));
    }

    private OptionalInt concurrency(PlanPath path, Map<String, PlanNode> fields, Where where) {
        if (where == Where.DEDICATED) {
            reading.value(path, fields, Words.DEDICATED, DEDICATED);
            return OptionalInt.of(1);
        }
        return reading.value(path, fields, word(where), CONCURRENCY).orElse(OptionalInt.of(1));
    }

    static String word(Where where) {
        return where.name().toLowerCase(Locale.ROOT);
    }

    static PlanNode concurrency(Stage stage) {
        return stage.where() == Where.DEDICATED
                ? new Flag(true)
                : CONCURRENCY.write().apply(stage.concurrency());
    }
}
