package org.jspdl.cli.arguments;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The options and the operand that were given to a command, checked against what it accepts.
///
/// Values may follow their option as the next word or after `=`. The last of repeated options counts; `--` ends the
/// options.
public final class CommandLine {
    private static final Pattern TIME = Pattern.compile("(\\d{1,9}) ?(ms|s|m|h)");

    private final Map<String, String> values;
    private final Optional<String> operand;

    private CommandLine(Map<String, String> values, Optional<String> operand) {
        this.values = values;
        this.operand = operand;
    }

    /// Reads `words`, those after the command's name.
    ///
    /// @throws UsageException if an option is unknown, lacks its value, or there are too many operands
    public static CommandLine parse(List<String> words, CommandSpec spec) throws UsageException {
        Map<String, String> values = new HashMap<>();
        Optional<String> operand = Optional.empty();
        boolean optionsEnded = false;
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            if (!optionsEnded && word.equals("--")) {
                optionsEnded = true;
            } else if (!optionsEnded && word.startsWith("-") && word.length() > 1) {
                int equals = word.indexOf('=');
                String name = equals < 0 ? word : word.substring(0, equals);
                Option option = spec.find(name).orElse(null);
                if (option == null) {
                    throw new UsageException(unknown(name, spec));
                }
                if (!option.takesValue() && equals >= 0) {
                    throw new UsageException(name + " takes no value");
                }
                if (option.takesValue() && equals < 0 && i + 1 == words.size()) {
                    throw new UsageException(name + " needs a value: " + option.usage());
                }
                if (option.takesValue() && equals < 0 && isOption(words.get(i + 1), spec)) {
                    throw new UsageException(name + " needs a value, " + option.usage()
                            + ", but an option follows; write " + name + "=" + words.get(i + 1)
                            + " if that is the value");
                }
                values.put(name, !option.takesValue() ? "" : equals >= 0 ? word.substring(equals + 1) : words.get(++i));
            } else if (spec.operand().isEmpty()) {
                throw new UsageException("unexpected argument '" + word + "': " + spec.name() + " takes options only");
            } else if (operand.isPresent()) {
                throw new UsageException("unexpected argument '" + word + "': " + spec.name() + " takes one "
                        + spec.operand() + ", which is '" + operand.get() + "'");
            } else {
                operand = Optional.of(word);
            }
        }
        return new CommandLine(values, operand);
    }

    /// Whether a word in the place of a value is an option, whose value was forgotten before it.
    private static boolean isOption(String word, CommandSpec spec) {
        int equals = word.indexOf('=');
        return word.startsWith("--")
                && spec.find(equals < 0 ? word : word.substring(0, equals)).isPresent();
    }

    private static String unknown(String name, CommandSpec spec) {
        return "unknown option '" + name + "'"
                + spec.nearest(name)
                        .map(option -> "; did you mean " + option.name() + "?")
                        .orElse("");
    }

    /// What was given besides options.
    public Optional<String> operand() {
        return operand;
    }

    /// Whether the flag or option was given.
    public boolean has(String name) {
        return values.containsKey(name);
    }

    /// The option's value, if it was given.
    public Optional<String> text(String name) {
        return Optional.ofNullable(values.get(name));
    }

    /// The option's value as a whole number.
    ///
    /// @throws UsageException if it is none, or outside `low` to `high`
    public long number(String name, long otherwise, long low, long high) throws UsageException {
        String given = values.get(name);
        if (given == null) {
            return otherwise;
        }
        try {
            long number = Long.parseLong(given);
            if (number >= low && number <= high) {
                return number;
            }
        } catch (NumberFormatException notANumber) {
            // reported below, as for a number out of range
        }
        if (low == Long.MIN_VALUE && high == Long.MAX_VALUE) {
            throw new UsageException(name + " must be a whole number, of 64 bits at most, but was '" + given + "'");
        }
        throw new UsageException(
                high == Long.MAX_VALUE
                        ? String.format(
                                Locale.ROOT, "%s must be a whole number of at least %,d but was '%s'", name, low, given)
                        : String.format(
                                Locale.ROOT,
                                "%s must be a whole number from %,d to %,d but was '%s'",
                                name,
                                low,
                                high,
                                given));
    }

    /// The option's value as a positive time of at most a day: a whole number of `ms`, `s`, `m` or `h`, as plans
    /// write it.
    ///
    /// @throws UsageException if it is none
    public Duration duration(String name, Duration otherwise) throws UsageException {
        String given = values.get(name);
        if (given == null) {
            return otherwise;
        }
        Matcher matcher = TIME.matcher(given);
        if (matcher.matches()) {
            Duration time = Duration.of(Long.parseLong(matcher.group(1)), unit(matcher.group(2)));
            if (time.isPositive() && time.compareTo(Duration.ofDays(1)) <= 0) {
                return time;
            }
        }
        throw new UsageException(name + " must be a time such as 500ms or 30s, at most a day, but was '" + given + "'");
    }

    private static ChronoUnit unit(String name) {
        return switch (name) {
            case "ms" -> ChronoUnit.MILLIS;
            case "s" -> ChronoUnit.SECONDS;
            case "m" -> ChronoUnit.MINUTES;
            default -> ChronoUnit.HOURS;
        };
    }

    /// As [#number], for values that fit an `int`.
    public int integer(String name, int otherwise, int low, int high) throws UsageException {
        return Math.toIntExact(number(name, otherwise, low, high));
    }

    /// The option's value as one of the constants of `type`, in lower case.
    ///
    /// @throws UsageException if it is none of them
    public <E extends Enum<E>> E choice(String name, E otherwise, Class<E> type) throws UsageException {
        String given = values.get(name);
        if (given == null) {
            return otherwise;
        }
        StringBuilder allowed = new StringBuilder();
        for (E constant : type.getEnumConstants()) {
            String spelled = constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
            if (spelled.equals(given)) {
                return constant;
            }
            allowed.append(allowed.isEmpty() ? "" : " or ").append(spelled);
        }
        throw new UsageException(name + " must be " + allowed + " but was '" + given + "'");
    }
}
