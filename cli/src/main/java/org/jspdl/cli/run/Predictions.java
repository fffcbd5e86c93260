package org.jspdl.cli.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspdl.data.cache.CacheNotes;
import org.jspdl.data.cache.OpenedCache;
import org.jspdl.data.image.ImageBatch;
import org.jspdl.data.image.ImageLoader;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;
import org.jspdl.pipeline.Run;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.pipeline.TuningBudget;
import org.jspdl.plan.CompiledPlan;
import org.jspdl.plan.Operations;
import org.jspdl.plan.Plan;
import org.jspdl.plan.PlanContext;

/// Short runs over the user's own data that predict the main job and plans. They take 2 to 15 s, or up to 60 s if
/// batches come slowly, and begin the dataset again if it ends before.
public final class Predictions {
    private Predictions() {}

    /// Predicts the loading of the images at `location` in `storage`, which stays the caller's and is not that of
    /// the real run, whose figures it would change.
    ///
    /// @param cache  what keeps what `storage` reads
    /// @param budget of the tuner, in place of that of the settings or the plan
    /// @throws org.jspdl.data.dataset.DatasetException if the images cannot be loaded so
    public static Prediction ofImages(
            Storage storage,
            Location location,
            RunSettings settings,
            Optional<OpenedCache> cache,
            Optional<TuningBudget> budget)
            throws IOException, InterruptedException {
        try (ImageLoader loader = ImageLoader.open(storage, location, settings.loading());
                Run<ImageBatch> run = loader.pipeline().start(within(budget, loader.runOptions(Long.MAX_VALUE)))) {
            Probe.Findings found = new Probe().measure(run);
            DataPlaces places = DataPlaces.of(List.of(new CacheNotes.Source(location, cache)));
            return Prediction.of("images", total(loader.imagesPerEpoch(), settings.epochs()), found, places);
        }
    }

    /// Predicts a run of `plan` where `context` says. What the short run skips is recorded nowhere.
    public static Prediction ofPlan(
            PlanJob.PlanText plan, PlanContext context, String items, Optional<TuningBudget> budget)
            throws IOException, InterruptedException {
        CacheNotes notes = new CacheNotes();
        try (Unrecorded unrecorded = Unrecorded.of(context.offer(CacheNotes.class, notes), plan);
                CompiledPlan compiled =
                        Plan.of(plan.name(), plan.text()).compile(Operations.installed(), unrecorded.context());
                Run<?> run = compiled.pipeline()
                        .start(within(budget, compiled.options().epochs(Long.MAX_VALUE)))) {
            Probe.Findings found = new Probe().measure(run);
            long epochs = compiled.options().epochs();
            return Prediction.of(items, total(compiled.sourceSize(), epochs), found, DataPlaces.of(notes.sources()));
        }
    }

    private static RunOptions within(Optional<TuningBudget> budget, RunOptions options) {
        return budget.map(options::tuning).orElse(options);
    }

    /// A context for runs whose skipped items are recorded nowhere: a plan's quarantine lies in a folder that goes
    /// with this.
    public record Unrecorded(PlanContext context, Path folder) implements AutoCloseable {
        /// `context`, for the rank of `plan`.
        public static Unrecorded of(PlanContext context, PlanJob.PlanText plan) throws IOException {
            Path folder = Files.createTempDirectory("jspdl-trial");
            return new Unrecorded(context.rank(plan.rank(), plan.worldSize()).quarantineFolder(folder), folder);
        }

        @Override
        public void close() throws IOException {
            try (var files = Files.walk(folder)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(file);
                }
            }
        }
    }

    private static OptionalLong total(OptionalLong perEpoch, long epochs) {
        return perEpoch.isPresent() && perEpoch.getAsLong() <= Long.MAX_VALUE / epochs
                ? OptionalLong.of(perEpoch.getAsLong() * epochs)
                : OptionalLong.empty();
    }
}
