package org.jspdl.media.video;

import java.util.random.RandomGenerator;
import org.jspdl.media.image.ColorChange;
import org.jspdl.media.image.ImagePlacement;
import org.jspdl.media.image.ImageSpec;
import org.jspdl.media.image.ImageTransform;
import org.jspecify.annotations.Nullable;

/// Where frames of one size go, asked once for each size of a clip, so that all its frames are placed alike.
@FunctionalInterface
interface Placing {
    /// The placement of upright frames of this size.
    ImagePlacement place(int width, int height);

    /// As `frame` says, sampled if there is a generator.
    static Placing of(ImageSpec frame, @Nullable RandomGenerator random) {
        return random == null ? frame::place : (width, height) -> sample(frame, width, height, random);
    }

    private static ImagePlacement sample(ImageSpec frame, int width, int height, RandomGenerator random) {
        ImageTransform transform = frame.sample(width, height, random);
        if (!transform.colors().equals(ColorChange.NONE)) {
            throw new IllegalArgumentException("the colors of videos can't be changed at random");
        }
        return transform.placement();
    }
}
