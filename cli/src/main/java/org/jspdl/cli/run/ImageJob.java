package org.jspdl.cli.run;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspdl.cli.dataset.Dataset;
import org.jspdl.cli.terminal.ProgressLine;
import org.jspdl.media.image.ImageDecoder;
import org.jspdl.media.image.ImageSpec;
import org.jspdl.memory.Shape;
import org.jspdl.pipeline.Run;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.stats.PipelineStats;

/// One run of the main job, and its consumer. Used once, by one thread; interrupting that thread ends the run with the
/// report so far.
public final class ImageJob {
    private static final Duration TICK = Duration.ofMillis(100);

    private final String name;
    private final Dataset dataset;
    private final RunSettings settings;
    private final Checksum checksum = new Checksum();
    private final List<EpochFigures> epochs = new ArrayList<>();
    private final double preparationSeconds = ProcessFigures.secondsSinceStart();
    private double firstBatchSeconds = -1;
    private long items;
    private boolean interrupted;

    /// A job over `dataset`.
    ///
    /// @param name what reports call the dataset
    public ImageJob(String name, Dataset dataset, RunSettings settings) {
        this.name = name;
        this.dataset = dataset;
        this.settings = settings;
    }

    /// Loads every batch of every epoch.
    ///
    /// @throws org.jspdl.pipeline.PipelineException if the run failed
    public RunReport run(ProgressSource progressSource) {
        RunSettings.Picture picture = settings.picture();
        ImageSpec spec = ImageSpec.shorterSide(picture.resize())
                .centerCrop(picture.size(), picture.size())
                .layout(picture.layout())
                .elements(picture.elements());
        try (ImageDecoder decoder = ImageDecoder.create(spec)) {
            return run(spec.rowShape(), decoder::decodeInto, decoder.backend(), progressSource);
        }
    }

    private RunReport run(Shape rowShape, RowDecoder decoder, String decoders, ProgressSource progressSource) {
        try (ImageLoading loading = new ImageLoading(dataset, settings, rowShape, decoder)) {
            ProgressLine progress = progressSource.of(loading.imagesPerEpoch() * settings.epochs());
            RunOptions options = RunOptions.epochs(settings.epochs());
            PipelineStats stats;
            try (Run<ImageBatch> run = loading.pipeline().start(options)) {
                stats = consume(run, progress);
            } finally {
                progress.clear();
            }
            return new RunReport(
                    name,
                    loading.imagesPerEpoch(),
                    settings,
                    decoders,
                    List.copyOf(epochs),
                    preparationSeconds,
                    firstBatchSeconds,
                    ProcessFigures.secondsSinceStart(),
                    ProcessFigures.cpuTime(),
                    ProcessFigures.peakResidentBytes(),
                    loading.failures().count(),
                    loading.failures().kept(),
                    stats,
                    checksum.value(),
                    interrupted);
        }
    }

    private PipelineStats consume(Run<ImageBatch> run, ProgressLine progress) {
        long begun = System.nanoTime();
        Duration cpu = ProcessFigures.cpuTime();
        do {
            long before = items;
            long batches = 0;
            try {
                batches = consumeEpoch(run, progress);
            } catch (InterruptedException interrupt) {
                interrupted = true;
            }
            long now = System.nanoTime();
            Duration cpuNow = ProcessFigures.cpuTime();
            epochs.add(new EpochFigures(items - before, batches, Duration.ofNanos(now - begun), cpuNow.minus(cpu)));
            begun = now;
            cpu = cpuNow;
        } while (!interrupted && run.nextEpoch());
        return run.stats();
    }

    private long consumeEpoch(Run<ImageBatch> run, ProgressLine progress) throws InterruptedException {
        long batches = 0;
        while (!run.epochEnded()) {
            Optional<ImageBatch> next = run.poll(TICK);
            if (next.isPresent()) {
                try (ImageBatch batch = next.get()) {
                    if (firstBatchSeconds < 0) {
                        firstBatchSeconds = ProcessFigures.secondsSinceStart();
                    }
                    checksum.add(batch);
                    items += batch.size();
                    batches++;
                }
            }
            progress.report(items);
        }
        return batches;
    }

    /// Makes the progress line once the number of images is known.
    @FunctionalInterface
    public interface ProgressSource {
        /// Progress towards `images` images.
        ProgressLine of(long images);
    }
}
