package org.jspdl.data.internal.text;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Names written with braces, as shells and WebDataset do: `{a,b}` and `{000..127}`.
public final class BracePattern {
    private static final Pattern RANGE = Pattern.compile("(\\d{1,18})\\.\\.(\\d{1,18})");
    private static final int MOST = 10_000_000;

    private BracePattern() {}

    /// All names, in order; the pattern itself if it has no braces.
    ///
    /// @throws IllegalArgumentException if a brace has no partner, or there are more than ten million names
    public static List<String> expand(String pattern) {
        int open = pattern.indexOf('{');
        if (open < 0) {
            return List.of(pattern);
        }
        int close = closing(pattern, open);
        List<String> names = new ArrayList<>();
        List<String> rests = expand(pattern.substring(close + 1));
        for (String choice : choices(pattern.substring(open + 1, close))) {
            for (String rest : rests) {
                if (names.size() == MOST) {
                    throw new IllegalArgumentException("the pattern " + pattern + " means more than 10,000,000 names");
                }
                names.add(pattern.substring(0, open) + choice + rest);
            }
        }
        return names;
    }

    private static int closing(String pattern, int open) {
        int depth = 0;
        for (int i = open; i < pattern.length(); i++) {
            depth += pattern.charAt(i) == '{' ? 1 : pattern.charAt(i) == '}' ? -1 : 0;
            if (depth == 0) {
                return i;
            }
        }
        throw new IllegalArgumentException(
                "the brace at character " + (open + 1) + " of " + pattern + " is not closed");
    }

    /// As in shells all numbers of a range have as many digits, if one is written with zeros before it.
    private static boolean isPadded(String number) {
        return number.startsWith("0") && number.length() > 1;
    }

    private static List<String> choices(String inside) {
        Matcher range = RANGE.matcher(inside);
        List<String> choices = new ArrayList<>();
        if (range.matches()) {
            long first = Long.parseLong(range.group(1));
            long last = Long.parseLong(range.group(2));
            if (last < first || last - first >= MOST) {
                throw new IllegalArgumentException(
                        "the range {" + inside + "} must go up, to at most 10,000,000 names");
            }
            boolean padded = isPadded(range.group(1)) || isPadded(range.group(2));
            int digits = Math.max(range.group(1).length(), range.group(2).length());
            String format = padded ? "%0" + digits + "d" : "%d";
            for (long n = first; n <= last; n++) {
                choices.add(String.format(java.util.Locale.ROOT, format, n));
            }
            return choices;
        }
        int depth = 0;
        int start = 0;
        for (int i = 0; i <= inside.length(); i++) {
            char c = i == inside.length() ? ',' : inside.charAt(i);
            depth += c == '{' ? 1 : c == '}' ? -1 : 0;
            if (c == ',' && (depth == 0 || i == inside.length())) {
                choices.addAll(expand(inside.substring(start, i)));
                start = i + 1;
            }
        }
        return choices;
    }
}
