package org.jspdl.media.internal.resample;

/// A resampling kernel, as a function of the distance in output pixels (or in source pixels when enlarging).
public enum ResampleFilter {
    /// The mean of the source pixels that an output pixel covers.
    AREA(0.5) {
        @Override
        double at(double x) {
            return x > -0.5 && x <= 0.5 ? 1 : 0;
        }
    },
    /// A triangle.
    BILINEAR(1) {
        @Override
        double at(double x) {
            return Math.max(0, 1 - Math.abs(x));
        }
    },
    /// Keys' cubic with a = -0.5.
    BICUBIC(2) {
        @Override
        double at(double x) {
            double t = Math.abs(x);
            if (t < 1) {
                return (1.5 * t - 2.5) * t * t + 1;
            }
            return t < 2 ? ((-0.5 * t + 2.5) * t - 4) * t + 2 : 0;
        }
    };

    private final double radius;

    ResampleFilter(double radius) {
        this.radius = radius;
    }

    /// The distance beyond which the kernel is zero.
    double radius() {
        return radius;
    }

    abstract double at(double x);
}
