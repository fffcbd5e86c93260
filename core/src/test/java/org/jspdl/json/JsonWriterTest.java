package org.jspdl.json;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.StringWriter;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class JsonWriterTest {
    @Test
    void writesOnOneLineOrIndented() {
        assertEquals("{\"a\":[1,true,null,\"x\"],\"b\":{},\"c\":0.5}", fill(JsonWriter.compact()));
        assertEquals("""
                {
                  "a": [
                    1,
                    true,
                    null,
                    "x"
                  ],
                  "b": {},
                  "c": 0.5
                }
                """, fill(JsonWriter.indented()));
    }

    private static String fill(JsonWriter json) {
        return json.beginObject()
                .beginArray("a")
                .value(1)
                .value(true)
                .value((String) null)
                .value("x")
                .endArray()
                .beginObject("b")
                .endObject()
                .put("c", 0.5)
                .endObject()
                .document();
    }

    @Test
    void everyCharacterIsReadAsItWasWritten() {
        for (int c = 0; c <= Character.MAX_CODE_POINT; c++) {
            if (c < Character.MIN_SURROGATE || c > Character.MAX_SURROGATE) {
                String text = "<" + Character.toString(c) + ">";
                assertEquals(text, Json.parse(Json.write(text)));
            }
        }
    }

    @Test
    void surrogatesAloneAreRefusedOrReplaced() {
        for (String lone : List.of("\uD800", "a\uDC00b", "\uD83D\uDE00\uD83D", "\uDE00\uD83D")) {
            assertThrows(IllegalArgumentException.class, () -> Json.write(lone));
            assertThrows(IllegalArgumentException.class, () -> Json.write(Map.of(lone, 1)));
            Json.write(Json.wellFormed(lone));
        }
        assertEquals("\uD83D\uDE00\uFFFD!", Json.wellFormed("\uD83D\uDE00\uD83D!"));
    }

    @Test
    void randomValuesAreReadAsTheyWereWritten() {
        Random random = new Random(5);
        for (int round = 0; round < 2000; round++) {
            Object value = value(random, 0);
            assertEquals(value, Json.parse(Json.write(value)));
            assertEquals(value, Json.parse(JsonWriter.indented().value(value).document()));
        }
    }

    private static @Nullable Object value(Random random, int depth) {
        return switch (random.nextInt(depth > 4 ? 5 : 7)) {
            case 0 -> random.nextLong() >> random.nextInt(64);
            case 1 -> {
                double number = random.nextGaussian() * Math.pow(10, random.nextInt(40) - 20);
                BigDecimal exact = new BigDecimal(Double.toString(number));
                yield exact.setScale(Math.max(1, exact.scale())); // without a fraction it is read as a Long
            }
            case 2 -> random.nextBoolean();
            case 3 -> text(random);
            case 4 -> null;
            case 5 -> {
                List<Object> list = new ArrayList<>();
                for (int i = random.nextInt(5); i > 0; i--) {
                    list.add(value(random, depth + 1));
                }
                yield list;
            }
            default -> {
                Map<String, Object> map = new LinkedHashMap<>();
                for (int i = random.nextInt(40) / (depth + 1); i > 0; i--) {
                    map.put(text(random), value(random, depth + 1));
                }
                yield map;
            }
        };
    }

    private static String text(Random random) {
        return random.ints(random.nextInt(8), 0, 0x11000)
                .filter(c -> c < Character.MIN_SURROGATE || c > Character.MAX_SURROGATE)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    @Test
    void doublesAreExactUnlessRounded() {
        for (double value : new double[] {0, -0.0, 0.1, 1e300, Double.MIN_VALUE, 1.0 / 3, 123456789.12345679}) {
            assertEquals(value, JsonReader.of(Json.write(value)).nextDouble());
        }
        for (double value : new double[] {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY}) {
            assertThrows(IllegalArgumentException.class, () -> Json.write(value));
            assertThrows(IllegalArgumentException.class, () -> Json.write((float) value));
            assertEquals("null", JsonWriter.compact().rounded(6).value(value).document());
        }
        assertEquals("0.333333", JsonWriter.compact().rounded(6).value(1.0 / 3).document());
        assertEquals(
                1e300,
                JsonReader.of(JsonWriter.compact().rounded(6).value(1e300).document())
                        .nextDouble());
        assertEquals("0.1", Json.write(0.1f));
    }

    @Test
    void callsThatGiveNoDocumentAreRefused() {
        assertThrows(IllegalStateException.class, () -> JsonWriter.compact().document());
        assertThrows(IllegalStateException.class, () -> JsonWriter.compact().name("a"));
        assertThrows(
                IllegalStateException.class, () -> JsonWriter.compact().value(1).value(2));
        assertThrows(
                IllegalStateException.class,
                () -> JsonWriter.compact().beginObject().value(1));
        assertThrows(
                IllegalStateException.class,
                () -> JsonWriter.compact().beginObject().name("a").name("b"));
        assertThrows(
                IllegalStateException.class,
                () -> JsonWriter.compact().beginObject().name("a").endObject());
        assertThrows(
                IllegalStateException.class,
                () -> JsonWriter.compact().beginObject().endArray());
        assertThrows(
                IllegalStateException.class,
                () -> JsonWriter.compact().beginArray().name("a"));
        assertThrows(
                IllegalStateException.class,
                () -> JsonWriter.compact().beginArray().document());
        assertThrows(
                IllegalStateException.class,
                () -> JsonWriter.compact().beginArray().endArray().endArray());
        assertThrows(IllegalArgumentException.class, () -> Json.write(new Object()));
    }

    @Test
    void aDocumentIsDrainedInParts() throws Exception {
        StringWriter out = new StringWriter();
        JsonWriter json = JsonWriter.compact().beginArray();
        for (int i = 0; i < 3; i++) {
            json.newLine().value(i).drainTo(out);
        }
        json.newLine().endArray().drainTo(out);
        assertEquals("[\n0,\n1,\n2\n]", out.toString());
    }
}
