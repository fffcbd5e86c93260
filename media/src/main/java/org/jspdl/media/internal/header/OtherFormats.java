package org.jspdl.media.internal.header;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;

/// Names files that are no pictures of a format that is decoded, so that they are refused by name.
final class OtherFormats {
    private static final List<Sign> SIGNS = List.of(
            new Sign(0, "\u00FF\n", "JPEG XL"),
            new Sign(4, "JXL ", "JPEG XL"),
            new Sign(4, "jP  ", "JPEG 2000"),
            new Sign(0, "\u00FFO\u00FFQ", "JPEG 2000"),
            new Sign(0, "II+\0", "BigTIFF"),
            new Sign(0, "MM\0+", "BigTIFF"),
            new Sign(0, "8BPS", "Photoshop"),
            new Sign(0, "\0\0\1\0", "ICO"),
            new Sign(0, "qoif", "QOI"),
            new Sign(0, "v/1\1", "OpenEXR"),
            new Sign(0, "#?RADIANCE", "Radiance HDR"),
            new Sign(0, "%PDF", "PDF"),
            new Sign(0, "<svg", "SVG"),
            new Sign(0, "<?xml", "XML"),
            new Sign(0, "<!DOCTYPE html", "HTML"),
            new Sign(0, "<html", "HTML"),
            new Sign(0, "\u001F\u008B", "gzip"));
    private static final List<String> HEIF = List.of("mif1", "mif2", "msf1");

    private OtherFormats() {}

    private record Sign(int at, String text, String name) {}

    /// What a file is that begins so; empty if it is none that is known.
    static Optional<String> name(MemorySegment bytes) {
        if (IsoBoxes.hasBrand(bytes, HEIF)) {
            return Optional.of("HEIF without AV1 or HEVC");
        }
        boolean isPnm = HeaderBytes.is(bytes, 0, "P")
                && bytes.byteSize() > 2
                && "1234567fF".indexOf(HeaderBytes.u8(bytes, 1)) >= 0
                && HeaderBytes.u8(bytes, 2) <= ' ';
        if (isPnm) {
            return Optional.of("PNM");
        }
        return SIGNS.stream()
                .filter(sign -> HeaderBytes.is(bytes, sign.at, sign.text))
                .map(Sign::name)
                .findFirst();
    }
}
