package org.jspdl.cli.probe;

import java.nio.file.Path;
import java.util.Locale;
import org.jspdl.json.JsonWriter;
import org.jspdl.media.ImageInfo;

/// What a picture's header says.
final class PictureFindings {
    private PictureFindings() {}

    static Findings of(Path file, ImageInfo info) {
        String table = String.format(
                Locale.ROOT,
                "%s: %s, %d x %d, %s, %d bits a channel%s%n",
                file,
                info.format().label(),
                info.width(),
                info.height(),
                colors(info.channels()),
                info.bitDepth(),
                info.orientation() == 1 ? "" : ", to be shown by EXIF orientation " + info.orientation());
        JsonWriter json = JsonWriter.indented()
                .rounded(6)
                .beginObject()
                .put("file", file.toString())
                .put("format", info.format().label())
                .put("width", info.width())
                .put("height", info.height())
                .put("channels", info.channels())
                .put("bit_depth", info.bitDepth())
                .put("orientation", info.orientation());
        return Findings.of(table, json);
    }

    private static String colors(int channels) {
        return switch (channels) {
            case 1 -> "gray";
            case 2 -> "gray with opacity";
            case 3 -> "color";
            default -> channels + " channels";
        };
    }
}
