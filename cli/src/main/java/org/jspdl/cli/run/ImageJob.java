package org.jspdl.cli.run;

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
    private final String name;
    private final Dataset dataset;
    private final RunSettings settings;
    private final Consumption consumption = new Consumption();
    private final double preparationSeconds = ProcessFigures.secondsSinceStart();

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
                stats = consumption.consume(run, progress);
            } finally {
                progress.clear();
            }
            return consumption.report(
                    new RunReport.Subject(
                            name, loading.imagesPerEpoch(), settings.epochs(), Optional.of(settings), decoders),
                    preparationSeconds,
                    loading.failures(),
                    stats);
        }
    }

    /// Makes the progress line once the number of images is known.
    @FunctionalInterface
    public interface ProgressSource {
        /// Progress towards `images` images.
        ProgressLine of(long images);
    }
}
