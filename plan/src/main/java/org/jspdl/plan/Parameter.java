package org.jspdl.plan;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A named, typed value that an operation is given by a plan. Immutable.
///
/// Required, unless [#orElse] gives what holds without it.
public final class Parameter<T> {
    private final String name;
    private final ValueType<T> type;
    private final Optional<T> fallback;

    private Parameter(String name, ValueType<T> type, Optional<T> fallback) {
        if (name.isBlank()) {
            throw new IllegalArgumentException("a parameter's name must not be blank");
        }
        this.name = name;
        this.type = type;
        this.fallback = fallback;
    }

    private static <T> Parameter<T> required(String name, ValueType<T> type) {
        return new Parameter<>(name, type, Optional.empty());
    }

    /// A text that is not blank.
    public static Parameter<String> text(String name) {
        return required(name, ValueType.text());
    }

    /// True or false.
    public static Parameter<Boolean> flag(String name) {
        return required(name, ValueType.bool());
    }

    /// A whole number from `least` to `most`.
    public static Parameter<Long> whole(String name, long least, long most) {
        return required(name, ValueType.whole(least, most));
    }

    /// A whole number from `least` to `most`.
    public static Parameter<Integer> count(String name, int least, int most) {
        return required(name, ValueType.count(least, most));
    }

    /// A number from `least` to `most`.
    public static Parameter<Double> decimal(String name, double least, double most) {
        return required(name, ValueType.decimal(least, most));
    }

    /// A constant of `type`, written in lower case with hyphens.
    public static <E extends Enum<E>> Parameter<E> choice(String name, Class<E> type) {
        return required(name, ValueType.choice(type));
    }

    /// A required time, such as `500ms` or `30s`.
    public static Parameter<Duration> duration(String name) {
        return required(name, ValueType.duration());
    }

    /// A number of bytes above 0, such as `512MiB`.
    public static Parameter<Long> bytes(String name) {
        return required(name, ValueType.bytes());
    }

    /// A list of texts.
    public static Parameter<List<String>> texts(String name) {
        return required(name, ValueType.list(ValueType.text()));
    }

    /// Names with values, which the operation reads as it likes: each is the text that it was written as.
    public static Parameter<Map<String, String>> settings(String name) {
        return required(name, ValueType.settings());
    }

    /// The same, or one text alone, which is the value of `alone`.
    public static Parameter<Map<String, String>> settings(String name, String alone) {
        return required(name, ValueType.settings(alone));
    }

    /// A number, or a list of numbers, each from `least` to `most`.
    public static Parameter<List<Double>> decimals(String name, double least, double most) {
        return required(name, ValueType.oneOrList(ValueType.decimal(least, most)));
    }

    /// The same, but it may be left out; then it is `value`.
    public Parameter<T> orElse(T value) {
        return new Parameter<>(name, type, Optional.of(value));
    }

    /// What a plan calls it.
    public String name() {
        return name;
    }

    ValueType<T> type() {
        return type;
    }

    Optional<T> fallback() {
        return fallback;
    }

    @Override
    public String toString() {
        return name + ": " + type.expected();
    }
}
