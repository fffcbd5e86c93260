package org.jspdl.plan;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspdl.plan.PlanNode.Decimal;
import org.jspdl.plan.PlanNode.Flag;
import org.jspdl.plan.PlanNode.Items;
import org.jspdl.plan.PlanNode.Text;
import org.jspdl.plan.PlanNode.Whole;

/// How values of one type are written in a plan.
///
/// @param expected what is accepted, in the words of an error message
/// @param read     the value, or empty if the node is none
/// @param write    the node that is read as the value
record Kind<T>(String expected, Function<PlanNode, Optional<T>> read, Function<T, PlanNode> write) {

    static Kind<String> text() {
        return new Kind<>(
                "a text",
                node -> node instanceof Text(String value) && !value.isBlank() ? Optional.of(value) : Optional.empty(),
                Text::new);
    }

    static Kind<Boolean> flag() {
        return new Kind<>(
                "true or false",
                node -> node instanceof Flag(boolean value) ? Optional.of(value) : Optional.empty(),
                Flag::new);
    }

    static Kind<Long> whole(long least, long most) {
        String range = least == Long.MIN_VALUE && most == Long.MAX_VALUE
                ? ""
                : most == Long.MAX_VALUE
                        ? String.format(Locale.ROOT, " of at least %,d", least)
                        : String.format(Locale.ROOT, " from %,d to %,d", least, most);
        return new Kind<>(
                "a whole number" + range,
                node -> node instanceof Whole(long value) && value >= least && value <= most
                        ? Optional.of(value)
                        : Optional.empty(),
                Whole::new);
    }

    static Kind<Integer> count(int least, int most) {
        Kind<Long> wide = whole(least, most);
        return new Kind<>(
                wide.expected, node -> wide.read.apply(node).map(Math::toIntExact), value -> new Whole(value));
    }

    static Kind<Double> decimal(double least, double most) {
        String range = most == Double.MAX_VALUE
                ? String.format(Locale.ROOT, "a number of at least %s", least)
                : String.format(Locale.ROOT, "a number from %s to %s", least, most);
        return new Kind<>(range, node -> number(node).filter(value -> value >= least && value <= most), Decimal::new);
    }

    /// A part of a whole.
    static Kind<Double> share() {
        return new Kind<>(
                "a number above 0 and at most 1",
                node -> number(node).filter(value -> value > 0 && value <= 1),
                Decimal::new);
    }

    private static Optional<Double> number(PlanNode node) {
        return switch (node) {
            case Decimal(double value) -> Optional.of(value);
            case Whole(long value) -> Optional.of((double) value);
            default -> Optional.empty();
        };
    }

    static <E extends Enum<E>> Kind<E> choice(Class<E> type) {
        List<E> constants = Arrays.asList(type.getEnumConstants());
        String names = constants.stream().map(Kind::spelled).collect(Collectors.joining(", "));
        return new Kind<>(
                "one of " + names,
                node -> node instanceof Text(String value)
                        ? constants.stream()
                                .filter(each -> spelled(each).equals(value))
                                .findFirst()
                        : Optional.empty(),
                constant -> new Text(spelled(constant)));
    }

    private static String spelled(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    static Kind<Duration> duration() {
        return new Kind<>(
                "a time such as 250ms, 10s or 5m",
                node -> node instanceof Text(String value) ? Durations.parse(value) : Optional.empty(),
                value -> new Text(Durations.format(value)));
    }

    /// A number of bytes above 0.
    static Kind<Long> bytes() {
        return new Kind<>(
                "a number of bytes such as 200kB, 512MiB or 2GiB",
                node -> switch (node) {
                    case Text(String value) -> Sizes.parse(value).filter(bytes -> bytes > 0);
                    case Whole(long bytes) when bytes > 0 -> Optional.of(bytes);
                    default -> Optional.empty();
                },
                bytes -> new Text(Sizes.format(bytes)));
    }

    static <T> Kind<List<T>> list(Kind<T> element) {
        return new Kind<>(
                "a list, each element " + element.expected,
                node -> node instanceof Items(List<PlanNode> items) ? all(element, items) : Optional.empty(),
                values -> new Items(values.stream().map(element.write).toList()));
    }

    private static <T> Optional<List<T>> all(Kind<T> element, List<PlanNode> items) {
        List<T> values = new ArrayList<>();
        for (PlanNode item : items) {
            Optional<T> value = element.read.apply(item);
            if (value.isEmpty()) {
                return Optional.empty();
            }
            values.add(value.get());
        }
        return Optional.of(List.copyOf(values));
    }

    /// What is said when `node` is none of these.
    String refusal(String name, PlanNode node) {
        return "'" + name + "' must be " + expected + " but was " + node.described();
    }
}
