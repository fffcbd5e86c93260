package org.jspdl.plan.text;

import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspdl.plan.PlanNode;

/// Writes plain values as JSON.
final class JsonWriter {
    private final StringBuilder text = new StringBuilder();

    private JsonWriter() {}

    static String write(PlanNode node) {
        JsonWriter writer = new JsonWriter();
        writer.value(node, 0);
        return writer.text.append('\n').toString();
    }

    private void value(PlanNode node, int level) {
        switch (node) {
            case PlanNode.Nothing() -> text.append("null");
            case PlanNode.Text(String value) -> quoted(value);
            case PlanNode.Whole(long value) -> text.append(value);
            case PlanNode.Decimal(double value) -> decimal(value);
            case PlanNode.Flag(boolean value) -> text.append(value);
            case PlanNode.Items(List<PlanNode> items) -> {
                Iterator<PlanNode> rest = items.iterator();
                bracketed('[', ']', level, rest, () -> value(rest.next(), level + 1));
            }
            case PlanNode.Fields(var fields) -> {
                Iterator<Map.Entry<String, PlanNode>> rest = fields.entrySet().iterator();
                bracketed('{', '}', level, rest, () -> field(rest.next(), level + 1));
            }
        }
    }

    private void field(Map.Entry<String, PlanNode> field, int level) {
        quoted(field.getKey());
        text.append(": ");
        value(field.getValue(), level);
    }

    private void bracketed(char open, char close, int level, Iterator<?> rest, Runnable next) {
        text.append(open);
        boolean filled = rest.hasNext();
        while (rest.hasNext()) {
            text.append('\n').repeat("  ", level + 1);
            next.run();
            if (rest.hasNext()) {
                text.append(',');
            }
        }
        if (filled) {
            text.append('\n').repeat("  ", level);
        }
        text.append(close);
    }

    private void decimal(double value) {
        if (!Double.isFinite(value)) {
            throw new IllegalArgumentException("JSON has no number for " + value);
        }
        text.append(value);
    }

    private void quoted(String value) {
        text.append('"');
        value.chars().forEach(c -> {
            if (c == '"' || c == '\\') {
                text.append('\\').append((char) c);
            } else if (c < ' ' || c > '~') {
                text.append(String.format(Locale.ROOT, "\\u%04x", c));
            } else {
                text.append((char) c);
            }
        });
        text.append('"');
    }
}
