package org.jspdl.media.image;

/// A change of an image's colors, as torchvision's `ColorJitter` and `RandomGrayscale` make it; all it needs to be
/// made again.
///
/// @param brightness what every value is multiplied with; 1 changes nothing
/// @param contrast   how far values are moved from the image's mean luminance; 1 changes nothing
/// @param saturation how far colors are moved from their luminance; 1 changes nothing, 0 is gray
/// @param hue        turn of the color circle, -0.5 to 0.5; 0 changes nothing
/// @param order      in which of the 24 orders the four are applied, 0 to 23; 0 is the order above
/// @param gray       whether the image becomes gray in the end
public record ColorChange(double brightness, double contrast, double saturation, double hue, int order, boolean gray) {
    /// No change at all.
    public static final ColorChange NONE = new ColorChange(1, 1, 1, 0, 0, false);

    /// Checks the ranges.
    public ColorChange {
        if (!(brightness >= 0
                && contrast >= 0
                && saturation >= 0
                && Math.abs(hue) <= 0.5
                && order >= 0
                && order < 24)) {
            throw new IllegalArgumentException(
                    "factors must not be negative, hue in -0.5..0.5 and order in 0..23, but were " + brightness + ", "
                            + contrast + ", " + saturation + ", " + hue + " and " + order);
        }
    }

    /// Whether this is [#NONE]. What `equals` of a record takes is made at run time, for which many images are
    /// decoded.
    boolean isNone() {
        return brightness == 1 && contrast == 1 && saturation == 1 && hue == 0 && order == 0 && !gray;
    }
}
