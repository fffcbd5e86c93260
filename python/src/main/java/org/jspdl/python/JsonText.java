package org.jspdl.python;

import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// Writes maps, lists, texts, numbers and truth values as JSON on one line. Durations become seconds.
final class JsonText {
    private JsonText() {}

    static String of(@Nullable Object value) {
        StringBuilder text = new StringBuilder(256);
        write(value, text);
        return text.toString();
    }

    private static void write(@Nullable Object value, StringBuilder text) {
        switch (value) {
            case null -> text.append("null");
            case Optional<?> optional -> write(optional.orElse(null), text);
            case OptionalLong optional -> text.append(optional.isPresent() ? optional.getAsLong() : "null");
            case Double number when !Double.isFinite(number) -> text.append(named(number));
            case Float number when !Float.isFinite(number) -> text.append(named(number));
            case Number number -> text.append(number);
            case Boolean flag -> text.append(flag);
            case Duration duration -> text.append(duration.toNanos() / 1e9);
            case Map<?, ?> map -> {
                String separator = "{";
                for (Map.Entry<?, ?> entry : map.entrySet()) {
                    text.append(separator);
                    quote(String.valueOf(entry.getKey()), text);
                    text.append(':');
                    write(entry.getValue(), text);
                    separator = ",";
                }
                text.append(map.isEmpty() ? "{}" : "}");
            }
            case Iterable<?> elements -> {
                text.append('[');
                String separator = "";
                for (Object element : elements) {
                    text.append(separator);
                    write(element, text);
                    separator = ",";
                }
                text.append(']');
            }
            default -> quote(value.toString(), text);
        }
    }

    /// As Python's parser reads them.
    private static String named(Number number) {
        double value = number.doubleValue();
        return Double.isNaN(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity";
    }

    static void quote(String value, StringBuilder text) {
        text.append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            switch (c) {
                case '"' -> text.append("\\\"");
                case '\\' -> text.append("\\\\");
                default -> {
                    if (c < ' ' || Character.isSurrogate(c)) {
                        text.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
                    } else {
                        text.append(c);
                    }
                }
            }
        }
        text.append('"');
    }
}
