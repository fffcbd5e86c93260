package org.jspdl.media.internal.pixels;

import org.jspdl.media.image.ImagePlacement;
import org.jspdl.media.image.ImageSpec;
import org.jspdl.media.image.Orientation;

/// What becomes of frames of one stored size: which part is scaled to which size, and how that is turned and cut.
///
/// @param placement as the image spec has it, over the turned picture
/// @param rotation  how far the stored picture is turned clockwise to be upright: 0, 90, 180 or 270 degrees
public record FrameGeometry(ImagePlacement placement, int rotation) {
    /// What becomes of stored pictures.
    ///
    /// @param placement over the picture as it is seen, `width` pixels wide
    /// @param mirrored  whether left and right are exchanged after the stored picture was turned
    public static FrameGeometry of(
            ImageSpec spec, ImagePlacement placement, int width, int rotation, boolean mirrored) {
        if (spec.orientation() != Orientation.UPRIGHT) {
            return new FrameGeometry(placement, 0);
        }
        return new FrameGeometry(mirrored ? mirrored(placement, width) : placement, rotation);
    }

    /// What a placement over a mirrored picture is over the picture itself.
    private static ImagePlacement mirrored(ImagePlacement over, int width) {
        return new ImagePlacement(
                width - over.boxX() - over.boxWidth(),
                over.boxY(),
                over.boxWidth(),
                over.boxHeight(),
                over.scaledWidth(),
                over.scaledHeight(),
                over.scaledWidth() - over.left() - over.width(),
                over.top(),
                over.width(),
                over.height(),
                !over.flipped());
    }

    /// Whether rows become columns.
    public static boolean isTransposed(ImageSpec spec, int rotation) {
        return spec.orientation() == Orientation.UPRIGHT && rotation % 180 != 0;
    }

    private boolean isTransposed() {
        return rotation % 180 != 0;
    }

    /// The width that the stored box is scaled to.
    int scaledWidth() {
        return isTransposed() ? placement.scaledHeight() : placement.scaledWidth();
    }

    /// The height that the stored box is scaled to.
    int scaledHeight() {
        return isTransposed() ? placement.scaledWidth() : placement.scaledHeight();
    }

    /// Left edge of the box in the stored picture of `width` pixels in a row.
    int boxX(int width) {
        return switch (rotation) {
            case 90 -> placement.boxY();
            case 180 -> width - placement.boxX() - placement.boxWidth();
            case 270 -> width - placement.boxY() - placement.boxHeight();
            default -> placement.boxX();
        };
    }

    /// Upper edge of the box in the stored picture of `height` rows.
    int boxY(int height) {
        return switch (rotation) {
            case 90 -> height - placement.boxX() - placement.boxWidth();
            case 180 -> height - placement.boxY() - placement.boxHeight();
            case 270 -> placement.boxX();
            default -> placement.boxY();
        };
    }

    int boxWidth() {
        return isTransposed() ? placement.boxHeight() : placement.boxWidth();
    }

    int boxHeight() {
        return isTransposed() ? placement.boxWidth() : placement.boxHeight();
    }

    /// Whether the output is the scaled box as it is.
    boolean isPlain() {
        return rotation == 0
                && !placement.flipped()
                && placement.left() == 0
                && placement.top() == 0
                && placement.width() == placement.scaledWidth()
                && placement.height() == placement.scaledHeight();
    }

    /// The position in the scaled picture, row times its width plus column, of the output's pixel `x`, `y`; -1
    /// beyond it.
    int source(int x, int y) {
        int upX = (placement.flipped() ? placement.width() - 1 - x : x) + placement.left();
        int upY = y + placement.top();
        if (upX < 0 || upY < 0 || upX >= placement.scaledWidth() || upY >= placement.scaledHeight()) {
            return -1;
        }
        int width = scaledWidth();
        return switch (rotation) {
            case 90 -> (scaledHeight() - 1 - upX) * width + upY;
            case 180 -> (scaledHeight() - 1 - upY) * width + width - 1 - upX;
            case 270 -> upX * width + width - 1 - upY;
            default -> upY * width + upX;
        };
    }
}
