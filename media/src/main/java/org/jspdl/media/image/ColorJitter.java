package org.jspdl.media.image;

import java.util.random.RandomGenerator;

/// The ranges from which a [ColorChange] is sampled: factors from `1 - x` (at least 0) to `1 + x`, hue from `-hue` to
/// `hue`.
///
/// @param grayscale the probability of becoming gray
record ColorJitter(double brightness, double contrast, double saturation, double hue, double grayscale) {
    private static final int ORDERS = 24;

    ColorJitter {
        if (!(brightness >= 0 && contrast >= 0 && saturation >= 0 && hue >= 0 && hue <= 0.5)) {
            throw new IllegalArgumentException("ranges must not be negative and hue at most 0.5, but were " + brightness
                    + ", " + contrast + ", " + saturation + " and " + hue);
        }
        if (!(grayscale >= 0 && grayscale <= 1)) {
            throw new IllegalArgumentException("probability must be in 0..1 but was " + grayscale);
        }
    }

    static ColorJitter none() {
        return new ColorJitter(0, 0, 0, 0, 0);
    }

    boolean isNone() {
        return brightness == 0 && contrast == 0 && saturation == 0 && hue == 0 && grayscale == 0;
    }

    ColorChange sample(RandomGenerator random) {
        if (isNone()) {
            return ColorChange.NONE;
        }
        int order = random.nextInt(ORDERS);
        return new ColorChange(
                factor(brightness, random),
                factor(contrast, random),
                factor(saturation, random),
                hue * (2 * random.nextDouble() - 1),
                order,
                random.nextDouble() < grayscale);
    }

    private static double factor(double range, RandomGenerator random) {
        double lowest = Math.max(0, 1 - range);
        return range == 0 ? 1 : lowest + (1 + range - lowest) * random.nextDouble();
    }
}
