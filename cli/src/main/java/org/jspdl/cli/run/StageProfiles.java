package org.jspdl.cli.run;

import java.io.IOException;
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

    /// Profiles `plan` where `context` says.
    public static ProfileReport ofPlan(Plan plan, PlanContext context, Profiler profiler) {
        try (CompiledPlan compiled = plan.compile(Operations.installed(), context)) {
            return profiler.options(compiled.options()).profile(compiled.pipeline());
        }
    }
}
