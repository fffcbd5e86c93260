package org.jspdl.cli.probe;

import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import org.jspdl.json.JsonWriter;
import org.jspdl.media.stream.ContainerInfo;
import org.jspdl.media.stream.DemuxOptions;
import org.jspdl.media.stream.Demuxer;
import org.jspdl.media.stream.MediaSource;
import org.jspdl.media.stream.Rational;
import org.jspdl.media.stream.StreamInfo;
import org.jspdl.observe.text.Figures;

/// The container and streams of a file with sound or video.
final class MediaFindings {
    private MediaFindings() {}

    static Findings of(Path file) {
        DemuxOptions options = DemuxOptions.standard().inspection(DemuxOptions.Inspection.FULL);
        try (Demuxer demuxer = Demuxer.open(MediaSource.of(file), options)) {
            return Findings.of(table(demuxer.info()), json(demuxer.info()));
        }
    }

    private static String table(ContainerInfo info) {
        StringBuilder text = new StringBuilder(512);
        text.append(String.format(
                Locale.ROOT,
                "%s: %s, %s%s%n",
                info.source(),
                info.format(),
                info.duration().map(MediaFindings::seconds).orElse("unknown duration"),
                info.bitRate() > 0 ? ", " + Figures.count(info.bitRate() / 1000) + " kbit/s" : ""));
        for (StreamInfo stream : info.streams()) {
            text.append(String.format(
                            Locale.ROOT,
                            "  %-3d %-6s %-10s %-40s %-12s %s%n",
                            stream.index(),
                            stream.kind().name().toLowerCase(Locale.ROOT),
                            stream.codec(),
                            traits(stream),
                            stream.duration().map(MediaFindings::seconds).orElse(""),
                            stream.bitRate() > 0 ? Figures.count(stream.bitRate() / 1000) + " kbit/s" : "")
                    .stripTrailing());
            text.append(System.lineSeparator());
        }
        info.metadata().entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(entry -> text.append("  ")
                        .append(entry.getKey())
                        .append(": ")
                        .append(entry.getValue())
                        .append(System.lineSeparator()));
        return text.toString();
    }

    private static String seconds(Rational time) {
        return String.format(Locale.ROOT, "%.3f s", time.toDouble());
    }

    private static String traits(StreamInfo stream) {
        return switch (stream.kind()) {
            case VIDEO ->
                stream.width() + " x " + stream.height() + ", " + stream.format()
                        + stream.frameRate()
                                .map(rate -> String.format(Locale.ROOT, ", %.3f frames/s", rate.toDouble()))
                                .orElse("")
                        + (stream.frames() > 0 ? ", " + stream.frames() + " frames" : "")
                        + (stream.rotation() > 0 ? ", turned by " + stream.rotation() : "")
                        + (stream.isMirrored() ? ", mirrored" : "");
            case AUDIO -> stream.sampleRate() + " Hz, " + stream.channelLayout() + ", " + stream.format();
            case OTHER -> "";
        };
    }

    private static JsonWriter json(ContainerInfo info) {
        JsonWriter json = JsonWriter.indented()
                .rounded(6)
                .beginObject()
                .put("file", info.source())
                .put("format", info.format());
        number(json, "duration_seconds", info.duration().map(Rational::toDouble).orElse(Double.NaN));
        json.put("bit_rate", info.bitRate()).beginArray("streams");
        for (StreamInfo stream : info.streams()) {
            json.beginObject()
                    .put("index", stream.index())
                    .put("kind", stream.kind().name().toLowerCase(Locale.ROOT))
                    .put("codec", stream.codec())
                    .put("profile", stream.profile())
                    .put("format", stream.format())
                    .put("time_base", stream.timeBase().toString());
            number(json, "start_seconds", stream.start().map(Rational::toDouble).orElse(Double.NaN));
            number(
                    json,
                    "duration_seconds",
                    stream.duration().map(Rational::toDouble).orElse(Double.NaN));
            json.put("frames", stream.frames()).put("bit_rate", stream.bitRate());
            switch (stream.kind()) {
                case VIDEO ->
                    json.put("width", stream.width())
                            .put("height", stream.height())
                            .put(
                                    "frame_rate",
                                    stream.frameRate().map(Rational::toString).orElse(""))
                            .put(
                                    "pixel_aspect",
                                    stream.pixelAspect().map(Rational::toString).orElse(""))
                            .put("rotation", stream.rotation())
                            .put("mirrored", stream.isMirrored());
                case AUDIO ->
                    json.put("sample_rate", stream.sampleRate())
                            .put("channels", stream.channels())
                            .put("channel_layout", stream.channelLayout());
                case OTHER -> {}
            }
            json.put("default", stream.isDefault());
            metadata(json, stream.metadata());
            json.endObject();
        }
        json.endArray();
        metadata(json, info.metadata());
        return json;
    }

    private static void number(JsonWriter json, String key, double value) {
        json.put(key, value);
    }

    private static void metadata(JsonWriter json, Map<String, String> entries) {
        json.beginObject("metadata");
        entries.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(entry -> json.put(entry.getKey(), entry.getValue()));
        json.endObject();
    }
}
