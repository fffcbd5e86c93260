package org.jspdl.data.storage;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspdl.stats.RequestObserver;

/// How remote storage is read. Immutable; local files need none of it. [StorageSetting] has the names under which
/// people say the same in plans, in Python and to the command.
///
/// @param readDeadline    the longest a read may take, with all its repeats: it alone decides when a storage that does
///     not answer is given up
/// @param retries         how failed requests are repeated
/// @param hedging         when a slow request is sent a second time
/// @param requestsPerHost the most requests to one host at a time; further ones wait for their turn. Fewer are sent
///     while a host answers that it has too many
/// @param ranges          which bytes one request asks for
/// @param access          what may be asked, and who asks
/// @param notesFolder     where is kept for later runs what remote shards were found to hold; empty for nowhere
/// @param requests        is told of each request to another machine, and of bytes that are read
public record StorageOptions(
        Duration readDeadline,
        Retries retries,
        Hedging hedging,
        int requestsPerHost,
        Ranges ranges,
        Access access,
        Optional<Path> notesFolder,
        RequestObserver requests) {

    /// How failed requests are repeated. The wait before each is drawn between zero and a bound that doubles ("full
    /// jitter"), and is at least what `Retry-After` asks for.
    ///
    /// @param firstPause   the bound before the first retry
    /// @param longestPause no bound is larger
    /// @param budget       retries earned by each request, over all reads: 0.2 is one for every five. Without any
    ///     left a retry waits until time has earned one; none fails for it
    public record Retries(Duration firstPause, Duration longestPause, double budget) {
        /// @throws IllegalArgumentException if a value makes no sense, which it names
        public Retries {
            require(firstPause.isPositive(), "firstPause must be positive", firstPause);
            require(
                    longestPause.compareTo(firstPause) >= 0,
                    "longestPause must be at least firstPause, " + firstPause,
                    longestPause);
            require(longestPause.compareTo(LONGEST) <= 0, "longestPause must be at most 30 days", longestPause);
            require(budget >= 0 && budget <= 1, "retryBudget must be between 0 and 1", budget);
        }
    }

    /// When a read that is slower than most is sent a second time: the first answer counts, and the other request
    /// is cancelled.
    ///
    /// @param quantile of the healthy reads of late of the same host and a similar size, after which the second is
    ///     sent: 0.98 by default
    /// @param share    second requests are at most this share of all, 0.03 by default; 0 for none
    public record Hedging(double quantile, double share) {
        /// @throws IllegalArgumentException if a value makes no sense, which it names
        public Hedging {
            require(quantile >= 0.5 && quantile < 1, "quantile must be at least 0.5 and below 1", quantile);
            require(share >= 0 && share <= 1, "share must be between 0 and 1", share);
        }
    }

    /// Which bytes one request asks for.
    ///
    /// @param gapBytes     ranges of one object that are at most so far apart are read in one request
    /// @param largestBytes longer reads are split into requests of this size, which run at once
    public record Ranges(long gapBytes, long largestBytes) {
        /// @throws IllegalArgumentException if a value makes no sense, which it names
        public Ranges {
            require(gapBytes >= 0, "coalesceGapBytes must not be negative", gapBytes);
            require(largestBytes >= 64 << 10, "largestRequestBytes must be at least 65536", largestBytes);
        }
    }

    /// What may be asked, and who asks.
    ///
    /// @param local   whether lists and manifests from other machines may name local files
    /// @param hosts   hosts that are asked even if their address is link-local, as that of a cloud's service for
    ///     credentials is
    /// @param headers what web servers are told besides
    public record Access(boolean local, Set<String> hosts, RequestHeaders headers) {
        /// Copies the hosts.
        public Access {
            hosts = Set.copyOf(hosts);
        }
    }

    private static final Duration LONGEST = Duration.ofDays(30);
    private static final StorageOptions DEFAULTS = new StorageOptions(
            Duration.ofMinutes(5),
            new Retries(Duration.ofMillis(100), Duration.ofSeconds(10), 0.2),
            new Hedging(0.98, 0.03),
            256,
            new Ranges(64 << 10, 16 << 20),
            new Access(false, Set.of(), RequestHeaders.none()),
            Optional.empty(),
            RequestObserver.NONE);

    /// @throws IllegalArgumentException if a value makes no sense, which it names
    public StorageOptions {
        require(readDeadline.isPositive(), "readDeadline must be positive", readDeadline);
        require(readDeadline.compareTo(LONGEST) <= 0, "readDeadline must be at most 30 days", readDeadline);
        require(requestsPerHost >= 1, "requestsPerHost must be at least 1", requestsPerHost);
    }

    /// Options whose requests nobody is told of.
    public StorageOptions(
            Duration readDeadline,
            Retries retries,
            Hedging hedging,
            int requestsPerHost,
            Ranges ranges,
            Access access,
            Optional<Path> notesFolder) {
        this(readDeadline, retries, hedging, requestsPerHost, ranges, access, notesFolder, RequestObserver.NONE);
    }

    private static void require(boolean holds, String rule, Object value) {
        if (!holds) {
            throw new IllegalArgumentException(rule + " but was " + value);
        }
    }

    /// Five minutes a read, pauses from 0.1 s to 10 s, a budget of one retry for five requests, second requests
    /// after the 98th percentile and for at most 3 %, 256 requests to a host at a time, gaps of 64 KiB read over,
    /// requests of at most 16 MiB.
    public static StorageOptions defaults() {
        return DEFAULTS;
    }

    /// The defaults, with notes below the cache folder of the user: `$XDG_CACHE_HOME`, or `~/.cache` where that is
    /// not set.
    ///
    /// @param environment the process's environment variables
    /// @param home        the user's home folder
    public static StorageOptions ofUser(Map<String, String> environment, Path home) {
        String named = environment.getOrDefault("XDG_CACHE_HOME", "");
        Path caches = named.isEmpty() || !Path.of(named).isAbsolute() ? home.resolve(".cache") : Path.of(named);
        return DEFAULTS.notesFolder(caches.resolve("jspdl").resolve("notes"));
    }

    /// These options with another deadline.
    public StorageOptions readDeadline(Duration deadline) {
        return new StorageOptions(deadline, retries, hedging, requestsPerHost, ranges, access, notesFolder, requests);
    }

    /// These options with other repeats.
    public StorageOptions retries(Retries other) {
        return new StorageOptions(readDeadline, other, hedging, requestsPerHost, ranges, access, notesFolder, requests);
    }

    /// These options with another retry budget.
    public StorageOptions retryBudget(double perRequest) {
        return retries(new Retries(retries.firstPause, retries.longestPause, perRequest));
    }

    /// These options with other second requests.
    public StorageOptions hedging(Hedging other) {
        return new StorageOptions(readDeadline, retries, other, requestsPerHost, ranges, access, notesFolder, requests);
    }

    /// These options, under which no request is sent a second time because it is slow.
    public StorageOptions withoutHedging() {
        return hedging(new Hedging(hedging.quantile, 0));
    }

    /// These options with another limit per host.
    public StorageOptions requestsPerHost(int most) {
        return new StorageOptions(readDeadline, retries, hedging, most, ranges, access, notesFolder, requests);
    }

    /// These options with another gap and another size of requests.
    public StorageOptions ranges(Ranges other) {
        return new StorageOptions(
                readDeadline, retries, hedging, requestsPerHost, other, access, notesFolder, requests);
    }

    /// These options with another gap.
    public StorageOptions coalesceGapBytes(long gap) {
        return ranges(new Ranges(gap, ranges.largestBytes));
    }

    /// These options with another request size.
    public StorageOptions largestRequestBytes(long bytes) {
        return ranges(new Ranges(ranges.gapBytes, bytes));
    }

    private StorageOptions access(Access other) {
        return new StorageOptions(
                readDeadline, retries, hedging, requestsPerHost, ranges, other, notesFolder, requests);
    }

    /// These options, under which lists and manifests from other machines may name files of this one.
    public StorageOptions allowLocal() {
        return access(new Access(true, access.hosts, access.headers));
    }

    /// These options, under which these hosts may be asked at link-local addresses, too.
    public StorageOptions allowHosts(String... names) {
        return access(new Access(access.local, Set.of(names), access.headers));
    }

    /// These options, under which web servers are told `other`, instead of what they were told before.
    public StorageOptions headers(RequestHeaders other) {
        return access(new Access(access.local, access.hosts, other));
    }

    /// These options, keeping in `folder` for later runs what remote shards were found to hold.
    public StorageOptions notesFolder(Path folder) {
        return new StorageOptions(
                readDeadline, retries, hedging, requestsPerHost, ranges, access, Optional.of(folder), requests);
    }

    /// These options, telling `observer` of each request that was sent to another machine, and, where it asks for
    /// that, of the bytes that are read, of local files too.
    public StorageOptions requests(RequestObserver observer) {
        return new StorageOptions(
                readDeadline, retries, hedging, requestsPerHost, ranges, access, notesFolder, observer);
    }
}
