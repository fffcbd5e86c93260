package org.jspdl.cli.run;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.jspdl.cli.terminal.ProgressLine;
import org.jspdl.data.image.ImageBatch;
import org.jspdl.data.image.ImageLoader;
import org.jspdl.data.image.ImageLoaderOptions;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;
import org.jspdl.pipeline.FailurePolicy;
import org.jspdl.pipeline.Run;
import org.jspdl.stats.PipelineStats;

/// One run of the main job, and its consumer. Used once, by one thread; interrupting that thread ends the run with the
/// report so far.
public final class ImageJob {
    private final Storage storage;
    private final Location location;
    private final RunSettings settings;
    private final Optional<Path> preview;
    private final Observation observation;
    private final FailureLog failures = new FailureLog();
    private final Consumption consumption = new Consumption();

    /// A job over the images at `location` in `storage`, which stays the caller's.
    ///
    /// @param preview     where to draw the first batch, if anywhere
    /// @param observation how the run is watched
    public ImageJob(
            Storage storage, Location location, RunSettings settings, Optional<Path> preview, Observation observation) {
        this.storage = storage;
        this.location = location;
        this.settings = settings;
        this.preview = preview;
        this.observation = observation;
    }

    /// Loads every batch of every epoch.
    ///
    /// @throws org.jspdl.data.dataset.DatasetException if the images cannot be loaded so
    /// @throws org.jspdl.pipeline.PipelineException if the run failed
    public RunReport run(ProgressSource progressSource) throws IOException {
        ImageLoaderOptions options = settings.loading();
        if (!(options.failures() instanceof FailurePolicy.FailFast)) {
            options = options.failures(options.failures().quarantine(failures::add));
        }
        try (ImageLoader loader = ImageLoader.open(storage, location, options)) {
            return run(loader, ProcessFigures.secondsSinceStart(), progressSource);
        }
    }

    private RunReport run(ImageLoader loader, double preparationSeconds, ProgressSource progressSource) {
        preview.ifPresent(
                file -> consumption.preview(new Preview(file, settings.loading().image())));
        long perEpoch = loader.imagesPerEpoch().orElse(-1);
        ProgressLine progress = progressSource.of(ProgressLine.total(perEpoch, settings.epochs()));
        PipelineStats stats;
        try (Run<ImageBatch> run = loader.pipeline().start(observation.on(loader.runOptions(settings.epochs())))) {
            stats = consumption.consume(run, progress);
        } finally {
            progress.clear();
        }
        return consumption.report(
                new RunReport.Subject(
                        location.toString(),
                        perEpoch,
                        settings.epochs(),
                        Optional.of(settings),
                        loader.decoders(),
                        loader.leftOut(),
                        loader.mixing()),
                preparationSeconds,
                failures,
                stats,
                observation.report(stats),
                Optional.of(Reading.of(storage)));
    }

    /// Makes the progress line once the number of images is known.
    @FunctionalInterface
    public interface ProgressSource {
        /// Progress towards `images` images.
        ProgressLine of(long images);
    }
}
