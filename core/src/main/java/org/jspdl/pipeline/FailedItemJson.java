package org.jspdl.pipeline;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.jspdl.pipeline.internal.Json;
import org.jspdl.source.Position;
import org.jspecify.annotations.Nullable;

/// Failed items as lines of JSON.
final class FailedItemJson {
    private FailedItemJson() {}

    static String write(FailedItem item) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("time", item.time().toString());
        json.put("pipeline", item.pipeline());
        json.put("stage", item.stage());
        json.put("places", item.places().stream().map(FailedItemJson::place).toList());
        if (!item.groups().isEmpty()) {
            json.put("groups", item.groups());
        }
        item.element().ifPresent(index -> json.put("element", index));
        json.put("input", item.input());
        boolean recorded = item.cause() instanceof FailedItem.Recorded;
        json.put(
                "cause",
                recorded
                        ? String.valueOf(item.cause().getMessage())
                        : item.cause().toString());
        return Json.write(json);
    }

    private static List<Object> place(FailedItem.Place place) {
        return List.of(
                place.source(),
                place.epoch(),
                place.position().index(),
                place.position().state());
    }

    static FailedItem read(String line) {
        try {
            Map<?, ?> json = (Map<?, ?>) Json.read(line);
            List<FailedItem.Place> places = new ArrayList<>();
            for (Object place : (List<?>) field(json, "places")) {
                places.add(place((List<?>) place));
            }
            return new FailedItem(
                    Instant.parse((String) field(json, "time")),
                    (String) field(json, "pipeline"),
                    (String) field(json, "stage"),
                    List.copyOf(places),
                    groups((Map<?, ?>) json.get("groups")),
                    element((Long) json.get("element")),
                    (String) field(json, "input"),
                    new FailedItem.Recorded((String) field(json, "cause")));
        } catch (ClassCastException | IndexOutOfBoundsException | ArithmeticException | DateTimeException malformed) {
            throw new IllegalArgumentException("not a failed item: a value is missing or of the wrong kind", malformed);
        }
    }

    private static OptionalInt element(@Nullable Long index) {
        return index == null ? OptionalInt.empty() : OptionalInt.of(Math.toIntExact(index));
    }

    private static Map<String, List<List<String>>> groups(@Nullable Map<?, ?> json) {
        Map<String, List<List<String>>> groups = new LinkedHashMap<>();
        if (json != null) {
            json.forEach((stage, all) -> {
                List<List<String>> read = new ArrayList<>();
                for (Object members : (List<?>) all) {
                    read.add(
                            ((List<?>) members).stream().map(String.class::cast).toList());
                }
                groups.put((String) stage, List.copyOf(read));
            });
        }
        return groups;
    }

    private static FailedItem.Place place(List<?> fields) {
        return new FailedItem.Place(
                Math.toIntExact((Long) fields.get(0)), (Long) fields.get(1), new Position((Long) fields.get(2), (String)
                        fields.get(3)));
    }

    private static Object field(Map<?, ?> json, String name) {
        Object value = json.get(name);
        if (value == null) {
            throw new IllegalArgumentException("not a failed item: '" + name + "' is missing");
        }
        return value;
    }
}
