package org.jspdl.cli.inspect;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspdl.data.dataset.Manifest;
import org.jspdl.data.dataset.ManifestRow;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;

/// What the columns of a manifest hold.
public final class ManifestContents {
    private ManifestContents() {}

    private static final Pattern WHOLE = Pattern.compile("[+-]?+\\d{1,18}+");
    /// Nothing that was matched is tried again: a cell may have any length.
    private static final Pattern NUMBER = Pattern.compile("[+-]?+(?:\\d++\\.?+\\d*+|\\.\\d++)(?:[eE][+-]?+\\d++)?+");

    private static final class Column {
        boolean whole = true;
        boolean number = true;
        long values;
        long bytes;

        void add(String value) {
            values++;
            bytes += value.getBytes(StandardCharsets.UTF_8).length;
            whole = whole && WHOLE.matcher(value.strip()).matches();
            number = number && (whole || NUMBER.matcher(value.strip()).matches());
        }

        String kind() {
            return values == 0 ? "" : whole ? "whole number" : number ? "number" : "text";
        }
    }

    /// What the manifest at `location` holds; all rows are read.
    ///
    /// @throws org.jspdl.data.dataset.DatasetException if it is none
    public static Contents of(Storage storage, Location location) throws IOException {
        try (Manifest manifest = Manifest.open(storage, location)) {
            Map<String, Column> columns = new LinkedHashMap<>();
            manifest.columns().forEach(name -> columns.put(name, new Column()));
            for (long i = 0; i < manifest.size(); i++) {
                ManifestRow row = manifest.get(i);
                columns.forEach((name, column) -> {
                    Optional<String> value = row.find(name);
                    value.filter(text -> !text.isEmpty()).ifPresent(column::add);
                });
            }
            List<Contents.Field> fields = new ArrayList<>();
            columns.forEach(
                    (name, column) -> fields.add(new Contents.Field(name, column.kind(), column.values, column.bytes)));
            long bytes = fields.stream().mapToLong(Contents.Field::bytes).sum();
            return new Contents(
                    location.toString(),
                    "manifest",
                    manifest.size(),
                    bytes,
                    new LinkedHashMap<>(),
                    fields,
                    new Contents.Parts(
                            "columns",
                            fields.stream()
                                    .map(field -> new Contents.Part(field.name(), field.samples(), field.bytes()))
                                    .toList()));
        }
    }
}
