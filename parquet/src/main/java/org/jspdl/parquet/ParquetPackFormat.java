package org.jspdl.parquet;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspdl.data.shards.ShardSchema;
import org.jspdl.data.shards.pack.PackFormat;
import org.jspdl.data.shards.pack.PackedRows;
import org.jspdl.json.JsonWriter;

/// Writes Parquet as Hugging Face's library has it: an image is a structure of bytes and path, and the schema's
/// metadata says which column it is, and what the classes are called. Fields that a sample lacks are null. Values are
/// stored plainly: pictures do not get smaller by compressing them again.
public final class ParquetPackFormat implements PackFormat {
    private static final String IMAGE = "image";
    private static final String LABEL = "label";
    private static final Set<String> TEXTS =
            Set.of("path", "txt", "text", "caption", "json", "url", "__key__", "filename");

    /// For `ServiceLoader`.
    public ParquetPackFormat() {}

    @Override
    public String name() {
        return "parquet";
    }

    @Override
    public String ending() {
        return ".parquet";
    }

    @Override
    public String image() {
        return IMAGE + ".bytes";
    }

    @Override
    public String path() {
        return IMAGE + ".path";
    }

    @Override
    public long largestShard() {
        return Long.MAX_VALUE;
    }

    @Override
    public String write(PackedRows rows, List<String> classes, FileChannel file) throws IOException {
        List<WrittenColumn> columns = new ArrayList<>();
        rows.columns().forEach((name, type) -> columns.add(WrittenColumn.of(name, type, isText(name))));
        ParquetWriter writer = new ParquetWriter(file, columns);
        writer.write(rows);
        writer.finish(ShardSchema.HUGGING_FACE, features(rows, classes));
        return "";
    }

    private static boolean isText(String name) {
        return TEXTS.contains(name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT));
    }

    /// What Hugging Face's library wants to know; empty if there is no image.
    private static String features(PackedRows rows, List<String> classes) {
        Set<String> names = rows.columns().keySet();
        if (!names.contains(IMAGE + ".bytes")) {
            return "";
        }
        JsonWriter json = JsonWriter.compact()
                .beginObject()
                .beginObject("info")
                .beginObject("features")
                .beginObject(IMAGE)
                .put("_type", "Image")
                .endObject();
        if (names.contains(LABEL) && !classes.isEmpty()) {
            json.beginObject(LABEL).beginArray("names");
            classes.forEach(json::value);
            json.endArray().put("_type", "ClassLabel").endObject();
        }
        return json.endObject().endObject().endObject().document();
    }
}
