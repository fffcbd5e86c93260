package org.jspdl.media.image;

import java.util.Objects;

/// How the decoder goes about it.
///
/// @param background the color behind transparent pixels as 0xRRGGBB, or [#NO_BACKGROUND]
record DecodeSettings(
        Quality quality,
        Interpolation interpolation,
        Orientation orientation,
        Damage damage,
        long maxPixels,
        int background) {
    static final int NO_BACKGROUND = -1;
    static final DecodeSettings DEFAULT = new DecodeSettings(
            Quality.DEFAULT, Interpolation.BILINEAR, Orientation.UPRIGHT, Damage.REFUSED, 100_000_000, NO_BACKGROUND);

    DecodeSettings quality(Quality other) {
        return new DecodeSettings(
                Objects.requireNonNull(other), interpolation, orientation, damage, maxPixels, background);
    }

    DecodeSettings interpolation(Interpolation other) {
        return new DecodeSettings(quality, Objects.requireNonNull(other), orientation, damage, maxPixels, background);
    }

    DecodeSettings orientation(Orientation other) {
        return new DecodeSettings(quality, interpolation, Objects.requireNonNull(other), damage, maxPixels, background);
    }

    DecodeSettings damage(Damage other) {
        return new DecodeSettings(
                quality, interpolation, orientation, Objects.requireNonNull(other), maxPixels, background);
    }

    DecodeSettings maxPixels(long most) {
        if (most < 1) {
            throw new IllegalArgumentException("maxPixels must be at least 1 but was " + most);
        }
        return new DecodeSettings(quality, interpolation, orientation, damage, most, background);
    }

    DecodeSettings background(int red, int green, int blue) {
        if (((red | green | blue) & ~0xFF) != 0) {
            throw new IllegalArgumentException(
                    "colors have values from 0 to 255 but were " + red + ", " + green + ", " + blue);
        }
        return new DecodeSettings(
                quality, interpolation, orientation, damage, maxPixels, red << 16 | green << 8 | blue);
    }

    boolean hasBackground() {
        return background != NO_BACKGROUND;
    }
}
