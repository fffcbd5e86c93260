package org.jspdl.plan;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.jspdl.pipeline.FailurePolicy;
import org.jspdl.pipeline.Order;
import org.jspdl.plan.StageSettings.Threads;
import org.jspdl.plan.StageSettings.Workers;
import org.jspdl.plan.internal.LocatedNode.Bool;
import org.jspdl.plan.internal.LocatedNode.Field;
import org.jspdl.plan.internal.LocatedNode.Text;
import org.jspdl.plan.internal.PlanKeywords;

/// Reads how a step runs.
///
/// @param reader where errors go
record SettingsReader(NodeReader reader) {
    private static final String AUTO = "auto";

    Optional<StageSettings> stage(Map<String, Field> fields) {
        List<Threads> given = Stream.of(Threads.values())
                .filter(threads -> fields.containsKey(threads.keyword()))
                .toList();
        Optional<Integer> priority = reader.value(
                fields,
                PlanKeywords.PRIORITY,
                ValueType.count(-StageSettings.MOST_PRIORITY, StageSettings.MOST_PRIORITY));
        Optional<Order> order = reader.value(fields, PlanKeywords.ORDER, ValueType.choice(Order.class));
        Optional<OptionalInt> buffer = reader.value(fields, PlanKeywords.BUFFER, buffer());
        Optional<FailurePolicy> failures = new FailureReader(reader).policy(fields);
        Optional<Duration> deadline = reader.value(fields, PlanKeywords.DEADLINE, positiveTime());
        Optional<Duration> deferral = reader.value(fields, PlanKeywords.DEFER, positiveTime());
        if (given.isEmpty()) {
            PlanKeywords.STAGE_SETTINGS.stream().map(fields::get).forEach(this::needsStage);
            return Optional.empty();
        }
        Threads threads = given.getFirst();
        for (Threads other : given.subList(1, given.size())) {
            reader.error(
                    requireNonNull(fields.get(other.keyword())).location(),
                    "a step runs in one place, here '" + threads.keyword() + "', and not also '" + other.keyword()
                            + "'");
        }
        Field unshared = threads == Threads.CPU ? null : fields.get(PlanKeywords.PRIORITY);
        if (unshared != null) {
            reader.error(unshared.location(), "only steps with 'cpu' share threads and can have a 'priority'");
        }
        Field late = fields.get(PlanKeywords.DEFER);
        if (late != null && order.isPresent() && order.get() == Order.COMPLETION) {
            reader.error(late.location(), "'defer' is for input order: in completion order every item may pass others");
        }
        Field field = requireNonNull(fields.get(threads.keyword()));
        return Optional.of(new StageSettings(
                field.location(),
                threads,
                reader.value(field, threads == Threads.DEDICATED ? dedicated() : workers(threads))
                        .orElse(new Workers.Fixed(1)),
                priority.orElse(0),
                order.orElse(Order.INPUT),
                buffer,
                failures,
                deadline,
                deferral));
    }

    private void needsStage(@org.jspecify.annotations.Nullable Field field) {
        if (field != null) {
            reader.error(
                    field.location(),
                    "'" + field.name() + "' needs a stage of its own: add 'cpu', 'io' or 'dedicated'");
        }
    }

    /// A number of workers, one for each processor, or what the run's tuner chooses.
    private static ValueType<Workers> workers(Threads threads) {
        ValueType<Integer> number = ValueType.count(1, StageSettings.MOST_WORKERS);
        // How many calls a client can have pending, only its user knows.
        boolean tunable = threads != Threads.ASYNC;
        return new ValueType<>(
                number.expected() + (tunable ? ", 'auto' or 'processors'," : ", or 'processors',"),
                node -> switch (node) {
                    case Text(var _, String word)
                    when word.equals("processors") -> Optional.of(Workers.Named.PROCESSORS);
                    case Text(var _, String word) when tunable && word.equals(AUTO) -> Optional.of(Workers.Named.AUTO);
                    default -> number.read().apply(node).<Workers>map(Workers.Fixed::new);
                },
                List.of());
    }

    /// A number of items; empty for what the run's tuner chooses.
    private static ValueType<OptionalInt> buffer() {
        ValueType<Integer> number = ValueType.count(1, StageSettings.MOST_WAITING);
        return new ValueType<>(
                number.expected() + ", or 'auto',",
                node -> node instanceof Text(var _, String word) && word.equals(AUTO)
                        ? Optional.of(OptionalInt.empty())
                        : number.read().apply(node).map(OptionalInt::of),
                List.of());
    }

    private static ValueType<Workers> dedicated() {
        return new ValueType<>(
                "true, or left out,",
                node -> node instanceof Bool(var _, boolean value) && value
                        ? Optional.of(new Workers.Fixed(1))
                        : Optional.empty(),
                List.of());
    }

    /// A time above 0.
    static ValueType<Duration> positiveTime() {
        ValueType<Duration> time = ValueType.duration();
        return new ValueType<>(
                time.expected() + ", above 0", node -> time.read().apply(node).filter(Duration::isPositive), List.of());
    }
}
