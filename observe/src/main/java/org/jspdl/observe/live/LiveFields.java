package org.jspdl.observe.live;

import java.util.List;
import java.util.Map;
import org.jspdl.json.Json;
import org.jspecify.annotations.Nullable;

/// The members of a JSON object; those that are missing, or of another kind, are empty or zero.
record LiveFields(Map<?, ?> members) {
    /// @throws IllegalArgumentException if `text` is no JSON object
    static LiveFields parse(String text) {
        if (Json.parse(text) instanceof Map<?, ?> object) {
            return new LiveFields(object);
        }
        throw new IllegalArgumentException("a look at a run must be a JSON object");
    }

    private static LiveFields of(@Nullable Object value) {
        return new LiveFields(value instanceof Map<?, ?> object ? object : Map.of());
    }

    String text(String name) {
        return members.get(name) instanceof String text ? text : "";
    }

    double number(String name) {
        return members.get(name) instanceof Number number ? number.doubleValue() : 0;
    }

    long whole(String name) {
        return members.get(name) instanceof Number number ? number.longValue() : 0;
    }

    LiveFields member(String name) {
        return of(members.get(name));
    }

    List<LiveFields> objects(String name) {
        return list(name).stream().map(LiveFields::of).toList();
    }

    List<String> texts(String name) {
        return list(name).stream().map(String::valueOf).toList();
    }

    private List<?> list(String name) {
        return members.get(name) instanceof List<?> list ? list : List.of();
    }
}
