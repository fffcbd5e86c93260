package org.jspdl.cli.run;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.jspdl.data.image.ImageLoader;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;
import org.jspdl.observe.ProfileReport;
import org.jspdl.observe.Profiler;
import org.jspdl.plan.CompiledPlan;
import org.jspdl.plan.Operations;
import org.jspdl.plan.Plan;
import org.jspdl.plan.PlanContext;

/// Profiles of the main job and of plans.
public final class StageProfiles {
    private StageProfiles() {}

    /// Profiles the loading of the images at `location` in `storage`, which stays the caller's.
    ///
    /// @throws org.jspdl.data.dataset.DatasetException if the images cannot be loaded so
    public static ProfileReport ofImages(Storage storage, Location location, RunSettings settings, Profiler profiler)
            throws IOException {
        try (ImageLoader loader = ImageLoader.open(storage, location, settings.loading())) {
            return profiler.profile(loader.pipeline());
        }
    }

    /// Profiles `plan`, which was read from `file`.
    public static ProfileReport ofPlan(Path file, Plan plan, Profiler profiler) {
        Path folder = Optional.ofNullable(file.toAbsolutePath().getParent()).orElse(Path.of(""));
        try (CompiledPlan compiled = plan.compile(Operations.installed(), PlanContext.in(folder))) {
            return profiler.options(compiled.options()).profile(compiled.pipeline());
        }
    }
}
