package org.jspdl.cli.arguments;

/// One option of a command.
///
/// @param name   as typed, with its dashes
/// @param value  what its value is called in the help; empty for a flag
/// @param help   one sentence or two, without a full stop's worth of padding
/// @param former what it was called once, which is suggested and not accepted; empty for most
public record Option(String name, String value, String help, String former) {

    /// An option without a value.
    public static Option flag(String name, String help) {
        return new Option(name, "", help, "");
    }

    /// An option that is followed by a value.
    public static Option valued(String name, String value, String help) {
        return new Option(name, value, help, "");
    }

    /// This option, which was once called `formerName`.
    public Option formerly(String formerName) {
        return new Option(name, value, help, formerName);
    }

    boolean takesValue() {
        return !value.isEmpty();
    }

    String usage() {
        return takesValue() ? name + " " + value : name;
    }
}
