package org.jspdl.data.internal.text;

import java.util.regex.Pattern;

/// Numbers that are written out in decimal digits.
public final class Decimals {
    /// What Java reads as numbers, and nobody else: `1d` and `0x1p3`.
    private static final Pattern JAVA_FORMS = Pattern.compile("[xX]|[dDfF]$");

    private static final Pattern INFINITY = Pattern.compile("[+-]?Infinity");

    private Decimals() {}

    /// The `double` nearest to a number, or one of `NaN`, `Infinity` and `-Infinity`.
    ///
    /// @throws NumberFormatException if it is none, or beyond all that a `double` holds
    public static double parse(String text) {
        double value = Double.parseDouble(text);
        if (JAVA_FORMS.matcher(text).find()
                || (Double.isInfinite(value) && !INFINITY.matcher(text).matches())) {
            throw new NumberFormatException(text);
        }
        return value;
    }
}
