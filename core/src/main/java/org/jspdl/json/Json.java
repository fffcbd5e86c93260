package org.jspdl.json;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// JSON as plain values: `Map`, `List`, `String`, `Long`, `BigDecimal` (for numbers that are no `Long`), `Boolean` and
/// null.
public final class Json {
    private static final int MAX_VALUES = 16_000_000;

    private final JsonReader reader;
    private int values;

    private Json(JsonReader reader) {
        this.reader = reader;
    }

    /// Reads a document, whose objects keep their order.
    ///
    /// @throws JsonException if `text` is no JSON, or has more than 16 million values
    public static @Nullable Object parse(String text) {
        JsonReader reader = JsonReader.of(text);
        @Nullable Object value = new Json(reader).value();
        reader.endDocument();
        return value;
    }

    /// `value` on one line, see [JsonWriter#value(Object)].
    ///
    /// @throws IllegalArgumentException if JSON has no such value
    public static String write(@Nullable Object value) {
        return JsonWriter.compact().value(value).document();
    }

    /// `text` with U+FFFD in place of surrogates that lack their other half: for texts that are shown to people,
    /// such as messages that were cut off.
    public static String wellFormed(String text) {
        StringBuilder fixed = null;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isSurrogate(c)) {
                if (i + 1 < text.length() && Character.isSurrogatePair(c, text.charAt(i + 1))) {
                    i++;
                } else {
                    fixed = fixed == null ? new StringBuilder(text) : fixed;
                    fixed.setCharAt(i, '\uFFFD');
                }
            }
        }
        return fixed == null ? text : fixed.toString();
    }

    private @Nullable Object value() {
        if (++values > MAX_VALUES) {
            throw reader.tooMany(MAX_VALUES);
        }
        return switch (reader.peek()) {
            case OBJECT -> object();
            case ARRAY -> array();
            case STRING -> reader.nextString();
            case NUMBER -> reader.nextNumber();
            case BOOLEAN -> reader.nextBoolean();
            case NULL -> {
                reader.nextNull();
                yield null;
            }
        };
    }

    private Map<String, @Nullable Object> object() {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        reader.beginObject();
        while (reader.hasNext()) {
            members.put(reader.nextName(), value());
        }
        reader.endObject();
        return members;
    }

    private List<@Nullable Object> array() {
        List<@Nullable Object> elements = new ArrayList<>();
        reader.beginArray();
        while (reader.hasNext()) {
            elements.add(value());
        }
        reader.endArray();
        return elements;
    }
}
