package org.jspdl.plan;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspdl.plan.internal.ByteSizes;
import org.jspdl.plan.internal.Durations;
import org.jspdl.plan.internal.GroupedDigits;
import org.jspdl.plan.internal.LocatedNode;
import org.jspdl.plan.internal.LocatedNode.Bool;
import org.jspdl.plan.internal.LocatedNode.Decimal;
import org.jspdl.plan.internal.LocatedNode.Empty;
import org.jspdl.plan.internal.LocatedNode.Fields;
import org.jspdl.plan.internal.LocatedNode.Items;
import org.jspdl.plan.internal.LocatedNode.Text;
import org.jspdl.plan.internal.LocatedNode.Whole;
import org.jspdl.plan.internal.Suggestions;

/// How values of one type are written in a plan.
///
/// @param expected what is accepted, in the words of an error message
/// @param read     the value, or empty if the node is none
/// @param words    the words that are accepted, if they are few
record ValueType<T>(String expected, Function<LocatedNode, Optional<T>> read, List<String> words) {
    private ValueType(String expected, Function<LocatedNode, Optional<T>> read) {
        this(expected, read, List.of());
    }

    static ValueType<String> text() {
        return new ValueType<>(
                "a text",
                node -> node instanceof Text(var _, String value) && !value.isBlank()
                        ? Optional.of(value)
                        : Optional.empty());
    }

    static ValueType<Boolean> bool() {
        return new ValueType<>(
                "true or false",
                node -> node instanceof Bool(var _, boolean value) ? Optional.of(value) : Optional.empty());
    }

    static ValueType<Long> whole(long least, long most) {
        String range = least == Long.MIN_VALUE && most == Long.MAX_VALUE
                ? ""
                : most == Long.MAX_VALUE
                        ? " of at least " + GroupedDigits.of(least)
                        : " from " + GroupedDigits.of(least) + " to " + GroupedDigits.of(most);
        return new ValueType<>(
                "a whole number" + range,
                node -> node instanceof Whole(var _, long value, var _) && value >= least && value <= most
                        ? Optional.of(value)
                        : Optional.empty());
    }

    static ValueType<Integer> count(int least, int most) {
        ValueType<Long> wide = whole(least, most);
        return new ValueType<>(wide.expected, node -> wide.read.apply(node).map(Math::toIntExact));
    }

    static ValueType<Double> decimal(double least, double most) {
        String range =
                most == Double.MAX_VALUE ? "a number of at least " + least : "a number from " + least + " to " + most;
        return new ValueType<>(range, node -> number(node).filter(value -> value >= least && value <= most));
    }

    /// A part of a whole.
    static ValueType<Double> share() {
        return new ValueType<>(
                "a number above 0 and at most 1", node -> number(node).filter(value -> value > 0 && value <= 1));
    }

    private static Optional<Double> number(LocatedNode node) {
        return switch (node) {
            case Decimal(var _, double value, var _) -> Optional.of(value);
            case Whole(var _, long value, var _)
            when value < Long.MAX_VALUE && (long) (double) value == value -> Optional.of((double) value);
            default -> Optional.empty();
        };
    }

    /// One of the constants of `type`, in lower case with hyphens.
    static <E extends Enum<E>> ValueType<E> choice(Class<E> type) {
        List<E> constants = Arrays.asList(type.getEnumConstants());
        List<String> words = constants.stream().map(ValueType::spelled).toList();
        return new ValueType<>(
                "one of " + String.join(", ", words),
                node -> node instanceof Text(var _, String value)
                        ? constants.stream()
                                .filter(each -> spelled(each).equals(value))
                                .findFirst()
                        : Optional.empty(),
                words);
    }

    private static String spelled(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    static ValueType<Duration> duration() {
        return new ValueType<>(
                "a time such as 250ms, 10s or 5m",
                node -> node instanceof Text(var _, String value) ? Durations.parse(value) : Optional.empty());
    }

    /// A number of bytes above 0.
    static ValueType<Long> bytes() {
        return new ValueType<>("a number of bytes such as 200kB, 512MiB or 2GiB", node -> switch (node) {
            case Text(var _, String value) -> ByteSizes.parse(value).filter(bytes -> bytes > 0);
            case Whole(var _, long bytes, var _) when bytes > 0 -> Optional.of(bytes);
            default -> Optional.empty();
        });
    }

    /// Names with values, each as the text that it was written as.
    static ValueType<Map<String, String>> settings() {
        return new ValueType<>(
                "a map of names and values",
                node -> node instanceof Fields(var _, var fields, var _, var _) ? settings(fields) : Optional.empty());
    }

    static ValueType<Map<String, String>> settings(String alone) {
        return new ValueType<>(
                "a text, or " + settings().expected,
                node -> text().read
                        .apply(node)
                        .map(text -> Map.of(alone, text))
                        .or(() -> settings().read.apply(node)));
    }

    private static Optional<Map<String, String>> settings(Map<String, LocatedNode.Field> fields) {
        Map<String, String> settings = new LinkedHashMap<>();
        for (LocatedNode.Field field : fields.values()) {
            Optional<String> value = written(field.value());
            if (value.isEmpty()) {
                return Optional.empty();
            }
            settings.put(field.name(), value.get());
        }
        return Optional.of(Collections.unmodifiableMap(settings));
    }

    private static Optional<String> written(LocatedNode node) {
        return switch (node) {
            case Text(var _, String value) -> Optional.of(value);
            case Whole(var _, long _, String written) -> Optional.of(written);
            case Decimal(var _, double _, String written) -> Optional.of(written);
            case Bool(var _, boolean value) -> Optional.of(Boolean.toString(value));
            case Items _, Fields _, Empty _ -> Optional.empty();
        };
    }

    /// A list, or one element alone.
    static <T> ValueType<List<T>> oneOrList(ValueType<T> element) {
        ValueType<List<T>> list = list(element);
        return new ValueType<>(
                element.expected + ", or a list of such",
                node -> element.read.apply(node).map(List::of).or(() -> list.read.apply(node)));
    }

    static <T> ValueType<List<T>> list(ValueType<T> element) {
        return new ValueType<>(
                "a list, each element " + element.expected,
                node -> node instanceof Items(var _, var items, var _, var _) ? all(element, items) : Optional.empty());
    }

    private static <T> Optional<List<T>> all(ValueType<T> element, List<LocatedNode> items) {
        List<T> values = new ArrayList<>();
        for (LocatedNode item : items) {
            Optional<T> value = element.read.apply(item);
            if (value.isEmpty()) {
                return Optional.empty();
            }
            values.add(value.get());
        }
        return Optional.of(List.copyOf(values));
    }

    /// The message when `node` is not such a value.
    String refusal(String name, LocatedNode node) {
        return "'" + name + "' must be " + expected + " but was " + node.description()
                + (node instanceof Text(var _, String word) ? Suggestions.nearestOf(word, words) : "");
    }
}
