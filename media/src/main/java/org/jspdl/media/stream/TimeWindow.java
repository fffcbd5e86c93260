package org.jspdl.media.stream;

import java.util.Optional;

/// A half-open span of time in seconds, as the container counts them: what begins at `start` or later and before `end`.
///
/// @param end empty for no end
public record TimeWindow(Rational start, Optional<Rational> end) {
    private static final TimeWindow ALL = new TimeWindow(Rational.of(Long.MIN_VALUE / 4), Optional.empty());

    /// Checks that there is something between start and end.
    public TimeWindow {
        if (end.isPresent() && end.get().compareTo(start) <= 0) {
            throw new IllegalArgumentException(
                    "a window must end after it starts but was " + start + " to " + end.get());
        }
    }

    /// Everything, what comes before time 0 included.
    public static TimeWindow all() {
        return ALL;
    }

    /// From `start` to before `end`, in seconds as decimals.
    public static TimeWindow of(double start, double end) {
        return of(Rational.of(start), Rational.of(end));
    }

    /// From `start` to before `end`.
    public static TimeWindow of(Rational start, Rational end) {
        return new TimeWindow(start, Optional.of(end));
    }

    /// From `start` to before `end`, each a text such as `1/3`, `2.5` or `7`.
    public static TimeWindow of(String start, String end) {
        return of(Rational.parse(start), Rational.parse(end));
    }

    /// From `start` on.
    public static TimeWindow from(Rational start) {
        return new TimeWindow(start, Optional.empty());
    }

    /// Whether this is everything.
    public boolean isAll() {
        return equals(ALL);
    }

    /// Whether something at `time` is inside.
    public boolean contains(Rational time) {
        return time.compareTo(start) >= 0 && (end.isEmpty() || time.compareTo(end.get()) < 0);
    }

    /// The first tick inside, for times counted in units of `timeBase`.
    public long firstTick(Rational timeBase) {
        return isAll() ? Long.MIN_VALUE : ticks(start, timeBase);
    }

    /// The first tick beyond, for times counted in units of `timeBase`.
    public long endTick(Rational timeBase) {
        return end.isEmpty() ? Long.MAX_VALUE : ticks(end.get(), timeBase);
    }

    /// The first tick at `time` or later; the nearest that there is, for one beyond all that can be counted.
    private static long ticks(Rational time, Rational timeBase) {
        try {
            return time.dividedBy(timeBase).ceil();
        } catch (ArithmeticException beyond) {
            return time.compareTo(Rational.ZERO) < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
        }
    }

    @Override
    public String toString() {
        return isAll()
                ? "everything"
                : "[" + start + ", " + end.map(Rational::toString).orElse("end") + ")";
    }
}
