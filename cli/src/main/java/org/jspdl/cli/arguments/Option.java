package org.jspdl.cli.arguments;

import java.util.List;

/// One option of a command.
///
/// @param name   as typed, with its dashes
/// @param value  what its value is called in the help; empty for a flag
/// @param help   one sentence or two, without a full stop's worth of padding
/// @param others what it was called once, or is called by other loaders: suggested and not accepted
public record Option(String name, String value, String help, List<String> others) {

    /// An option without a value.
    public static Option flag(String name, String help) {
        return new Option(name, "", help, List.of());
    }

    /// An option that is followed by a value.
    public static Option valued(String name, String value, String help) {
        return new Option(name, value, help, List.of());
    }

    /// This option, which some know by `others`.
    public Option knownAs(String... others) {
        return new Option(name, value, help, List.of(others));
    }

    boolean takesValue() {
        return !value.isEmpty();
    }

    String usage() {
        return takesValue() ? name + " " + value : name;
    }
}
