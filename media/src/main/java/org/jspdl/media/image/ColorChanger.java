package org.jspdl.media.image;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Applies a [ColorChange] to an image of bytes, in place. Keeps no state.
final class ColorChanger {
    private static final int OPERATIONS = 4;

    private final MemorySegment image;
    private final long pixels;
    private final long step;
    private final long red;
    private final long green;
    private final long blue;
    private final boolean color;

    private ColorChanger(MemorySegment image, long pixels, PixelSettings format) {
        this.image = image;
        this.pixels = pixels;
        int channels = format.channels().count();
        boolean interleaved = format.layout() == Layout.NHWC;
        long apart = channels == 1 ? 0 : interleaved ? 1 : pixels;
        this.step = interleaved ? channels : 1;
        this.red = format.channels() == Channels.BGR ? 2 * apart : 0;
        this.green = apart;
        this.blue = format.channels() == Channels.BGR ? 0 : 2 * apart;
        this.color = channels > 1;
    }

    /// Changes an image of `pixels` pixels; saturation and hue do nothing to one with luminance alone.
    static void apply(ColorChange change, MemorySegment image, long pixels, PixelSettings format) {
        ColorChanger changer = new ColorChanger(image, pixels, format);
        int rest = change.order();
        int left = 0b1111;
        for (int remaining = OPERATIONS; remaining > 0; remaining--) {
            int operation = nth(left, rest % remaining);
            rest /= remaining;
            left &= ~(1 << operation);
            changer.operate(operation, change);
        }
        if (change.gray() && changer.color) {
            changer.saturation(0);
        }
    }

    /// The `n`-th of the bits that are set.
    private static int nth(int bits, int n) {
        int left = bits;
        for (int i = 0; i < n; i++) {
            left &= left - 1;
        }
        return Integer.numberOfTrailingZeros(left);
    }

    private void operate(int operation, ColorChange change) {
        switch (operation) {
            case 0 -> blendAll(change.brightness(), 0);
            case 1 -> {
                if (change.contrast() != 1) {
                    blendAll(change.contrast(), mean());
                }
            }
            case 2 -> {
                if (change.saturation() != 1 && color) {
                    saturation(change.saturation());
                }
            }
            default -> {
                if (change.hue() != 0 && color) {
                    hue(change.hue());
                }
            }
        }
    }

    private int value(long at) {
        return image.get(ValueLayout.JAVA_BYTE, at) & 0xFF;
    }

    /// Stores what lies between `other` and `value`, or beyond `value`, cut off to a byte, in single precision as
    /// Pillow does.
    private void blend(long at, double factor, int other) {
        float blended = other + (float) factor * (value(at) - other);
        image.set(ValueLayout.JAVA_BYTE, at, (byte) (int) Math.clamp(blended, 0f, 255f));
    }

    private void blendAll(double factor, int other) {
        for (long i = 0; i < pixels && factor != 1; i++) {
            blend(i * step + red, factor, other);
            if (color) {
                blend(i * step + green, factor, other);
                blend(i * step + blue, factor, other);
            }
        }
    }

    private int luminance(long at) {
        return color
                ? (value(at + red) * 19_595 + value(at + green) * 38_470 + value(at + blue) * 7_471 + 0x8000) >> 16
                : value(at);
    }

    private int mean() {
        long sum = 0;
        for (long i = 0; i < pixels; i++) {
            sum += luminance(i * step);
        }
        return (int) ((double) sum / pixels + 0.5);
    }

    private void saturation(double factor) {
        for (long i = 0; i < pixels; i++) {
            int gray = luminance(i * step);
            blend(i * step + red, factor, gray);
            blend(i * step + green, factor, gray);
            blend(i * step + blue, factor, gray);
        }
    }

    private void hue(double turn) {
        for (long i = 0; i < pixels; i++) {
            long at = i * step;
            int r = value(at + red);
            int g = value(at + green);
            int b = value(at + blue);
            int most = Math.max(r, Math.max(g, b));
            int range = most - Math.min(r, Math.min(g, b));
            if (range > 0) {
                double sixth = most == r
                        ? (double) (g - b) / range
                        : most == g ? 2 + (double) (b - r) / range : 4 + (double) (r - g) / range;
                double turned = sixth / 6 + turn;
                double angle = 6 * (turned - Math.floor(turned));
                set(at + red, most, range, angle, 5);
                set(at + green, most, range, angle, 3);
                set(at + blue, most, range, angle, 1);
            }
        }
    }

    /// One channel of the color with this maximum, range and angle (in sixths of the circle).
    private void set(long at, int most, int range, double angle, int offset) {
        double k = (offset + angle) % 6;
        double value = most - range * Math.clamp(Math.min(k, 4 - k), 0, 1);
        image.set(ValueLayout.JAVA_BYTE, at, (byte) (int) (value + 0.5));
    }
}
