package org.jspdl.cli.run;

import java.nio.file.Path;
import java.util.Optional;
import org.jspdl.cli.terminal.ProgressLine;
import org.jspdl.media.image.ImageDecoder;
import org.jspdl.pipeline.Run;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.stats.PipelineStats;

/// One run of the main job, and its consumer. Used once, by one thread; interrupting that thread ends the run with the
/// report so far.
public final class ImageJob {
    private final String name;
    private final ImageInput input;
    private final RunSettings settings;
    private final Optional<Path> preview;
    private final Observation observation;
    private final Consumption consumption = new Consumption();
    private final double preparationSeconds = ProcessFigures.secondsSinceStart();

    /// A job over `input`, which it owns from here.
    ///
    /// @param name        what reports call the dataset
    /// @param preview     where to draw the first batch, if anywhere
    /// @param observation how the run is watched
    public ImageJob(
            String name, ImageInput input, RunSettings settings, Optional<Path> preview, Observation observation) {
        this.name = name;
        this.input = input;
        this.settings = settings;
        this.preview = preview;
        this.observation = observation;
    }

    /// Loads every batch of every epoch.
    ///
    /// @throws org.jspdl.pipeline.PipelineException if the run failed
    public RunReport run(ProgressSource progressSource) {
        PictureSettings picture = settings.picture();
        try (ImageDecoder decoder = ImageDecoder.create(picture.spec(), picture.jpeg())) {
            return run(decoder, progressSource);
        }
    }

    private RunReport run(ImageDecoder decoder, ProgressSource progressSource) {
        preview.ifPresent(file -> consumption.preview(new Preview(file, decoder.spec())));
        try (ImageLoading loading = new ImageLoading(input, settings, decoder)) {
            ProgressLine progress = progressSource.of(Math.max(0, loading.imagesPerEpoch()) * settings.epochs());
            RunOptions options = RunOptions.defaults().epochs(settings.epochs())
                    .seed(settings.seed())
                    .computeThreads(Math.min(
                            settings.concurrency(), Runtime.getRuntime().availableProcessors()));
            PipelineStats stats;
            try (Run<ImageBatch> run = loading.pipeline().start(observation.on(options))) {
                stats = consumption.consume(run, progress);
            } finally {
                progress.clear();
            }
            return consumption.report(
                    new RunReport.Subject(
                            name,
                            loading.imagesPerEpoch(),
                            settings.epochs(),
                            Optional.of(settings),
                            decoder.backend(),
                            input.leftOut()),
                    preparationSeconds,
                    loading.failures(),
                    stats,
                    observation.report(stats),
                    Optional.of(Reading.of(input.storage())));
        }
    }

    /// Makes the progress line once the number of images is known.
    @FunctionalInterface
    public interface ProgressSource {
        /// Progress towards `images` images.
        ProgressLine of(long images);
    }
}
