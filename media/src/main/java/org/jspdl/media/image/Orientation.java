package org.jspdl.media.image;

/// Whether the EXIF orientation is applied.
public enum Orientation {
    /// The image is turned upright.
    UPRIGHT,
    /// The image stays as it is stored, as in torchvision and Pillow by default.
    AS_STORED;

    /// Whether stored rows become columns of the upright image.
    static boolean transposes(int exif) {
        return exif >= 5;
    }

    /// Whether the first stored column is the upright image's last column, or last row where rows and columns
    /// change places.
    static boolean reversesColumns(int exif) {
        return exif == 2 || exif == 3 || exif == 7 || exif == 8;
    }

    /// Whether the first stored row is the upright image's last row, or last column where rows and columns change
    /// places.
    static boolean reversesRows(int exif) {
        return exif == 3 || exif == 4 || exif == 6 || exif == 7;
    }
}
