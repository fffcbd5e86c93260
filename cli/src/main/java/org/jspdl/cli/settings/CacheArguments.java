package org.jspdl.cli.settings;

import java.io.IOException;
import java.net.BindException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspdl.cli.arguments.CommandLine;
import org.jspdl.cli.arguments.UsageException;
import org.jspdl.data.cache.OpenedCache;
import org.jspdl.data.storage.FailureReasons;
import org.jspdl.data.storage.Storage;

/// Reads `--cache`, `--cache-size`, `--cache-peers` and `--cache-serve`.
///
/// @param line what was given
public record CacheArguments(CommandLine line) {
    private static final String MEMORY = "memory";
    private static final long LEAST_BYTES = 1 << 20;
    private static final Pattern SIZE = Pattern.compile("(\\d{1,12})([KMGT]?)i?B?", Pattern.CASE_INSENSITIVE);

    /// A cache, or none. Closes it.
    public record Opened(Optional<OpenedCache> cache) implements AutoCloseable {
        /// `storage`, behind the cache if there is one.
        public Storage over(Storage storage) {
            return cache.<Storage>map(kept -> kept.over(storage)).orElse(storage);
        }

        @Override
        public void close() {
            cache.ifPresent(OpenedCache::close);
        }
    }

    /// Opens the cache that was asked for, or none.
    ///
    /// @throws UsageException if the cache cannot be as it was asked for
    public Opened open() throws UsageException {
        Optional<String> place = line.text("--cache");
        if (place.isEmpty()) {
            for (String option : List.of("--cache-size", "--cache-peers", "--cache-serve", "--trust-cache-folder")) {
                if (line.has(option)) {
                    throw new UsageException(option + " needs --cache, which says where the cache is");
                }
            }
            return new Opened(Optional.empty());
        }
        boolean inMemory = place.get().equals(MEMORY);
        String size = line.text("--cache-size").orElse(inMemory ? "1G" : "10G");
        long budget = bytes("--cache-size", size);
        if (budget < LEAST_BYTES) {
            throw new UsageException(
                    "--cache-size must be at least 1M, or hardly a file fits, but was '" + size + "', which are bytes");
        }
        Map<String, String> said = said(place.get());
        said.put("size", Long.toString(budget));
        return new Opened(Optional.of(opened(said)));
    }

    /// What plans call it.
    private Map<String, String> said(String place) throws UsageException {
        Map<String, String> said = new TreeMap<>();
        said.put("folder", place.equals(MEMORY) ? MEMORY : folder(place).toString());
        line.text("--cache-peers").ifPresent(peers -> said.put("peers", peers));
        line.text("--cache-serve").ifPresent(port -> said.put("serve", port));
        return said;
    }

    /// The same for a plan, as its parameters.
    public Map<String, Object> ofPlan() throws UsageException {
        Map<String, Object> parameters = new TreeMap<>();
        if (line.text("--cache").isPresent()) {
            Map<String, String> said = said(line.text("--cache").orElseThrow());
            parameters.put("cache", said.size() == 1 ? said.get("folder") : said);
        }
        if (line.text("--cache-size").isPresent()) {
            parameters.put(
                    "cache-size",
                    Long.toString(
                            bytes("--cache-size", line.text("--cache-size").orElseThrow())));
        }
        return parameters;
    }

    private Path folder(String given) throws UsageException {
        try {
            OpenedCache.requirePlace(given);
        } catch (IllegalArgumentException meant) {
            throw new UsageException("--" + meant.getMessage());
        }
        return new RunArguments(line).outsideDataset("--cache", given).toAbsolutePath();
    }

    private OpenedCache opened(Map<String, String> said) throws UsageException {
        String place = said.getOrDefault("folder", "");
        if (!place.equals(MEMORY) && Files.exists(Path.of(place)) && !Files.isDirectory(Path.of(place))) {
            throw new UsageException("--cache must be a folder, or 'memory', but " + place + " is a file");
        }
        try {
            return OpenedCache.open(said, Path.of(""), System.getenv(), line.has("--trust-cache-folder"));
        } catch (IllegalArgumentException wrong) {
            throw new UsageException(String.valueOf(wrong.getMessage()));
        } catch (IOException unusable) {
            if (unusable.getCause() instanceof BindException) {
                throw new UsageException(String.valueOf(unusable.getMessage()));
            }
            throw new UsageException("--cache cannot use " + place + ": " + FailureReasons.of(unusable));
        }
    }

    /// The bytes that `text` means, the value of `option`.
    public static long bytes(String option, String text) throws UsageException {
        Matcher matcher = SIZE.matcher(text);
        if (matcher.matches()) {
            int power = " KMGT"
                    .indexOf(matcher.group(2).isEmpty() ? " " : matcher.group(2).toUpperCase(Locale.ROOT));
            long number = Long.parseLong(matcher.group(1));
            if (number > 0 && number <= Long.MAX_VALUE >> (10 * power)) {
                return number << (10 * power);
            }
        }
        throw new UsageException(
                option + " must be a number of bytes above 0, such as 500M, 20G or 1T, but was '" + text + "'");
    }
}
