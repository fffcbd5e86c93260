package org.jspdl.pipeline.internal.checkpoint;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Function;
import org.jspdl.json.Json;
import org.jspdl.json.JsonReader;
import org.jspdl.json.JsonWriter;
import org.jspdl.pipeline.FailedItem;
import org.jspdl.source.Position;
import org.jspecify.annotations.Nullable;

/// A failed item as one line of JSON. The reader is used once.
public final class FailedItemJson {
    private @Nullable Instant time;
    private @Nullable String pipeline;
    private @Nullable String stage;
    private @Nullable List<FailedItem.Place> places;
    private String groups = "";
    private OptionalInt element = OptionalInt.empty();
    private @Nullable String input;
    private @Nullable String cause;

    private final Function<String, Throwable> recorded;

    private FailedItemJson(Function<String, Throwable> recorded) {
        this.recorded = recorded;
    }

    /// The line of an item.
    public static String write(FailedItem item) {
        JsonWriter json = JsonWriter.compact()
                .beginObject()
                .put("time", item.time().toString())
                .put("pipeline", item.pipeline())
                .put("stage", item.stage())
                .beginArray("places");
        for (FailedItem.Place place : item.places()) {
            json.beginArray()
                    .value(place.source())
                    .value(place.epoch())
                    .value(place.position().index())
                    .value(place.position().state())
                    .endArray();
        }
        json.endArray();
        if (!item.groups().isEmpty()) {
            json.put("groups", Json.parse(item.groups()));
        }
        item.element().ifPresent(index -> json.put("element", index));
        boolean recorded = item.cause() instanceof FailedItem.Recorded;
        String cause = recorded
                ? String.valueOf(item.cause().getMessage())
                : item.cause().toString();
        return json.put("input", Json.wellFormed(item.input()))
                .put("cause", Json.wellFormed(cause))
                .endObject()
                .document();
    }

    /// Reads what [#write] wrote.
    ///
    /// @param recorded the cause, of which only the text is known
    /// @throws IllegalArgumentException if it is no failed item
    public static FailedItem read(String line, Function<String, Throwable> recorded) {
        try {
            return new FailedItemJson(recorded).item(JsonReader.of(line));
        } catch (ArithmeticException | DateTimeException malformed) {
            throw new IllegalArgumentException("not a failed item: " + malformed.getMessage(), malformed);
        }
    }

    private FailedItem item(JsonReader json) {
        json.beginObject();
        while (json.hasNext()) {
            member(json.nextName(), json);
        }
        json.endObject();
        json.endDocument();
        return new FailedItem(
                given("time", time),
                given("pipeline", pipeline),
                given("stage", stage),
                given("places", places),
                groups,
                element,
                given("input", input),
                recorded.apply(given("cause", cause)));
    }

    private static <T> T given(String name, @Nullable T value) {
        if (value == null) {
            throw new IllegalArgumentException("not a failed item: '" + name + "' is missing");
        }
        return value;
    }

    private void member(String name, JsonReader json) {
        switch (name) {
            case "time" -> time = Instant.parse(json.nextString());
            case "pipeline" -> pipeline = json.nextString();
            case "stage" -> stage = json.nextString();
            case "places" -> places = places(json);
            case "groups" -> groups = json.nextRaw();
            case "element" -> element = OptionalInt.of(Math.toIntExact(json.nextLong()));
            case "input" -> input = json.nextString();
            case "cause" -> cause = json.nextString();
            default -> json.skipValue();
        }
    }

    private static List<FailedItem.Place> places(JsonReader json) {
        List<FailedItem.Place> places = new ArrayList<>();
        json.beginArray();
        while (json.hasNext()) {
            json.beginArray();
            int source = Math.toIntExact(json.nextLong());
            long epoch = json.nextLong();
            places.add(new FailedItem.Place(source, epoch, new Position(json.nextLong(), json.nextString())));
            json.endArray();
        }
        json.endArray();
        return List.copyOf(places);
    }
}
