package org.jspdl.media.stream;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;

/// An exact fraction: a time in seconds, a frame rate, the unit of timestamps. In lowest terms, the denominator
/// positive.
public record Rational(long numerator, long denominator) implements Comparable<Rational> {
    /// 0.
    public static final Rational ZERO = new Rational(0, 1);
    /// 1.
    public static final Rational ONE = new Rational(1, 1);

    private static final long NANOS = 1_000_000_000L;

    /// A fraction, reduced to lowest terms.
    ///
    /// @throws IllegalArgumentException if `denominator` is 0
    public Rational {
        if (denominator == 0) {
            throw new IllegalArgumentException(numerator + "/0 is no number");
        }
        long divisor = gcd(numerator, denominator);
        if ((denominator < 0) != (divisor < 0)) {
            divisor = -divisor;
        }
        numerator /= divisor;
        denominator /= divisor;
    }

    /// A fraction.
    public static Rational of(long numerator, long denominator) {
        return new Rational(numerator, denominator);
    }

    /// A whole number.
    public static Rational of(long whole) {
        return new Rational(whole, 1);
    }

    /// The decimal that `value` prints as: 0.1 is 1/10, although the double is not.
    public static Rational of(double value) {
        return of(BigDecimal.valueOf(value));
    }

    /// Exactly `value`.
    ///
    /// @throws ArithmeticException if it takes more than 64 bits
    public static Rational of(BigDecimal value) {
        return of(
                value.scale() > 0 ? value.unscaledValue() : value.toBigIntegerExact(),
                BigInteger.TEN.pow(Math.max(0, value.scale())));
    }

    /// A duration in seconds.
    public static Rational of(Duration duration) {
        return of(
                BigInteger.valueOf(duration.getSeconds())
                        .multiply(BigInteger.valueOf(NANOS))
                        .add(BigInteger.valueOf(duration.getNano())),
                BigInteger.valueOf(NANOS));
    }

    /// What a text says: `30000/1001`, `2.5` or `7`.
    ///
    /// @throws NumberFormatException if it says something else
    public static Rational parse(String text) {
        int slash = text.indexOf('/');
        return slash < 0
                ? of(new BigDecimal(text.strip()))
                : of(
                        Long.parseLong(text.substring(0, slash).strip()),
                        Long.parseLong(text.substring(slash + 1).strip()));
    }

    private static Rational of(BigInteger numerator, BigInteger denominator) {
        BigInteger divisor = numerator.gcd(denominator);
        return divisor.signum() == 0
                ? ZERO
                : new Rational(
                        numerator.divide(divisor).longValueExact(),
                        denominator.divide(divisor).longValueExact());
    }

    private static long gcd(long a, long b) {
        while (b != 0) {
            long rest = a % b;
            a = b;
            b = rest;
        }
        return a;
    }

    /// The sum.
    public Rational plus(Rational other) {
        return of(
                big(numerator)
                        .multiply(big(other.denominator))
                        .add(big(other.numerator).multiply(big(denominator))),
                big(denominator).multiply(big(other.denominator)));
    }

    /// The difference.
    public Rational minus(Rational other) {
        return plus(new Rational(-other.numerator, other.denominator));
    }

    /// The product.
    public Rational times(Rational other) {
        return of(
                big(numerator).multiply(big(other.numerator)), big(denominator).multiply(big(other.denominator)));
    }

    /// The quotient.
    public Rational dividedBy(Rational other) {
        return times(other.inverse());
    }

    /// 1 divided by this.
    public Rational inverse() {
        return new Rational(denominator, numerator);
    }

    /// The largest whole number that is not above this.
    public long floor() {
        return Math.floorDiv(numerator, denominator);
    }

    /// The smallest whole number that is not below this.
    public long ceil() {
        return Math.ceilDiv(numerator, denominator);
    }

    /// The nearest whole number; halves are rounded away from zero.
    public long round() {
        long doubled = Math.floorDiv(
                Math.addExact(Math.multiplyExact(2, Math.abs(numerator)), denominator),
                Math.multiplyExact(2, denominator));
        return numerator < 0 ? -doubled : doubled;
    }

    /// The nearest double.
    public double toDouble() {
        return (double) numerator / denominator;
    }

    @Override
    public int compareTo(Rational other) {
        int high = Long.compare(
                Math.multiplyHigh(numerator, other.denominator), Math.multiplyHigh(other.numerator, denominator));
        return high != 0 ? high : Long.compareUnsigned(numerator * other.denominator, other.numerator * denominator);
    }

    private static BigInteger big(long value) {
        return BigInteger.valueOf(value);
    }

    /// `3/2`, or `7` for a whole number.
    @Override
    public String toString() {
        return denominator == 1 ? Long.toString(numerator) : numerator + "/" + denominator;
    }
}
