package org.jspdl.plan.internal;

/// Numbers as `%,d` writes them, without the classes of formats, which nothing else of a program's start needs.
public final class GroupedDigits {
    private GroupedDigits() {}

    /// A number with a comma before each three digits.
    public static String of(long value) {
        StringBuilder text = new StringBuilder(Long.toString(value));
        for (int at = text.length() - 3; at > (value < 0 ? 1 : 0); at -= 3) {
            text.insert(at, ',');
        }
        return text.toString();
    }
}
