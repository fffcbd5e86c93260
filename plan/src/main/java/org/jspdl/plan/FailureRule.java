package org.jspdl.plan;

import java.time.Duration;
import org.jspdl.pipeline.FailurePolicy;

/// The failure policies that a plan can state. Immutable, and equal by value.
///
/// @param base     fail fast, skip up to a count, or skip up to a rate
/// @param attempts the most calls for one item before its failure counts
/// @param backoff  the wait before the second call, doubled for each after it
public record FailureRule(FailurePolicy base, int attempts, Duration backoff) {
    /// Checks that `base` is no modifier, and the numbers.
    public FailureRule {
        switch (base) {
            case FailurePolicy.FailFast _, FailurePolicy.SkipCount _, FailurePolicy.SkipRate _ -> {}
            case FailurePolicy.Retry _, FailurePolicy.Quarantine _ ->
                throw new IllegalArgumentException("a plan's failure rule must not modify another but was " + base);
        }
        if (attempts < 1 || backoff.isNegative() || (attempts == 1 && !backoff.isZero())) {
            throw new IllegalArgumentException(
                    "a failure rule needs at least 1 attempt, and a backoff of at least zero if"
                            + " there are more, but had " + attempts + " and " + backoff);
        }
    }

    /// `base` without further attempts.
    public static FailureRule of(FailurePolicy base) {
        return new FailureRule(base, 1, Duration.ZERO);
    }

    FailurePolicy policy() {
        return attempts == 1 ? base : base.retry(attempts, backoff);
    }
}
