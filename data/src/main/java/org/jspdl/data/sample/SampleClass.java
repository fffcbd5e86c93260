package org.jspdl.data.sample;

import java.util.Locale;

/// What pictures of one class have in common: colors, the kind of shape, and the direction and width of their grain.
///
/// In alphabetical order, so that the ordinal is the class number of the folder layout.
enum SampleClass {
    BARK(Form.BAND, 88, 19, 0x3A2A1C, 0x6B5138, 0x8F7350, 0x5E6B3F),
    BRICK(Form.BOX, 2, 34, 0x7A3B2A, 0xA4543C, 0xB9B0A4, 0x5C2A22),
    CORAL(Form.DISC, 40, 13, 0xE07A5F, 0x2A6F7F, 0xF2B79F, 0x7A3558),
    DUNE(Form.BAND, 12, 46, 0xD9B382, 0xB88A55, 0xEBD4AE, 0x8C6A45),
    GLACIER(Form.TRIANGLE, 60, 27, 0x9CC3D9, 0xE6F0F5, 0x4F7F9F, 0x2F4A63),
    HARBOUR(Form.BOX, 90, 23, 0x2F4F6F, 0x7F99AF, 0xC94F3F, 0xE8E4D8),
    MARKET(Form.DIAMOND, 45, 16, 0xD13F31, 0xF2A93B, 0x4E8B3A, 0x6B3FA0),
    MEADOW(Form.BAND, 76, 11, 0x3F6B2B, 0x7FA33F, 0xB9C96A, 0xE3D94F),
    NIGHT(Form.DISC, 0, 61, 0x0B0F1F, 0x1F2A4A, 0x3F3F5F, 0xE8C86A),
    REEF(Form.RING, 135, 29, 0x0F5F7A, 0x1F8FA3, 0x5FC0B7, 0xF2D06B);

    /// The outline of the objects in a picture.
    enum Form {
        BAND,
        BOX,
        DIAMOND,
        DISC,
        RING,
        TRIANGLE
    }

    private final Form form;
    private final int grainDegrees;
    private final int grainPixels;
    private final int[] palette;

    SampleClass(Form form, int grainDegrees, int grainPixels, int... palette) {
        this.form = form;
        this.grainDegrees = grainDegrees;
        this.grainPixels = grainPixels;
        this.palette = palette;
    }

    Form form() {
        return form;
    }

    /// Direction in which the grain repeats, in degrees from the horizontal.
    int grainDegrees() {
        return grainDegrees;
    }

    /// Pixels from one ridge of the grain to the next.
    int grainPixels() {
        return grainPixels;
    }

    int colors() {
        return palette.length;
    }

    /// Color `index` as `0xRRGGBB`.
    int color(int index) {
        return palette[index];
    }

    /// The name of the class's folder.
    String folder() {
        return name().toLowerCase(Locale.ROOT);
    }
}
