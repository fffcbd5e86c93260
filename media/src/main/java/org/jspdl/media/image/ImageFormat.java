package org.jspdl.media.image;

import java.lang.foreign.MemorySegment;
import java.util.Optional;

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
    AVIF("AVIF");

    private final String label;

    ImageFormat(String label) {
        this.label = label;
    }

    /// The format that a file begins as; empty for other files.
    public static Optional<ImageFormat> of(MemorySegment bytes) {
        if (HeaderBytes.is(bytes, 0, "\u00FF\u00D8")) {
            return Optional.of(JPEG);
        }
        if (HeaderBytes.is(bytes, 0, "\u0089PNG\r\n\u001A\n")) {
            return Optional.of(PNG);
        }
        if (HeaderBytes.is(bytes, 0, "RIFF") && HeaderBytes.is(bytes, 8, "WEBP")) {
            return Optional.of(WEBP);
        }
        if (HeaderBytes.is(bytes, 0, "GIF87a") || HeaderBytes.is(bytes, 0, "GIF89a")) {
            return Optional.of(GIF);
        }
        if (HeaderBytes.is(bytes, 0, "BM")) {
            return Optional.of(BMP);
        }
        if (HeaderBytes.is(bytes, 0, "II*\0") || HeaderBytes.is(bytes, 0, "MM\0*")) {
            return Optional.of(TIFF);
        }
        return AvifHeader.isAvif(bytes) ? Optional.of(AVIF) : Optional.empty();
    }

    /// The name as people write it.
    public String label() {
        return label;
    }
}
