package org.jspdl.cli.probe;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspdl.json.JsonWriter;
import org.jspdl.media.stream.MediaBuild;

/// What the build of FFmpeg has.
public final class BuildFindings {
    private static final int LINE = 100;

    private BuildFindings() {}

    /// The build in words and as JSON.
    public static Findings of(MediaBuild build) {
        Map<String, List<String>> lists = new LinkedHashMap<>();
        lists.put("demuxers", build.demuxers());
        lists.put("muxers", build.muxers());
        lists.put("decoders", build.decoders());
        lists.put("encoders", build.encoders());
        lists.put("filters", build.filters());
        lists.put("bitstream_filters", build.bitstreamFilters());
        Map<String, String> versions = new TreeMap<>(build.versions());
        StringBuilder text = new StringBuilder(1 << 14);
        versions.forEach((library, version) ->
                text.append(library).append(' ').append(version).append('\n'));
        text.append("license: ").append(build.license()).append('\n');
        JsonWriter json = JsonWriter.indented().beginObject().beginObject("versions");
        versions.forEach(json::put);
        json.endObject().put("license", build.license()).put("configuration", build.configuration());
        lists.forEach((kind, names) -> {
            text.append('\n')
                    .append(names.size())
                    .append(' ')
                    .append(kind.replace('_', ' '))
                    .append(":\n");
            wrap(names, text);
            json.beginArray(kind);
            names.forEach(json::value);
            json.endArray();
        });
        return Findings.of(text.toString(), json);
    }

    private static void wrap(List<String> names, StringBuilder text) {
        int column = LINE;
        for (String name : names) {
            if (column + name.length() > LINE) {
                text.append(column == LINE ? "  " : "\n  ");
                column = 0;
            } else {
                text.append(' ');
            }
            text.append(name);
            column += name.length() + 1;
        }
        text.append('\n');
    }
}
