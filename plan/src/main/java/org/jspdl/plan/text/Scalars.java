package org.jspdl.plan.text;

import java.util.Locale;
import org.jspdl.plan.PlanNode;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.nodes.Tag;
import org.snakeyaml.engine.v2.resolver.ScalarResolver;
import org.snakeyaml.engine.v2.schema.CoreSchema;

/// Tells texts from numbers and truth values, by the core schema of YAML 1.2.
final class Scalars {
    private final ScalarResolver resolver = new CoreSchema().getScalarResolver();

    /// The value of `event`, which stands at `place`.
    PlanNode value(ScalarEvent event, Place place) {
        Composer.refuseTag(event.getTag(), place);
        String text = event.getValue();
        if (!event.isPlain()) {
            return new PlanNode.Text(text);
        }
        Tag tag = resolver.resolve(text, true);
        if (tag.equals(Tag.NULL)) {
            return new PlanNode.Nothing();
        }
        if (tag.equals(Tag.BOOL)) {
            return new PlanNode.Flag(Boolean.parseBoolean(text));
        }
        if (tag.equals(Tag.INT)) {
            return whole(text, place);
        }
        return tag.equals(Tag.FLOAT) ? new PlanNode.Decimal(decimal(text)) : new PlanNode.Text(text);
    }

    private static PlanNode whole(String text, Place place) {
        try {
            if (text.startsWith("0x")) {
                return new PlanNode.Whole(Long.parseLong(text.substring(2), 16));
            }
            return new PlanNode.Whole(
                    text.startsWith("0o") ? Long.parseLong(text.substring(2), 8) : Long.parseLong(text));
        } catch (NumberFormatException tooLarge) {
            throw new Composer.Stopped(place, "'" + text + "' lies beyond the whole numbers of 64 bits");
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
