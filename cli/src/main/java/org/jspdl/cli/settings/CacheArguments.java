package org.jspdl.cli.settings;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspdl.cli.arguments.CommandLine;
import org.jspdl.cli.arguments.UsageException;
import org.jspdl.data.cache.ByteCache;
import org.jspdl.data.cache.CachedStorage;
import org.jspdl.data.cache.DiskCache;
import org.jspdl.data.cache.MemoryCache;
import org.jspdl.data.storage.FailureReasons;
import org.jspdl.data.storage.Storage;

/// Reads `--cache` and `--cache-size`.
///
/// @param line what was given
public record CacheArguments(CommandLine line) {
    private static final String MEMORY = "memory";
    private static final long LEAST_BYTES = 1 << 20;
    private static final Pattern SIZE = Pattern.compile("(\\d{1,12})([KMGT]?)i?B?", Pattern.CASE_INSENSITIVE);

    /// A cache, or none. Closes it.
    public record Opened(Optional<ByteCache> cache) implements AutoCloseable {
        /// `storage`, behind the cache if there is one.
        public Storage over(Storage storage) {
            return cache.<Storage>map(kept -> CachedStorage.of(storage, kept)).orElse(storage);
        }

        /// What a cache in memory may hold; 0 without one.
        public long memoryBytes() {
            return cache.filter(MemoryCache.class::isInstance)
                    .map(kept -> kept.stats().budgetBytes())
                    .orElse(0L);
        }

        @Override
        public void close() {
            cache.ifPresent(ByteCache::close);
        }
    }

    /// Opens the cache that was asked for, or none.
    ///
    /// @throws UsageException if the cache cannot be as it was asked for
    public Opened open() throws UsageException {
        Optional<String> place = line.text("--cache");
        if (place.isEmpty()) {
            if (line.text("--cache-size").isPresent()) {
                throw new UsageException("--cache-size needs --cache, which says where the cache is");
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
        return new Opened(Optional.of(inMemory ? MemoryCache.create(budget) : onDisk(place.get(), budget)));
    }

    /// The same for a plan, as its parameters.
    public Map<String, String> ofPlan() throws UsageException {
        Map<String, String> parameters = new TreeMap<>();
        if (line.text("--cache").isPresent()) {
            String place = line.text("--cache").orElseThrow();
            parameters.put(
                    "cache",
                    place.equals(MEMORY)
                            ? MEMORY
                            : new RunArguments(line)
                                    .localPath("--cache", place)
                                    .toAbsolutePath()
                                    .toString());
        }
        if (line.text("--cache-size").isPresent()) {
            parameters.put(
                    "cache-size",
                    Long.toString(
                            bytes("--cache-size", line.text("--cache-size").orElseThrow())));
        }
        return parameters;
    }

    private DiskCache onDisk(String given, long budget) throws UsageException {
        Path folder = new RunArguments(line).localPath("--cache", given);
        if (Files.exists(folder) && !Files.isDirectory(folder)) {
            throw new UsageException("--cache must be a folder, or 'memory', but " + folder + " is a file");
        }
        try {
            return line.has("--trust-cache-folder")
                    ? DiskCache.openTrusting(folder, budget)
                    : DiskCache.open(folder, budget);
        } catch (IOException unusable) {
            throw new UsageException("--cache cannot use " + folder + ": " + FailureReasons.of(unusable));
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
