package org.jspdl.plan;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// A named, typed value that an operation is given by a plan. Immutable.
///
/// Required, unless [#orElse] gives what holds without it.
public final class Parameter<T> {
    private final String name;
    private final Kind<T> kind;
    private final Optional<T> fallback;

    private Parameter(String name, Kind<T> kind, Optional<T> fallback) {
        if (name.isBlank()) {
            throw new IllegalArgumentException("a parameter's name must not be blank");
        }
        this.name = name;
        this.kind = kind;
        this.fallback = fallback;
    }

    private static <T> Parameter<T> required(String name, Kind<T> kind) {
        return new Parameter<>(name, kind, Optional.empty());
    }

    /// A text that is not blank.
    public static Parameter<String> text(String name) {
        return required(name, Kind.text());
    }

    /// True or false.
    public static Parameter<Boolean> flag(String name) {
        return required(name, Kind.flag());
    }

    /// A whole number from `least` to `most`.
    public static Parameter<Long> whole(String name, long least, long most) {
        return required(name, Kind.whole(least, most));
    }

    /// A whole number from `least` to `most`.
    public static Parameter<Integer> count(String name, int least, int most) {
        return required(name, Kind.count(least, most));
    }

    /// A number from `least` to `most`.
    public static Parameter<Double> decimal(String name, double least, double most) {
        return required(name, Kind.decimal(least, most));
    }

    /// A constant of `type`, written in lower case with hyphens.
    public static <E extends Enum<E>> Parameter<E> choice(String name, Class<E> type) {
        return required(name, Kind.choice(type));
    }

    /// A time such as `250ms`.
    public static Parameter<Duration> duration(String name) {
        return required(name, Kind.duration());
    }

    /// A list of texts.
    public static Parameter<List<String>> texts(String name) {
        return required(name, Kind.list(Kind.text()));
    }

    /// A list of numbers, each from `least` to `most`.
    public static Parameter<List<Double>> decimals(String name, double least, double most) {
        return required(name, Kind.list(Kind.decimal(least, most)));
    }

    /// The same, but it may be left out; then it is `value`.
    public Parameter<T> orElse(T value) {
        return new Parameter<>(name, kind, Optional.of(value));
    }

    /// What a plan calls it.
    public String name() {
        return name;
    }

    Kind<T> kind() {
        return kind;
    }

    Optional<T> fallback() {
        return fallback;
    }

    @Override
    public String toString() {
        return name + ": " + kind.expected();
    }
}
