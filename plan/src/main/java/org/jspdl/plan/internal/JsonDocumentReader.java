package org.jspdl.plan.internal;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.SequencedMap;
import org.jspdl.json.JsonException;
import org.jspdl.json.JsonReader;

/// Reads JSON as plain values with their locations, within [DocumentLimits]. Used once.
public final class JsonDocumentReader {
    private final String text;
    private final JsonReader json;
    /// The location that was asked for last.
    private int offset;

    private int line = 1;
    private int column = 1;
    private int values;

    private JsonDocumentReader(String text) {
        this.text = text;
        this.json = JsonReader.of(text);
    }

    /// The document in `text`.
    ///
    /// @throws PlanErrorException if it is not JSON, or beyond a limit
    public static DocumentReader.Document read(String text) {
        if (text.length() > DocumentLimits.SIZE) {
            throw new PlanErrorException(
                    SourceLocation.START,
                    String.format(
                            Locale.ROOT, "the plan has more than the %,d characters allowed", DocumentLimits.SIZE));
        }
        try {
            JsonDocumentReader composer = new JsonDocumentReader(text);
            LocatedNode document = composer.value();
            composer.json.endDocument();
            return new DocumentReader.Document(document, List.of());
        } catch (JsonException malformed) {
            int begin = malformed.offset() - malformed.column() + 1;
            int column = text.codePointCount(begin, malformed.offset()) + 1;
            throw new PlanErrorException(
                    new SourceLocation(malformed.line(), column), "not valid JSON: " + malformed.problem());
        }
    }

    private LocatedNode value() {
        SourceLocation location = location();
        if (++values > DocumentLimits.VALUES) {
            throw new PlanErrorException(
                    location, String.format(Locale.ROOT, "the plan has more than %,d values", DocumentLimits.VALUES));
        }
        return switch (json.peek()) {
            case OBJECT -> mapping(location);
            case ARRAY -> sequence(location);
            case STRING -> new LocatedNode.Text(location, json.nextString());
            case NUMBER -> number(location, json.nextRaw());
            case BOOLEAN -> new LocatedNode.Bool(location, json.nextBoolean());
            case NULL -> {
                json.nextNull();
                yield new LocatedNode.Empty(location);
            }
        };
    }

    private static LocatedNode number(SourceLocation location, String written) {
        if (written.chars().allMatch(c -> c == '-' || (c >= '0' && c <= '9'))) {
            try {
                return new LocatedNode.Whole(location, Long.parseLong(written), written);
            } catch (NumberFormatException tooLarge) {
                throw new PlanErrorException(location, "'" + written + "' lies beyond the whole numbers of 64 bits");
            }
        }
        double decimal = Double.parseDouble(written);
        if (Double.isInfinite(decimal)) {
            throw new PlanErrorException(location, "'" + written + "' lies beyond the numbers of 64 bits");
        }
        return new LocatedNode.Decimal(location, decimal, written);
    }

    private LocatedNode sequence(SourceLocation location) {
        List<LocatedNode> items = new ArrayList<>();
        long size = 1;
        int deepest = 0;
        json.beginArray();
        while (json.hasNext()) {
            LocatedNode item = value();
            items.add(item);
            size += item.size();
            deepest = Math.max(deepest, item.depth());
        }
        json.endArray();
        return new LocatedNode.Items(location, items, size, deepest + 1);
    }

    private LocatedNode mapping(SourceLocation location) {
        SequencedMap<String, LocatedNode.Field> fields = new LinkedHashMap<>();
        long size = 1;
        int deepest = 0;
        json.beginObject();
        while (json.hasNext()) {
            SourceLocation name = location();
            String key = json.nextName();
            LocatedNode value = value();
            fields.put(key, new LocatedNode.Field(name, key, value));
            size += value.size();
            deepest = Math.max(deepest, value.depth());
        }
        json.endObject();
        return new LocatedNode.Fields(location, fields, size, deepest + 1);
    }

    /// Where what comes next begins.
    private SourceLocation location() {
        int next = json.offset();
        for (int i = text.indexOf('\n', offset); i >= 0 && i < next; i = text.indexOf('\n', offset)) {
            line++;
            column = 1;
            offset = i + 1;
        }
        column += text.codePointCount(offset, next);
        offset = next;
        return new SourceLocation(line, column);
    }
}
