package org.jspdl.media.internal.resample;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// What alpha does to colors, in bytes. Keeps no state.
public final class Alpha {
    private static final int OPAQUE = 255;

    private Alpha() {}

    /// Puts an `RGBA` picture over a color, in place: afterwards it is `RGB`.
    public static void compose(Picture picture, int red, int green, int blue) {
        blend(picture, red, green, blue);
        picture.dropAlpha();
    }

    /// Multiplies the colors of an `RGBA` picture with its alpha, in place, so that colors that are not seen do
    /// not count when pixels are summed.
    public static void premultiply(Picture picture) {
        blend(picture, 0, 0, 0);
    }

    private static void blend(Picture picture, int red, int green, int blue) {
        Picture.Plane alphas = picture.plane(3);
        for (int p = 0; p < 3; p++) {
            Picture.Plane plane = picture.plane(p);
            int behind = p == 0 ? red : p == 1 ? green : blue;
            for (int y = 0; y < plane.height; y++) {
                long at = plane.offset + y * plane.stride;
                long alphaAt = alphas.offset + y * alphas.stride;
                for (int x = 0; x < plane.width; x++) {
                    int alpha = alphas.memory.get(ValueLayout.JAVA_BYTE, alphaAt + x) & 0xFF;
                    if (alpha != OPAQUE) {
                        int value = plane.memory.get(ValueLayout.JAVA_BYTE, at + x) & 0xFF;
                        int blended = (value * alpha + behind * (OPAQUE - alpha) + OPAQUE / 2) / OPAQUE;
                        plane.memory.set(ValueLayout.JAVA_BYTE, at + x, (byte) blended);
                    }
                }
            }
        }
    }

    /// Divides the colors of an `RGBA` picture by its alpha, in place: of files that keep the products.
    public static void divide(Picture picture) {
        Picture.Plane alphas = picture.plane(3);
        for (int p = 0; p < 3; p++) {
            Picture.Plane plane = picture.plane(p);
            for (int y = 0; y < plane.height; y++) {
                long at = plane.offset + y * plane.stride;
                long alphaAt = alphas.offset + y * alphas.stride;
                for (int x = 0; x < plane.width; x++) {
                    int alpha = alphas.memory.get(ValueLayout.JAVA_BYTE, alphaAt + x) & 0xFF;
                    if (alpha != OPAQUE) {
                        int value = plane.memory.get(ValueLayout.JAVA_BYTE, at + x) & 0xFF;
                        plane.memory.set(ValueLayout.JAVA_BYTE, at + x, (byte) divided(value, alpha, OPAQUE));
                    }
                }
            }
        }
    }

    /// A product of a color and alpha, divided by alpha: 0 where nothing is seen.
    ///
    /// @param most the value of white, and of alpha where nothing is seen through
    public static int divided(int value, int alpha, int most) {
        return alpha == 0 ? 0 : (int) Math.min(most, ((long) value * most + alpha / 2) / alpha);
    }

    /// Undoes [#premultiply] in an image of `pixels` pixels of four channels.
    ///
    /// @param step  bytes from one pixel to the next
    /// @param apart bytes from one channel to the next
    public static void divide(MemorySegment image, long pixels, long step, long apart) {
        for (long i = 0; i < pixels; i++) {
            int alpha = image.get(ValueLayout.JAVA_BYTE, i * step + 3 * apart) & 0xFF;
            if (alpha != OPAQUE) {
                for (int c = 0; c < 3; c++) {
                    long at = i * step + c * apart;
                    int value = image.get(ValueLayout.JAVA_BYTE, at) & 0xFF;
                    image.set(ValueLayout.JAVA_BYTE, at, (byte) divided(value, alpha, OPAQUE));
                }
            }
        }
    }
}
