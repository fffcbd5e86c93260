package org.jspdl.cli.arguments;

import java.util.Collection;
import java.util.Optional;

/// Words that were typed wrongly, and what was meant.
public final class Slips {
    private Slips() {}

    /// The one of `words` that is nearest to what was typed, if one is near enough to be meant.
    public static Optional<String> nearest(String given, Collection<String> words) {
        int bestDistance = most(given) + 1;
        String best = null;
        for (String word : words) {
            int distance = between(given, word);
            if (distance < bestDistance) {
                bestDistance = distance;
                best = word;
            }
        }
        return Optional.ofNullable(best);
    }

    /// The most slips with which a word is still taken for another.
    static int most(String given) {
        return Math.clamp(given.replace("-", "").length() / 3, 1, 2);
    }

    /// How many slips make `b` of `a`: a letter too many, too few or another, or two in each other's place.
    static int between(String a, String b) {
        int[][] distance = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                distance[i][j] = i == 0 || j == 0 ? i + j : fewest(a, b, i, j, distance);
            }
        }
        return distance[a.length()][b.length()];
    }

    private static int fewest(String a, String b, int i, int j, int[][] distance) {
        boolean same = a.charAt(i - 1) == b.charAt(j - 1);
        int least =
                Math.min(distance[i - 1][j - 1] + (same ? 0 : 1), 1 + Math.min(distance[i - 1][j], distance[i][j - 1]));
        boolean swapped = i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
        return swapped ? Math.min(least, distance[i - 2][j - 2] + 1) : least;
    }
}
