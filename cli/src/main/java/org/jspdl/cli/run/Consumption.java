package org.jspdl.cli.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspdl.cli.terminal.ProgressLine;
import org.jspdl.data.image.ImageBatch;
import org.jspdl.data.loader.TensorBatch;
import org.jspdl.memory.Closeables;
import org.jspdl.observe.Report;
import org.jspdl.pipeline.Run;
import org.jspdl.plan.record.RunRecorder;
import org.jspdl.stats.PipelineStats;
import org.jspecify.annotations.Nullable;

/// The consumer of a run, and what it measures. Used once, by one thread; interrupting that thread ends the run with
/// the figures so far.
public final class Consumption {
    private static final Duration TICK = Duration.ofMillis(100);

    private final Checksum checksum = new Checksum();
    private final List<EpochFigures> epochs = new ArrayList<>();
    private final Milestones milestones = Milestones.ofThisProcess();
    private Optional<Preview> preview = Optional.empty();
    private double firstBatchSeconds = -1;
    private long items;
    private long batches;
    private boolean interrupted;
    private @Nullable RunRecorder recorder;

    /// A consumer that has taken nothing yet.
    public Consumption() {}

    /// Has the first batch of images drawn.
    void preview(Preview wanted) {
        preview = Optional.of(wanted);
    }

    /// Has each item of the run recorded; null for no record.
    void record(@Nullable RunRecorder wanted) {
        recorder = wanted;
    }

    /// Takes every item of every epoch from `run`, and closes it.
    PipelineStats consume(Run<?> run, ProgressLine progress) {
        long begun = System.nanoTime();
        Duration cpu = ProcessFigures.cpuTime();
        do {
            long before = items;
            long batchesBefore = batches;
            try {
                consumeEpoch(run, progress);
            } catch (InterruptedException interrupt) {
                interrupted = true;
            }
            long now = System.nanoTime();
            Duration cpuNow = ProcessFigures.cpuTime();
            if (items > before
                    || epochs.isEmpty()) { // an epoch that was interrupted before its first batch has no rate
                epochs.add(new EpochFigures(
                        items - before, batches - batchesBefore, Duration.ofNanos(now - begun), cpuNow.minus(cpu)));
            }
            begun = now;
            cpu = cpuNow;
        } while (!interrupted && run.nextEpoch());
        return run.stats();
    }

    private void consumeEpoch(Run<?> run, ProgressLine progress) throws InterruptedException {
        while (!run.epochEnded()) {
            Optional<?> next = run.poll(TICK);
            if (next.isPresent()) {
                if (firstBatchSeconds < 0) {
                    firstBatchSeconds = ProcessFigures.secondsSinceStart();
                }
                if (recorder != null) {
                    record(recorder, run, next.get());
                }
                items += take(next.get());
                batches++;
                milestones.delivered(items);
            }
            progress.report(items);
        }
    }

    private static void record(RunRecorder recorder, Run<?> run, Object item) {
        try {
            recorder.delivered(run, item);
        } catch (IOException unwritable) {
            throw new UncheckedIOException(unwritable);
        }
    }

    /// Uses a batch as a run does, and closes it.
    ///
    /// @return the number of items in it: the images or samples of a batch, the elements of a list, or itself
    public long take(Object batch) {
        switch (batch) {
            case ImageBatch images -> {
                try (images) {
                    checksum.add(images);
                    preview.ifPresent(wanted -> wanted.draw(images));
                    preview = Optional.empty();
                    return images.size();
                }
            }
            case TensorBatch samples -> {
                try (samples) {
                    return samples.size();
                }
            }
            case Collection<?> elements -> {
                Closeables.closeItem(elements);
                return elements.size();
            }
            default -> {
                Closeables.closeItem(batch);
                return 1;
            }
        }
    }

    /// What was measured, once the run is closed.
    RunReport report(
            RunReport.Subject subject,
            double preparationSeconds,
            FailureLog failures,
            PipelineStats stats,
            Report watched,
            Optional<Reading> reading) {
        return new RunReport(
                subject,
                List.copyOf(epochs),
                preparationSeconds,
                firstBatchSeconds,
                milestones.reached(),
                ProcessFigures.secondsSinceStart(),
                ProcessFigures.cpuTime(),
                ProcessFigures.peakResidentBytes(),
                failures.count(),
                failures.kept(),
                stats,
                watched,
                reading,
                checksum.value(),
                interrupted);
    }
}
