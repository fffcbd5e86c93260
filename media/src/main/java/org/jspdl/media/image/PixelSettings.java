package org.jspdl.media.image;

import java.util.Objects;
import org.jspdl.memory.ElementType;

/// What one pixel of the output is.
record PixelSettings(Channels channels, ElementType type, Layout layout, Normalization normalization) {
    static final PixelSettings DEFAULT =
            new PixelSettings(Channels.RGB, ElementType.UINT8, Layout.NHWC, Normalization.none());

    private static final int ALPHA = 3;

    PixelSettings channels(Channels other) {
        return new PixelSettings(Objects.requireNonNull(other), type, layout, normalization);
    }

    PixelSettings type(ElementType other) {
        boolean supported = switch (other) {
            case UINT8, UINT16, FLOAT32, FLOAT16, BFLOAT16 -> true;
            default -> false;
        };
        if (!supported) {
            throw new IllegalArgumentException(
                    "images are decoded to UINT8, UINT16, FLOAT32, FLOAT16 or BFLOAT16, not " + other);
        }
        return new PixelSettings(channels, other, layout, normalization);
    }

    PixelSettings layout(Layout other) {
        return new PixelSettings(channels, type, Objects.requireNonNull(other), normalization);
    }

    PixelSettings normalization(Normalization other) {
        return new PixelSettings(channels, type, layout, Objects.requireNonNull(other));
    }

    /// What a byte of the channel at `index` is multiplied with to become an element.
    float scale(int index) {
        return index == ALPHA ? 1 / 255f : normalization.scale(color(index));
    }

    /// What is added after that.
    float bias(int index) {
        return index == ALPHA ? 0 : normalization.bias(color(index));
    }

    /// Red (0), green (1) or blue (2).
    private int color(int index) {
        return channels == Channels.BGR ? 2 - index : index;
    }
}
