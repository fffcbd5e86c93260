package org.jspdl.data.dataset;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspdl.json.JsonException;
import org.jspdl.json.JsonReader;

/// A row of JSON lines: the members of one object. Strings are unescaped, all other values are as they are written, and
/// null is no value.
public final class JsonRow {
    private JsonRow() {}

    /// The members of the object that is the document, in its order.
    ///
    /// @throws JsonException if it is no JSON object
    public static Map<String, String> parse(JsonReader json) {
        Map<String, String> row = new LinkedHashMap<>();
        json.beginObject();
        while (json.hasNext()) {
            String name = json.nextName();
            switch (json.peek()) {
                case NULL -> json.nextNull();
                case STRING -> row.put(name, json.nextString());
                default -> row.put(name, json.nextRaw());
            }
        }
        json.endObject();
        json.endDocument();
        return row;
    }

    /// What the members of the object that is the document are: `text`, `whole number`, `number`, `boolean`,
    /// `list`, `object` or `null`.
    ///
    /// @throws JsonException if it is no JSON object
    public static Map<String, String> kinds(JsonReader json) {
        Map<String, String> kinds = new LinkedHashMap<>();
        json.beginObject();
        while (json.hasNext()) {
            String name = json.nextName();
            kinds.put(name, kind(json));
        }
        json.endObject();
        json.endDocument();
        return kinds;
    }

    private static String kind(JsonReader json) {
        return switch (json.peek()) {
            case NUMBER -> json.nextRaw().matches("-?\\d{1,18}") ? "whole number" : "number";
            case STRING -> skipped(json, "text");
            case BOOLEAN -> skipped(json, "boolean");
            case NULL -> skipped(json, "null");
            case ARRAY -> skipped(json, "list");
            case OBJECT -> skipped(json, "object");
        };
    }

    private static String skipped(JsonReader json, String kind) {
        json.skipValue();
        return kind;
    }
}
