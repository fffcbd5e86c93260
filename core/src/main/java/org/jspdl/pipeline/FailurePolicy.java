package org.jspdl.pipeline;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspdl.internal.Arguments;

/// What happens when user code throws: a stage's function, what is fused behind it, the key of a route, a gatherer.
///
/// A base decides whether the run survives ([#failFast], [#skip], [#skipRate]); retrying and quarantining modify it.
/// Skipped items are closed, counted, and no longer part of the run.
///
/// Failures are counted over a whole run, all its epochs together and what is read ahead of the next one included. A
/// run that ends by a failure of an epoch that was read ahead delivers the epoch before it whole, unless that epoch
/// waits for another input of a merge.
public sealed interface FailurePolicy {

    /// Calls after which [#skipRate(double)] is first applied, so that one early failure doesn't stop a run.
    long DEFAULT_MIN_CALLS = 100;

    /// The first failure stops the run. The default.
    ///
    /// What was finished before is still delivered, then the consumer gets the exception. In input order that is at
    /// most what came before the failed item; in completion order items that follow it may be among it.
    static FailurePolicy failFast() {
        return new FailFast();
    }

    /// Drops failed items; one more than `limit` stops the run.
    static FailurePolicy skip(long limit) {
        return new SkipCount(limit);
    }

    /// Drops failed items while at most `rate` of all calls failed, from the 100th call on.
    static FailurePolicy skipRate(double rate) {
        return new SkipRate(rate, DEFAULT_MIN_CALLS);
    }

    /// Drops failed items while at most `rate` of all calls failed, from call number `minCalls` on.
    static FailurePolicy skipRate(double rate, long minCalls) {
        return new SkipRate(rate, minCalls);
    }

    /// Calls the function of a `pipe`, `pipeAsync` or `flatMap` again, up to `maxAttempts` calls in all, before the
    /// failure counts. A virtual thread waits `backoff` between calls; a compute thread too, so keep it short
    /// there. The wait is doubled each time, up to 30 seconds or `backoff` if that is longer, and chance shortens
    /// it by up to a half. Of several retries the one that was added last counts.
    default FailurePolicy retry(int maxAttempts, Duration backoff) {
        return new Retry(this, maxAttempts, backoff, failure -> true);
    }

    /// As [#retry(int, Duration)], only for failures that `retryable` accepts.
    default FailurePolicy retry(int maxAttempts, Duration backoff, Predicate<Throwable> retryable) {
        return new Retry(this, maxAttempts, backoff, retryable);
    }

    /// Tells `quarantine` of every skipped item, on the thread where it failed, instead of the log.
    default FailurePolicy quarantine(Consumer<? super FailedItem> quarantine) {
        return new Quarantine(this, quarantine);
    }

    /// See [#failFast].
    record FailFast() implements FailurePolicy {}

    /// See [#skip].
    ///
    /// @param limit the most failures that are survived
    record SkipCount(long limit) implements FailurePolicy {
        /// Checks the limit.
        public SkipCount {
            Arguments.notNegative("skip limit", limit);
        }
    }

    /// See [#skipRate(double, long)].
    ///
    /// @param rate      the largest part of calls that may fail, above 0 and at most 1
    /// @param minCalls calls before the rate is applied
    record SkipRate(double rate, long minCalls) implements FailurePolicy {
        /// Checks both numbers.
        public SkipRate {
            if (!(rate > 0 && rate <= 1)) {
                throw new IllegalArgumentException("skip rate must be above 0 and at most 1 but was " + rate);
            }
            Arguments.atLeastOne("minCalls", minCalls);
        }
    }

    /// See [#retry(int, Duration)].
    ///
    /// @param base      what happens when the last attempt fails
    /// @param maxAttempts the most calls for one item
    /// @param backoff   the wait before the second call
    /// @param retryable whether a failure may pass
    record Retry(FailurePolicy base, int maxAttempts, Duration backoff, Predicate<Throwable> retryable)
            implements FailurePolicy {
        /// Checks the attempts and the backoff.
        public Retry {
            Arguments.atLeastOne("maxAttempts", maxAttempts);
            backoff = Arguments.notNegative("backoff", backoff);
            requireNonNull(retryable, "retryable");
        }
    }

    /// See [#quarantine].
    ///
    /// @param base     the policy that skips
    /// @param recorder is told of each skipped item
    record Quarantine(FailurePolicy base, Consumer<? super FailedItem> recorder) implements FailurePolicy {
        /// Checks the recorder.
        public Quarantine {
            requireNonNull(recorder, "quarantine");
        }
    }
}
