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
    private static final long MOST_NANOS = Duration.ofSeconds(10).toNanos();
    /// For slow data, of which not even three batches come before.
    private static final long PATIENCE_NANOS = Duration.ofSeconds(60).toNanos();
    private static final long BETWEEN_LOOKS_NANOS = Duration.ofMillis(100).toNanos();

    private final Consumption consumption = new Consumption();
    private final ProcessReader process = ProcessReader.ofThisProcess();
    private long batchBytes;
    private long poolBytes;
    private long otherBytes;

    /// What was seen.
    ///
    /// @param throughput empty if hardly a batch came
    /// @param batchBytes of the tensors of the largest batch; 0 if batches are something else
    /// @param poolBytes  the most that buffer pools held
    /// @param otherBytes the most that was resident beside them and what is in use of the heap
    record Findings(
            PipelineStats stats,
            Optional<ThroughputEstimate.Result> throughput,
            long batchBytes,
            long poolBytes,
            long otherBytes,
            Duration took) {}

    /// Consumes `run`, which may go on for any number of epochs, until enough is known. The caller closes it.
    Findings measure(Run<?> run) throws InterruptedException {
        long begun = System.nanoTime();
        ThroughputEstimate estimate = new ThroughputEstimate(begun);
        long nextLook = begun;
        boolean done = false;
        do {
            while (!run.epochEnded() && !done) {
                Optional<?> next = run.poll(TICK);
                if (next.isPresent()) {
                    batchBytes = Math.max(batchBytes, bytes(next.get()));
                    long items = consumption.take(next.get());
                    estimate.arrived(System.nanoTime(), items);
                }
                long now = System.nanoTime();
                if (now - nextLook >= 0) {
                    nextLook = now + BETWEEN_LOOKS_NANOS;
                    look();
                    done = isDone(estimate, now - begun);
                }
            }
        } while (!done && run.nextEpoch());
        return new Findings(
                run.stats(),
                estimate.isPossible() ? Optional.of(estimate.result()) : Optional.empty(),
                batchBytes,
                poolBytes,
                otherBytes,
                Duration.ofNanos(System.nanoTime() - begun));
    }

    private static boolean isDone(ThroughputEstimate estimate, long nanos) {
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

    private void look() {
        ProcessUsage.Memory memory = process.read().memory();
        poolBytes = Math.max(poolBytes, memory.pools());
        otherBytes = Math.max(otherBytes, memory.resident() - memory.heap() - memory.pools());
    }
}
