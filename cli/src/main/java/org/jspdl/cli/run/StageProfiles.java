package org.jspdl.cli.run;

import java.nio.file.Path;
import java.util.Optional;
import org.jspdl.data.dataset.LabeledFiles;
import org.jspdl.data.storage.Storage;
import org.jspdl.media.image.ImageDecoder;
import org.jspdl.observe.ProfileReport;
import org.jspdl.observe.Profiler;
import org.jspdl.plan.CompiledPlan;
import org.jspdl.plan.Operations;
import org.jspdl.plan.Plan;
import org.jspdl.plan.PlanContext;

/// Profiles of the main job and of plans.
public final class StageProfiles {
    private StageProfiles() {}

    /// Profiles the loading of images.
    ///
    /// @param storage where the files of `dataset` lie; stays the caller's
    public static ProfileReport ofImages(
            LabeledFiles dataset, Storage storage, RunSettings settings, Profiler profiler) {
        PictureSettings picture = settings.picture();
        try (ImageDecoder decoder = ImageDecoder.create(picture.spec(), picture.jpeg());
                ImageLoading loading = new ImageLoading(dataset, storage, settings, decoder)) {
            return profiler.profile(loading.pipeline());
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
