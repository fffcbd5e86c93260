package org.jspdl.data.storage;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// One thing that people may say about how remote storage is read, as a name and a text: `read-deadline=20s`. The names
/// are the same on the command line, in plans and in Python, and the defaults are those of [StorageOptions].
public enum StorageSetting {
    /// The longest a read may take, with all its repeats.
    READ_DEADLINE(options -> text(options.readDeadline()), (options, given) -> options.readDeadline(given.time())),

    /// The bounds of the pauses before retries, the first and the longest.
    RETRY_PAUSES(
            options -> text(options.retries().firstPause()) + ".."
                    + text(options.retries().longestPause()),
            (options, given) -> options.retries(given.pauses(options.retries()))),

    /// Retries that each request earns.
    RETRY_BUDGET(options -> text(options.retries().budget()), (options, given) -> options.retryBudget(given.number())),

    /// Of healthy reads: after that, a read is sent a second time.
    HEDGE_QUANTILE(
            options -> text(options.hedging().quantile()),
            (options, given) -> options.hedging(
                    new StorageOptions.Hedging(given.number(), options.hedging().share()))),

    /// The most second requests, as a share of all; 0 for none.
    HEDGE_SHARE(
            options -> text(options.hedging().share()),
            (options, given) ->
                    options.hedging(new StorageOptions.Hedging(options.hedging().quantile(), given.number()))),

    /// The most requests to one host at a time.
    REQUESTS_PER_HOST(
            options -> Integer.toString(options.requestsPerHost()),
            (options, given) -> options.requestsPerHost(given.count())),

    /// Ranges of an object that are no further apart are read in one request.
    COALESCE_GAP(
            options -> bytes(options.ranges().gapBytes()), (options, given) -> options.coalesceGapBytes(given.bytes())),

    /// Longer reads are split.
    LARGEST_REQUEST(
            options -> bytes(options.ranges().largestBytes()),
            (options, given) -> options.largestRequestBytes(given.bytes())),

    /// A file with headers for web servers; see [RequestHeaders#fromFile].
    HTTP_HEADERS(
            _ -> "",
            (options, given) -> options.headers(options.access().headers().fromFile(given.file()))),

    /// A `.netrc` file with names and passwords for web servers; see [RequestHeaders#fromNetrc].
    NETRC(
            _ -> "",
            (options, given) -> options.headers(options.access().headers().fromNetrc(given.file())));

    private static final Pattern TIME = Pattern.compile("(\\d{1,9}) ?(ms|s|m|h)");
    private static final Pattern COUNT = Pattern.compile("\\d{1,9}");
    private static final Pattern BYTES = Pattern.compile("(\\d{1,9}) ?(?:([KMG])i?B?)?");

    private final Function<StorageOptions, String> text;
    private final Change change;

    /// How options become others.
    @FunctionalInterface
    private interface Change {
        StorageOptions change(StorageOptions options, Given given) throws IOException;
    }

    StorageSetting(Function<StorageOptions, String> text, Change change) {
        this.text = text;
        this.change = change;
    }

    /// How it is written.
    public String key() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /// What `options` say, as [#apply] reads it; empty for a file, which options do not remember.
    public String of(StorageOptions options) {
        return text.apply(options);
    }

    /// `options` with all that is `given`, by [#key].
    ///
    /// @param folder where relative paths begin
    /// @throws IllegalArgumentException if there is no such setting, or its value makes no sense; the message names
    ///     it
    /// @throws IOException              if a file that is named cannot be read
    public static StorageOptions apply(StorageOptions options, Map<String, String> given, Path folder)
            throws IOException {
        StorageOptions changed = options;
        for (Map.Entry<String, String> each : given.entrySet()) {
            Given value = new Given(each.getKey(), each.getValue().strip(), folder);
            try {
                changed = find(each.getKey()).change.change(changed, value);
            } catch (IllegalArgumentException wrong) {
                String reason = String.valueOf(wrong.getMessage());
                throw new IllegalArgumentException(
                        reason.startsWith("storage ") ? reason : "storage " + each.getKey() + ": " + reason, wrong);
            }
        }
        return changed;
    }

    private static StorageSetting find(String key) {
        StringJoiner all = new StringJoiner(", ");
        for (StorageSetting setting : values()) {
            if (setting.key().equals(key)) {
                return setting;
            }
            all.add(setting.key());
        }
        throw new IllegalArgumentException("storage has no setting '" + Printable.of(key) + "', but " + all);
    }

    /// What was given for one setting.
    private record Given(String key, String value, Path folder) {
        Duration time() {
            return time(value);
        }

        private Duration time(String text) {
            Matcher matcher = TIME.matcher(text);
            if (!matcher.matches()) {
                throw wrong("a time such as 500ms, 30s or 5m");
            }
            long number = Long.parseLong(matcher.group(1));
            return switch (matcher.group(2)) {
                case "ms" -> Duration.ofMillis(number);
                case "s" -> Duration.ofSeconds(number);
                case "m" -> Duration.ofMinutes(number);
                default -> Duration.ofHours(number);
            };
        }

        StorageOptions.Retries pauses(StorageOptions.Retries before) {
            int dots = value.indexOf("..");
            if (dots < 0) {
                throw wrong("two times such as 100ms..10s");
            }
            return new StorageOptions.Retries(
                    time(value.substring(0, dots)), time(value.substring(dots + 2)), before.budget());
        }

        double number() {
            try {
                return Double.parseDouble(value);
            } catch (NumberFormatException notANumber) {
                throw wrong("a number");
            }
        }

        int count() {
            if (!COUNT.matcher(value).matches()) {
                throw wrong("a whole number");
            }
            return Integer.parseInt(value);
        }

        long bytes() {
            Matcher matcher = BYTES.matcher(value);
            if (!matcher.matches()) {
                throw wrong("a number of bytes such as 64KiB");
            }
            String unit = Optional.ofNullable(matcher.group(2)).orElse(" ");
            return Long.parseLong(matcher.group(1)) << (10 * " KMG".indexOf(unit));
        }

        Path file() {
            return folder.resolve(value);
        }

        private IllegalArgumentException wrong(String expected) {
            return new IllegalArgumentException(
                    "storage " + key + " must be " + expected + " but was '" + Printable.of(value) + "'");
        }
    }

    private static String text(double number) {
        return Double.toString(number);
    }

    private static String text(Duration time) {
        long millis = time.toMillis();
        return millis % 60_000 == 0
                ? millis / 60_000 + "m"
                : millis % 1_000 == 0 ? millis / 1_000 + "s" : millis + "ms";
    }

    private static String bytes(long count) {
        return count % (1 << 20) == 0
                ? (count >> 20) + "MiB"
                : count % (1 << 10) == 0 ? (count >> 10) + "KiB" : "" + count;
    }
}
