package org.jspdl.benchmarks;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/// What does it cost to pass an item through three stages, against the other ways of the JDK?
///
/// The score is items a second through all three steps, starting and ending the threads of a run of 50,000 items
/// included. With `tokens=0` a step does nothing, so that only the handover is left; with 5,000 it computes for about
/// 10 us.
///
/// Run: `java -jar benchmarks/target/benchmarks.jar HandOver`, or a part of it: `HandOver -p concurrency=1 -p tokens=0`
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class HandOver {
    static final int ITEMS = 50_000;

    /// The name of one of [Ways].
    @Param({
        "LOOP",
        "JSPDL_CPU",
        "JSPDL_CPU_ORDERED",
        "JSPDL_IO",
        "QUEUES",
        "PARALLEL_STREAM",
        "MAP_CONCURRENT",
        "REACTOR"
    })
    String way = "";

    @Param({"1", "2", "4"})
    int concurrency;

    @Param({"0", "5000"})
    long tokens;

    private Work work = new Work(0);
    private List<Long> items = List.of();

    /// Made by JMH.
    public HandOver() {}

    /// Makes the items, outside the measurement.
    @Setup
    public void prepare() {
        work = new Work(tokens);
        items = Work.items(ITEMS);
    }

    /// Passes all items through once.
    @Benchmark
    @OperationsPerInvocation(ITEMS)
    public long items() throws InterruptedException {
        return Ways.valueOf(way).sum(items, work, concurrency);
    }
}
