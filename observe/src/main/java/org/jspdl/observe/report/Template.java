package org.jspdl.observe.report;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A text with places for values. Immutable.
///
/// | tag | gives |
/// | --- | --- |
/// | `{{name}}` | the value of `name`, escaped for HTML text and attributes |
/// | `{{{name}}}` | the value as it is, for style sheets |
/// | `{{#name}}...{{/name}}` | the part for each map of a list, or once for `true` |
/// | `{{^name}}...{{/name}}` | the part if the list is empty, or for `false` |
///
/// A name is looked up in the innermost map that has it. A name that no map has is an error.
final class Template {
    private final List<Part> parts;

    private sealed interface Part {
        record Text(String text) implements Part {}

        record Name(String name, boolean escaped) implements Part {}

        record Block(String name, boolean inverted, List<Part> parts) implements Part {}
    }

    private Template(List<Part> parts) {
        this.parts = parts;
    }

    /// The template in the resource `name` of this package.
    static Template resource(String name) {
        return parse(text(name));
    }

    static String text(String name) {
        try (InputStream resource = Template.class.getResourceAsStream(name)) {
            if (resource == null) {
                throw new IllegalStateException("the resource " + name + " is missing");
            }
            return new String(resource.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /// @throws IllegalArgumentException if a tag is not closed
    static Template parse(String text) {
        Deque<Part.Block> open = new ArrayDeque<>();
        open.push(new Part.Block("", false, new ArrayList<>()));
        int at = 0;
        for (int tag = text.indexOf("{{"); tag >= 0; tag = text.indexOf("{{", at)) {
            innermost(open).parts.add(new Part.Text(text.substring(at, tag)));
            boolean raw = text.startsWith("{{{", tag);
            String close = raw ? "}}}" : "}}";
            int end = text.indexOf(close, tag);
            if (end < 0) {
                throw new IllegalArgumentException("a tag is not closed: " + text.substring(tag));
            }
            String name = text.substring(tag + close.length(), end);
            at = end + close.length();
            switch (raw ? 0 : name.charAt(0)) {
                case '#', '^' -> open.push(new Part.Block(name.substring(1), name.charAt(0) == '^', new ArrayList<>()));
                case '/' -> {
                    Part.Block ended = open.pop();
                    if (open.isEmpty() || !ended.name.equals(name.substring(1))) {
                        throw new IllegalArgumentException("{{" + name + "}} ends nothing that was begun");
                    }
                    innermost(open).parts.add(ended);
                }
                default -> innermost(open).parts.add(new Part.Name(name, !raw));
            }
        }
        Part.Block whole = open.pop();
        if (!open.isEmpty()) {
            throw new IllegalArgumentException("{{#" + whole.name + "}} is not ended");
        }
        whole.parts.add(new Part.Text(text.substring(at)));
        return new Template(whole.parts);
    }

    private static Part.Block innermost(Deque<Part.Block> open) {
        Part.Block block = open.peek();
        if (block == null) {
            throw new IllegalArgumentException("too many parts are ended");
        }
        return block;
    }

    /// The text with `values`, which are strings, numbers, booleans and lists of maps.
    String render(Map<String, ?> values) {
        StringBuilder out = new StringBuilder(32 * 1024);
        Deque<Map<String, ?>> scopes = new ArrayDeque<>();
        scopes.push(values);
        render(parts, scopes, out);
        return out.toString();
    }

    private static void render(List<Part> parts, Deque<Map<String, ?>> scopes, StringBuilder out) {
        for (Part part : parts) {
            switch (part) {
                case Part.Text(String text) -> out.append(text);
                case Part.Name(String name, boolean escaped) -> {
                    String value = String.valueOf(value(name, scopes));
                    out.append(escaped ? escape(value) : value);
                }
                case Part.Block block -> render(block, scopes, out);
            }
        }
    }

    private static void render(Part.Block block, Deque<Map<String, ?>> scopes, StringBuilder out) {
        Object value = value(block.name, scopes);
        if (value instanceof List<?> list && !block.inverted) {
            for (Object each : list) {
                @SuppressWarnings("unchecked") // lists of a template's values hold maps
                Map<String, ?> scope = (Map<String, ?>) each;
                scopes.push(scope);
                render(block.parts, scopes, out);
                scopes.pop();
            }
        } else {
            boolean shown = value instanceof List<?> list ? !list.isEmpty() : Boolean.TRUE.equals(value);
            if (shown != block.inverted) {
                render(block.parts, scopes, out);
            }
        }
    }

    private static Object value(String name, Deque<Map<String, ?>> scopes) {
        for (Map<String, ?> scope : scopes) {
            @Nullable Object value = scope.get(name);
            if (value != null) {
                return value;
            }
        }
        throw new IllegalArgumentException("the template has no value for '" + name + "'");
    }

    /// Text that may stand between tags and in quoted attributes.
    private static String escape(String text) {
        StringBuilder escaped = new StringBuilder(text.length() + 16);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '&' -> escaped.append("&amp;");
                case '<' -> escaped.append("&lt;");
                case '>' -> escaped.append("&gt;");
                case '"' -> escaped.append("&quot;");
                case '\'' -> escaped.append("&#39;");
                default -> escaped.append(c);
            }
        }
        return escaped.toString();
    }
}
