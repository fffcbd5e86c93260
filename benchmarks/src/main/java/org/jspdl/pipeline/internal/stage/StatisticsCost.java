package org.jspdl.pipeline.internal.stage;

import java.util.concurrent.TimeUnit;
import org.jspdl.pipeline.internal.stage.WorkerSlot.State;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Warmup;

/// What do statistics cost for one item at one `cpu` stage, at most?
///
/// Does what the stage's slot and its link do to measure an item that comes alone: it is queued, taken, worked on and
/// put, and the link turns from empty to not empty and back. Items that come together share some of these.
///
/// Run: `java -jar benchmarks/target/benchmarks.jar StatisticsCost`
@org.openjdk.jmh.annotations.State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class StatisticsCost {
    private final WorkerSlot slot = new WorkerSlot(System.nanoTime());
    private long linkEmpty;

    /// Made by JMH.
    public StatisticsCost() {}

    /// One item.
    @Benchmark
    public long oneItem() {
        slot.enter(State.QUEUED, System.nanoTime());
        slot.enter(State.ENGINE, System.nanoTime());
        linkEmpty -= System.nanoTime();
        long begun = System.nanoTime();
        slot.enter(State.BUSY, begun);
        long ended = System.nanoTime();
        slot.enter(State.ENGINE, ended);
        slot.called(ended - begun);
        slot.completed++;
        linkEmpty += System.nanoTime();
        slot.enter(State.STARVED, System.nanoTime());
        return linkEmpty;
    }

    /// Reading the clock once, which is most of it.
    @Benchmark
    public long theClock() {
        return System.nanoTime();
    }
}
