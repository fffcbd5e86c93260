package org.jspdl.media.image;

/// The channels of a decoded image, in order.
public enum Channels {
    /// Red, green, blue.
    RGB(3),
    /// Blue, green, red.
    BGR(3),
    /// Red, green, blue, alpha; images without transparency are opaque throughout.
    RGBA(4),
    /// Luminance.
    GRAY(1);

    private final int count;

    Channels(int count) {
        this.count = count;
    }

    /// How many channels there are.
    public int count() {
        return count;
    }
}
