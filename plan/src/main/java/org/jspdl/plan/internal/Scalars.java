package org.jspdl.plan.internal;

import java.util.Locale;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.nodes.Tag;
import org.snakeyaml.engine.v2.resolver.ScalarResolver;
import org.snakeyaml.engine.v2.schema.CoreSchema;

/// Tells texts from numbers and booleans, by the core schema of YAML 1.2.
final class Scalars {
    private final ScalarResolver resolver = new CoreSchema().getScalarResolver();

    /// The value of `event`, which stands at `location`.
    LocatedNode value(ScalarEvent event, SourceLocation location) {
        DocumentReader.refuseTag(event.getTag(), location);
        String text = event.getValue();
        if (!event.isPlain()) {
            return new LocatedNode.Text(location, text);
        }
        Tag tag = resolver.resolve(text, true);
        if (tag.equals(Tag.NULL)) {
            return new LocatedNode.Empty(location);
        }
        if (tag.equals(Tag.BOOL)) {
            return new LocatedNode.Bool(location, Boolean.parseBoolean(text));
        }
        if (tag.equals(Tag.INT)) {
            return whole(text, location);
        }
        return tag.equals(Tag.FLOAT)
                ? new LocatedNode.Decimal(location, decimal(text), text)
                : new LocatedNode.Text(location, text);
    }

    private static LocatedNode whole(String text, SourceLocation location) {
        try {
            if (text.startsWith("0x")) {
                return new LocatedNode.Whole(location, Long.parseLong(text.substring(2), 16), text);
            }
            return new LocatedNode.Whole(
                    location,
                    text.startsWith("0o") ? Long.parseLong(text.substring(2), 8) : Long.parseLong(text),
                    text);
        } catch (NumberFormatException tooLarge) {
            throw new PlanErrorException(location, "'" + text + "' lies beyond the whole numbers of 64 bits");
        }
    }

    private static double decimal(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case ".inf", "+.inf" -> Double.POSITIVE_INFINITY;
            case "-.inf" -> Double.NEGATIVE_INFINITY;
            case ".nan" -> Double.NaN;
            default -> Double.parseDouble(text);
        };
    }
}
