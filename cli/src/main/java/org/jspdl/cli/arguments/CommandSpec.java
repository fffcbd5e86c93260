package org.jspdl.cli.arguments;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// What a command accepts, and how it presents itself.
///
/// @param name     the command's name, as typed after the program's
/// @param operand  what its one optional operand is called, empty if it takes none
/// @param summary  what it does, in a sentence
/// @param groups   its options, in the order of the help
/// @param closing  lines shown below the options, such as examples
public record CommandSpec(String name, String operand, String summary, List<Group> groups, List<String> closing) {

    /// Options that belong together.
    public record Group(String title, List<Option> options) {}

    Optional<Option> find(String given) {
        return groups.stream()
                .flatMap(group -> group.options().stream())
                .filter(option -> option.name().equals(given))
                .findFirst();
    }

    /// The option that some know by that name, or whose name is nearest to what was typed, if one is near enough to
    /// be meant.
    Optional<Option> nearest(String given) {
        Optional<Option> known = groups.stream()
                .flatMap(group -> group.options().stream())
                .filter(option -> option.others().contains(given))
                .findFirst();
        return known.isPresent() ? known : similar(given);
    }

    private Optional<Option> similar(String given) {
        Option best = null;
        // One or two: `--workers` is no slip for `--order`, nor `--out` for `--run`. Dashes are in every name.
        int bestDistance = Math.clamp(given.replace("-", "").length() / 3, 1, 2) + 1;
        for (Group group : groups) {
            for (Option option : group.options()) {
                int distance = Stream.concat(Stream.of(option.name()), option.others().stream())
                        .mapToInt(name -> slips(given, name))
                        .min()
                        .orElseThrow();
                if (distance < bestDistance) {
                    bestDistance = distance;
                    best = option;
                }
            }
        }
        return Optional.ofNullable(best);
    }

    /// How many slips make `b` of `a`: a letter too many, too few or another, or two in each other's place.
    private static int slips(String a, String b) {
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
