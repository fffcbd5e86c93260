package org.jspdl.cli.run;

import java.time.Duration;
import java.util.Optional;
import org.jspdl.memory.NamedValues;
import org.jspdl.memory.Tensor;
import org.jspdl.observe.process.ProcessReader;
import org.jspdl.observe.process.ProcessUsage;
import org.jspdl.pipeline.Run;
import org.jspdl.stats.PipelineStats;

/// Runs a pipeline for some seconds, as the real run will, and measures it. Used once, by one thread.
final class Probe {
    private static final Duration TICK = Duration.ofMillis(100);
    /// Before that, code is compiled, whatever the throughput seems to be.
    private static final long LEAST_NANOS = Duration.ofSeconds(2).toNanos();
    private static final long MOST_NANOS = Duration.ofSeconds(15).toNanos();
    /// For slow data, of which not even three batches come before.
    private static final long PATIENCE_NANOS = Duration.ofSeconds(60).toNanos();
    private static final long BETWEEN_NOTES_NANOS = Duration.ofMillis(100).toNanos();

    private final Consumption consumption = new Consumption();
    private final ProcessReader process = ProcessReader.ofThisProcess();
    private long batchBytes;
    private Memory most = new Memory(0, 0, 0);

    /// Resident memory, in bytes: the most that was seen of each.
    ///
    /// @param all   in all
    /// @param pools what buffer pools held
    /// @param other beside pools and heap
    record Memory(long all, long pools, long other) {
        Memory max(Memory more) {
            return new Memory(Math.max(all, more.all), Math.max(pools, more.pools), Math.max(other, more.other));
        }
    }

    /// What was seen.
    ///
    /// @param throughput empty if hardly a batch came
    /// @param batchBytes of the tensors of the largest batch; 0 if batches are something else
    /// @param memory     the most that was resident
    record Findings(
            PipelineStats stats, Optional<Throughput> throughput, long batchBytes, Memory memory, Duration took) {}

    /// The throughput, and what the machine did meanwhile.
    ///
    /// @param settled whether code was compiled and the throughput no longer rose
    record Throughput(ThroughputEstimate.Result result, ThroughputEstimate.Conditions conditions, boolean settled) {}

    /// Consumes `run`, which may go on for any number of epochs, until enough is known. The caller closes it.
    Findings measure(Run<?> run) throws InterruptedException {
        long begun = System.nanoTime();
        ThroughputEstimate estimate = new ThroughputEstimate(begun);
        long nextNote = begun;
        boolean done = false;
        do {
            while (!run.epochEnded() && !done) {
                Optional<?> next = run.poll(TICK);
                if (next.isPresent()) {
                    batchBytes = Math.max(batchBytes, bytes(next.get()));
                    estimate.counted(consumption.take(next.get()));
                }
                // Items that come one by one are noted in groups.
                if (next.isEmpty() || System.nanoTime() - nextNote >= 0) {
                    ProcessUsage usage = process.read();
                    most = most.max(memory(usage.memory()));
                    if (next.isPresent()) {
                        estimate.noted(Load.of(usage));
                        nextNote = usage.at() + BETWEEN_NOTES_NANOS;
                    }
                    done = isDone(estimate, usage.at() - begun);
                }
            }
        } while (!done && run.nextEpoch());
        return new Findings(
                run.stats(),
                estimate.isPossible()
                        ? Optional.of(new Throughput(estimate.result(), estimate.conditions(), estimate.isSettled()))
                        : Optional.empty(),
                batchBytes,
                most,
                Duration.ofNanos(System.nanoTime() - begun));
    }

    /// Whether enough is known after this time.
    static boolean isDone(ThroughputEstimate estimate, long nanos) {
        if (!estimate.isPossible()) {
            return nanos >= PATIENCE_NANOS;
        }
        return nanos >= MOST_NANOS || (nanos >= LEAST_NANOS && estimate.isSettled());
    }

    private static long bytes(Object batch) {
        long bytes = 0;
        if (batch instanceof NamedValues named) {
            for (Object value : named.namedValues().values()) {
                bytes += value instanceof Tensor tensor ? Tensor.byteSize(tensor.type(), tensor.shape()) : 0;
            }
        }
        return bytes;
    }

    private static Memory memory(ProcessUsage.Memory now) {
        return new Memory(
                now.resident(), now.pools(), Math.max(0, now.resident() - HeapUse.residentBytes() - now.pools()));
    }
}
