package org.jspdl.plan.internal;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Collectors;

/// Suggests what the author of a plan may have meant.
public final class Suggestions {
    private static final int LONGEST = 100;

    private Suggestions() {}

    /// The end of a message: the new name of `word` or the nearest of `known`, else all of them.
    public static String suggestion(String word, Collection<String> known, String introduction) {
        if (known.isEmpty()) {
            return "";
        }
        String nearest = nearestOf(word, known);
        return nearest.isEmpty() ? introduction + known.stream().sorted().collect(Collectors.joining(", ")) : nearest;
    }

    /// The end of a message: the new name of `word` or the nearest of `known`; empty if none is near.
    public static String nearestOf(String word, Collection<String> known) {
        return Optional.ofNullable(PlanKeywords.renamed().get(word))
                .filter(known::contains)
                .or(() -> nearest(word, known))
                .map(name -> "; did you mean '" + name + "'?")
                .orElse("");
    }

    private static Optional<String> nearest(String word, Collection<String> known) {
        if (word.length() > LONGEST) {
            return Optional.empty();
        }
        return known.stream()
                .filter(name -> distance(word, name) <= Math.max(1, Math.min(word.length(), name.length()) / 3))
                .min(Comparator.comparingInt((String name) -> distance(word, name))
                        .thenComparing(name -> name));
    }

    /// Letters to insert, delete or replace, or neighbors to swap, that turn one into the other.
    private static int distance(String one, String other) {
        int[][] steps = new int[one.length() + 1][other.length() + 1];
        for (int i = 0; i <= one.length(); i++) {
            for (int j = 0; j <= other.length(); j++) {
                steps[i][j] = i == 0 ? j : j == 0 ? i : step(one, other, steps, i, j);
            }
        }
        return steps[one.length()][other.length()];
    }

    private static int step(String one, String other, int[][] steps, int i, int j) {
        int exchange = steps[i - 1][j - 1] + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
        int least = Math.min(exchange, 1 + Math.min(steps[i - 1][j], steps[i][j - 1]));
        boolean swapped =
                i > 1 && j > 1 && one.charAt(i - 1) == other.charAt(j - 2) && one.charAt(i - 2) == other.charAt(j - 1);
        return swapped ? Math.min(least, steps[i - 2][j - 2] + 1) : least;
    }
}
