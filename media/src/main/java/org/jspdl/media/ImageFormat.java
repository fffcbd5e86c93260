package org.jspdl.media;

/// A file format of images, as told from the first bytes of a file rather than from its name.
public enum ImageFormat {
    /// ISO 10918.
    JPEG("JPEG"),
    /// Portable Network Graphics.
    PNG("PNG"),
    /// WebP, lossy or lossless.
    WEBP("WebP"),
    /// Graphics Interchange Format.
    GIF("GIF"),
    /// Windows bitmap.
    BMP("BMP"),
    /// Tagged Image File Format.
    TIFF("TIFF"),
    /// AV1 Image File Format.
    AVIF("AVIF"),
    /// HEVC in HEIF, as phones write it.
    HEIC("HEIC");

    private final String label;

    ImageFormat(String label) {
        this.label = label;
    }

    /// The name as people write it.
    public String label() {
        return label;
    }
}
