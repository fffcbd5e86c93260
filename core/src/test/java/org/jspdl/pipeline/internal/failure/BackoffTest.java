package org.jspdl.pipeline.internal.failure;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import org.jspdl.pipeline.FailurePolicy;
import org.junit.jupiter.api.Test;

class BackoffTest {
    private static Failures after(Duration backoff) {
        FailurePolicy policy = FailurePolicy.failFast().retry(100, backoff);
        return new Failures("pipeline", "stage", policy, new FailureBudget(policy), List.of());
    }

    private static long[] pauses(Duration backoff, int attempt) {
        Failures failures = after(backoff);
        return LongStream.range(0, 1_000)
                .map(_ -> failures.backoffNanos(attempt))
                .toArray();
    }

    @Test
    void aPauseIsDoubledWithEachAttemptAndShortenedByUpToAHalf() {
        assertThat(LongStream.of(pauses(Duration.ofMillis(10), 4)).boxed())
                .allMatch(nanos -> nanos >= 40_000_000 && nanos <= 80_000_000)
                .satisfies(all -> assertThat(all.stream().distinct().count()).isGreaterThan(900));
    }

    @Test
    void noPauseIsLongerThanThirtySecondsUnlessThePolicyAsksForIt() {
        assertThat(LongStream.of(pauses(Duration.ofMillis(10), 99)).boxed())
                .allMatch(nanos -> nanos <= Duration.ofSeconds(30).toNanos());
        assertThat(LongStream.of(pauses(Duration.ofMinutes(5), 99)).boxed())
                .allMatch(nanos -> nanos >= Duration.ofSeconds(150).toNanos()
                        && nanos <= Duration.ofMinutes(5).toNanos());
        assertThat(LongStream.of(pauses(Duration.ZERO, 99)).boxed()).containsOnly(0L);
    }
}
