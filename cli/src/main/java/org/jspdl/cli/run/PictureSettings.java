package org.jspdl.cli.run;

import org.jspdl.media.image.ImageSpec;
import org.jspdl.media.image.JpegBackend;
import org.jspdl.media.image.Layout;
import org.jspdl.media.image.Normalization;
import org.jspdl.media.image.Quality;
import org.jspdl.memory.ElementType;

/// What each image becomes. Immutable.
///
/// @param size       width and height of the crop, in pixels
/// @param resize     what the shorter side is resized to before that, unless the crop is a random part
/// @param normalized whether values are shifted and scaled as for models that were trained on ImageNet
/// @param jpeg       the library for JPEG
public record PictureSettings(
        int size,
        int resize,
        Layout layout,
        ElementType elements,
        Crop crop,
        double flip,
        ColorJitter colorJitter,
        boolean normalized,
        Quality quality,
        JpegBackend jpeg) {

    /// Which part of an image is seen.
    public enum Crop {
        /// The middle.
        CENTER,
        /// Any part of the resized image.
        RANDOM,
        /// A part of random area and aspect ratio, resized to the crop's size.
        RANDOM_RESIZED_CROP
    }

    /// How far colors may change, as `ImageSpec.colorJitter` has it.
    public record ColorJitter(double brightness, double contrast, double saturation, double hue) {}

    /// The same for the decoder.
    public ImageSpec spec() {
        ImageSpec framed = switch (crop) {
            case CENTER -> ImageSpec.shorterSide(resize).centerCrop(size, size);
            case RANDOM -> ImageSpec.shorterSide(resize).randomCrop(size, size, 0);
            case RANDOM_RESIZED_CROP -> ImageSpec.randomResizedCrop(size, size);
        };
        return framed.randomFlip(flip)
                .colorJitter(colorJitter.brightness, colorJitter.contrast, colorJitter.saturation, colorJitter.hue)
                .layout(layout)
                .elements(elements)
                .normalization(normalized ? Normalization.imageNet() : Normalization.none())
                .quality(quality);
    }
}
