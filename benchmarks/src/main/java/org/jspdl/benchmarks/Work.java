package org.jspdl.benchmarks;

import java.util.List;
import java.util.stream.LongStream;
import org.openjdk.jmh.infra.Blackhole;

/// The job that every way of handing over does: each number goes through three equal steps and is added up.
final class Work {
    static final int STEPS = 3;

    private final long tokens;

    /// @param tokens how long a step computes, in JMH's unit of about two nanoseconds; 0 for none
    Work(long tokens) {
        this.tokens = tokens;
    }

    static List<Long> items(int count) {
        return LongStream.range(0, count).boxed().toList();
    }

    /// What adding up the results must give, whatever the order.
    static long expected(int count) {
        return (long) count * (count - 1) / 2 + (long) STEPS * count;
    }

    Long step(Long item) {
        if (tokens > 0) {
            Blackhole.consumeCPU(tokens);
        }
        return item + 1;
    }
}
