package org.jspdl.data.image;

import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspdl.media.image.ImageSpec;
import org.jspecify.annotations.Nullable;

/// Offered to a plan that a worker of a data service compiles: its images are then decoded to bytes that others
/// convert, from the dataset and not from a service, and what it opens is told here. Thread-safe.
public final class ImageServing {
    private final AtomicReference<@Nullable ImageLoaderOptions> order = new AtomicReference<>();
    private final AtomicReference<@Nullable ImageSource> source = new AtomicReference<>();
    private final AtomicReference<@Nullable ImageSpec> spec = new AtomicReference<>();

    private final AtomicReference<String> stage = new AtomicReference<>("");

    /// Made for one compiled plan.
    public ImageServing() {}

    /// The plan loads images of `opened`, which it keeps, in the order that `options` say.
    public void opened(ImageSource opened, ImageLoaderOptions options) {
        order.set(options);
        source.set(opened);
    }

    /// The plan's images become what `wanted` says.
    public void decodesTo(ImageSpec wanted) {
        spec.set(wanted);
    }

    /// The plan's images are decoded by the stage of this name.
    public void decodedBy(String name) {
        stage.set(name);
    }

    /// The name of the stage that decodes, if the images depend on it because something is left to chance;
    /// otherwise empty.
    public String stage() {
        ImageSpec wanted = spec.get();
        return wanted != null && wanted.isRandom() ? Objects.requireNonNullElse(stage.get(), "") : "";
    }

    /// Where the images come from; empty if the plan has no source of images.
    public Optional<ImageSource> source() {
        return Optional.ofNullable(source.get());
    }

    /// What a loader wants that gets them in the same order with the same seed.
    public Optional<ImageServiceProvider.Wanted> wanted(long seed) {
        return Optional.ofNullable(order.get())
                .map(options -> ImageServiceProvider.Wanted.of(options, seed, Optional.empty()));
    }

    /// What they become on the way; empty if the plan allocates no rows for them.
    public Optional<ImageSpec> image() {
        return Optional.ofNullable(spec.get()).map(ImageSpec::asBytes);
    }
}
