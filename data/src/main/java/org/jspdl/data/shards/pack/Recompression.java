package org.jspdl.data.shards.pack;

import java.util.OptionalInt;

/// How images are made smaller while they are packed: what is written is JPEG, upright and without metadata.
///
/// @param shorterSide images whose shorter side is longer are scaled down to this many pixels, with the sides in
///     proportion; empty to leave their sizes as they are
/// @param quality     of JPEG, from 1 to 100
/// @param which       which images are written anew
public record Recompression(OptionalInt shorterSide, int quality, Which which) {
    /// Which images are written anew.
    public enum Which {
        /// Those that get smaller; others stay as they are, byte for byte.
        LARGER,
        /// All of them.
        ALL
    }

    /// @throws IllegalArgumentException if a number is out of range, or nothing would be done
    public Recompression {
        if (quality < 1 || quality > 100 || shorterSide.orElse(1) < 1) {
            throw new IllegalArgumentException("the shorter side must be at least 1 and the quality from 1 to 100, but"
                    + " they were " + shorterSide + " and " + quality);
        }
        if (shorterSide.isEmpty() && which == Which.LARGER) {
            throw new IllegalArgumentException("without a size no image gets smaller");
        }
    }

    /// What differs when the images do.
    String identity() {
        return (shorterSide.isPresent() ? "resized to " + shorterSide.getAsInt() + ", " : "")
                + (which == Which.ALL ? "all" : "larger ones") + " JPEG of quality " + quality;
    }
}
