package org.jspdl.cli.arguments;

import java.util.List;
import java.util.Locale;
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
        int bestDistance = Slips.most(given) + 1;
        for (Group group : groups) {
            for (Option option : group.options()) {
                int distance = Stream.concat(Stream.of(option.name()), option.others().stream())
                        .mapToInt(name -> Slips.between(given.toLowerCase(Locale.ROOT), name))
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
}
