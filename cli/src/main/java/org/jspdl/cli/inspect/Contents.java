package org.jspdl.cli.inspect;

import java.util.ArrayList;
import java.util.List;
import java.util.SequencedMap;
import org.jspdl.json.JsonWriter;
import org.jspdl.observe.text.Figures;

/// What a dataset holds. Immutable.
///
/// @param location where it lies, as given
/// @param kind     what it is, such as `Parquet`
/// @param samples  how many samples, rows or files
/// @param bytes    of all fields; -1 if that takes reading all of them
/// @param traits   what else is known, in order
/// @param fields   what samples consist of: fields, columns or endings
/// @param parts    what it consists of: shards or classes
public record Contents(
        String location,
        String kind,
        long samples,
        long bytes,
        SequencedMap<String, String> traits,
        List<Field> fields,
        Parts parts) {

    /// One field.
    ///
    /// @param name    what it is called
    /// @param kind    what it holds; empty if nothing says so
    /// @param samples how many samples have it
    /// @param bytes   in all of them; -1 if unknown
    public record Field(String name, String kind, long samples, long bytes) {}

    /// Shards or classes.
    ///
    /// @param name what they are called together
    public record Parts(String name, List<Part> all) {}

    /// One shard or class.
    public record Part(String name, long samples, long bytes) {}

    /// A table for people.
    public String text(boolean each) {
        StringBuilder text = new StringBuilder(512);
        text.append(location).append(": ").append(kind).append('\n');
        List<List<String>> facts = new ArrayList<>();
        facts.add(List.of("samples", Figures.count(samples)));
        if (bytes >= 0) {
            facts.add(List.of("size", size(bytes)));
        }
        facts.add(List.of(parts.name, Figures.count(parts.all.size())));
        traits.forEach((name, value) -> facts.add(List.of(name, value)));
        text.append(Columns.of(facts, "ll"));
        if (!fields.isEmpty()) {
            List<List<String>> rows = new ArrayList<>();
            rows.add(List.of("field", "samples", "size", "mean", "kind"));
            for (Field field : fields) {
                boolean known = field.bytes >= 0 && field.samples > 0;
                rows.add(List.of(
                        field.name,
                        Figures.count(field.samples),
                        known ? size(field.bytes) : "",
                        known ? size(field.bytes / field.samples) : "",
                        field.kind));
            }
            text.append('\n').append(Columns.of(rows, "lrrrl"));
        }
        if (each) {
            List<List<String>> rows = new ArrayList<>();
            rows.add(List.of(parts.name, "samples", "size"));
            parts.all.forEach(part ->
                    rows.add(List.of(part.name, Figures.count(part.samples), part.bytes < 0 ? "" : size(part.bytes))));
            text.append('\n').append(Columns.of(rows, "lrr"));
        }
        return text.toString();
    }

    private static String size(long bytes) {
        return bytes < 10_000 ? Figures.count(bytes) + " B" : Figures.bytes(bytes);
    }

    /// A document for programs.
    public String json(boolean each) {
        JsonWriter json = JsonWriter.indented()
                .rounded(6)
                .beginObject()
                .put("location", location)
                .put("kind", kind)
                .put("samples", samples);
        number(json, "bytes", bytes);
        json.put(parts.name, parts.all.size()).beginObject("traits");
        traits.forEach(json::put);
        json.endObject().beginArray("fields");
        for (Field field : fields) {
            json.beginObject().put("name", field.name).put("kind", field.kind).put("samples", field.samples);
            number(json, "bytes", field.bytes);
            json.endObject();
        }
        json.endArray();
        if (each) {
            json.beginArray("each");
            for (Part part : parts.all) {
                json.beginObject().put("name", part.name).put("samples", part.samples);
                number(json, "bytes", part.bytes);
                json.endObject();
            }
            json.endArray();
        }
        return json.endObject().document();
    }

    private static void number(JsonWriter json, String name, long value) {
        if (value < 0) {
            json.putNull(name);
        } else {
            json.put(name, value);
        }
    }
}
