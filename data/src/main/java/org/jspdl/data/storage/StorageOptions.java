package org.jspdl.data.storage;

import java.time.Duration;
import java.util.Set;

/// How remote storage is read. Immutable; local files need none of it.
///
/// @param readDeadline        the longest a read may take, with all its repeats: it alone decides when a storage that
///     does not answer is given up
/// @param retryBudget         retries allowed for each request, over all reads: 0.1 is one for every ten. A storage in
///     trouble is asked less, not more
/// @param requestsPerHost     requests to one host at a time; further ones wait for their turn
/// @param coalesceGapBytes    ranges of one object that are at most so far apart are read in one request
/// @param largestRequestBytes longer reads are split into requests of this size, which run at once
/// @param allowsLocal         whether lists and manifests from other machines may name local files
/// @param allowedHosts        hosts that are asked even if their address is link-local, as that of a cloud's service
///     for credentials is
public record StorageOptions(
        Duration readDeadline,
        double retryBudget,
        int requestsPerHost,
        long coalesceGapBytes,
        long largestRequestBytes,
        boolean allowsLocal,
        Set<String> allowedHosts) {
    private static final StorageOptions DEFAULTS =
            new StorageOptions(Duration.ofSeconds(60), 0.2, 256, 64 << 10, 16 << 20, false, Set.of());

    /// @throws IllegalArgumentException if a value makes no sense, which it names
    public StorageOptions {
        allowedHosts = Set.copyOf(allowedHosts);
        require(readDeadline.isPositive(), "readDeadline must be positive", readDeadline);
        require(retryBudget >= 0 && retryBudget <= 1, "retryBudget must be between 0 and 1", retryBudget);
        require(requestsPerHost >= 1, "requestsPerHost must be at least 1", requestsPerHost);
        require(coalesceGapBytes >= 0, "coalesceGapBytes must not be negative", coalesceGapBytes);
        require(largestRequestBytes >= 64 << 10, "largestRequestBytes must be at least 65536", largestRequestBytes);
    }

    private static void require(boolean holds, String rule, Object value) {
        if (!holds) {
            throw new IllegalArgumentException(rule + " but was " + value);
        }
    }

    /// 60 s a read, a budget of one retry for five requests, 256 requests to a host at a time, gaps
    /// of 64 KiB read over, requests of at most 16 MiB.
    public static StorageOptions defaults() {
        return DEFAULTS;
    }

    /// These options with another deadline.
    public StorageOptions readDeadline(Duration deadline) {
        return new StorageOptions(
                deadline,
                retryBudget,
                requestsPerHost,
                coalesceGapBytes,
                largestRequestBytes,
                allowsLocal,
                allowedHosts);
    }

    /// These options with another retry budget.
    public StorageOptions retryBudget(double perRequest) {
        return new StorageOptions(
                readDeadline,
                perRequest,
                requestsPerHost,
                coalesceGapBytes,
                largestRequestBytes,
                allowsLocal,
                allowedHosts);
    }

    /// These options with another limit per host.
    public StorageOptions requestsPerHost(int most) {
        return new StorageOptions(
                readDeadline, retryBudget, most, coalesceGapBytes, largestRequestBytes, allowsLocal, allowedHosts);
    }

    /// These options with another gap.
    public StorageOptions coalesceGapBytes(long gap) {
        return new StorageOptions(
                readDeadline, retryBudget, requestsPerHost, gap, largestRequestBytes, allowsLocal, allowedHosts);
    }

    /// These options with another request size.
    public StorageOptions largestRequestBytes(long bytes) {
        return new StorageOptions(
                readDeadline, retryBudget, requestsPerHost, coalesceGapBytes, bytes, allowsLocal, allowedHosts);
    }

    /// These options, under which lists and manifests from other machines may name files of this one.
    public StorageOptions allowLocal() {
        return new StorageOptions(
                readDeadline, retryBudget, requestsPerHost, coalesceGapBytes, largestRequestBytes, true, allowedHosts);
    }

    /// These options, under which these hosts may be asked at link-local addresses, too.
    public StorageOptions allowHosts(String... names) {
        return new StorageOptions(
                readDeadline,
                retryBudget,
                requestsPerHost,
                coalesceGapBytes,
                largestRequestBytes,
                allowsLocal,
                Set.of(names));
    }
}
