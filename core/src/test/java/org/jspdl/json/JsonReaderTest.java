package org.jspdl.json;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonReaderTest {
    private static final String DOCUMENT =
            " {\"a\" : [1, -2.5e-3, true, false, null, {}, []],\n\t\"b\\u00e9\\ud83d\\ude00\" : {\"\" : \"x\\n\\\"\\\\\\/"
                    + "\uD83D\uDE00\"}}\r\n";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "{",
                "}",
                "[",
                "]",
                "[1,]",
                "[,1]",
                "[1 2]",
                "[1,,2]",
                "{\"a\"}",
                "{\"a\":}",
                "{\"a\":1,}",
                "{,}",
                "{a:1}",
                "{'a':1}",
                "{\"a\" 1}",
                "{\"a\":1 \"b\":2}",
                "{1:2}",
                "[1}",
                "{\"a\":1]",
                "01",
                "-",
                "-01",
                "+1",
                ".5",
                "5.",
                "1e",
                "1e+",
                "1.e3",
                "0x10",
                "NaN",
                "Infinity",
                "-Infinity",
                "nul",
                "nulll",
                "True",
                "tru",
                "truefalse",
                "1 2",
                "{} {}",
                "[] x",
                "\"",
                "\"a",
                "\"\\",
                "\"\\u12",
                "\"\\u12g4\"",
                "\"\\x41\"",
                "\"\\'\"",
                "\"a\nb\"",
                "\"a\tb\"",
                "\"\u0000\"",
                "'a'",
                "// no\n1",
                "/* no */ 1",
                "\uFEFF1",
                "\u00A01",
                "1\u000B",
                "\"\uD800\"",
                "\"\uDC00\"",
                "\"\uDC00\uD800\"",
                "\"\\ud800\"",
                "\"\\udc00x\"",
                "\"\\ud800\\ud800\"",
                "\"\\ud800" + "\uDC00\"",
                "\"\uD800" + "\\udc00\"",
                "\"\\ud800\\n\"",
                "\u0661",
                "\"\\u" + "\u0661\u0661\u0661\u0661\""
            })
    void refusesWhatIsNotJson(String text) {
        assertThrows(JsonException.class, () -> Json.parse(text));
        assertThrows(JsonException.class, () -> {
            JsonReader skipping = JsonReader.of(text);
            skipping.skipValue();
            skipping.endDocument();
        });
    }

    @Test
    void readsEveryKindOfValue() {
        @SuppressWarnings("unchecked")
        Map<String, Object> read = (Map<String, Object>) requireNonNull(Json.parse(DOCUMENT));

        assertEquals(List.of("a", "bé\uD83D\uDE00"), List.copyOf(read.keySet()));
        assertEquals(
                Arrays.asList(1L, new BigDecimal("-0.0025"), true, false, null, Map.of(), List.of()), read.get("a"));
        assertEquals(Map.of("", "x\n\"\\/\uD83D\uDE00"), read.get("bé\uD83D\uDE00"));
    }

    @Test
    void numbersAreExactOrRefused() {
        assertEquals(Long.MIN_VALUE, Json.parse("-9223372036854775808"));
        assertEquals(new BigDecimal("9223372036854775808"), Json.parse("9223372036854775808"));
        assertEquals(
                new BigDecimal("0.1000000000000000055511151231257827"),
                Json.parse("0.1000000000000000055511151231257827"));
        assertThrows(
                JsonException.class, () -> JsonReader.of("9223372036854775808").nextLong());
        assertThrows(JsonException.class, () -> JsonReader.of("1.0").nextLong());
        assertThrows(JsonException.class, () -> JsonReader.of("1e3").nextLong());
        assertEquals(1e308, JsonReader.of("1e308").nextDouble());
        assertThrows(JsonException.class, () -> JsonReader.of("1e309").nextDouble());
        assertThrows(JsonException.class, () -> Json.parse("1e99999999999"));
        assertThrows(JsonException.class, () -> Json.parse("1".repeat(1001)));
    }

    @Test
    void everyTruncationIsRefused() {
        String text = DOCUMENT.strip();
        for (int length = 0; length < text.length(); length++) {
            String cut = text.substring(0, length);
            assertThrows(JsonException.class, () -> Json.parse(cut), cut);
        }
    }

    @Test
    void damagedDocumentsAreReadOrRefusedButNeverFailOtherwise() {
        Random random = new Random(16);
        String alphabet = "{}[]\",:\\u0129-+.eEtrufalsn \n\uD83D\uDE00\u0001";
        int read = 0;
        for (int round = 0; round < 20_000; round++) {
            StringBuilder text = new StringBuilder(DOCUMENT);
            for (int i = random.nextInt(3); i >= 0; i--) {
                text.setCharAt(random.nextInt(text.length()), alphabet.charAt(random.nextInt(alphabet.length())));
            }
            String damaged = text.toString();
            boolean whole;
            try {
                Object value = Json.parse(damaged);
                assertEquals(value, Json.parse(Json.write(value)), damaged);
                whole = true;
                read++;
            } catch (JsonException refused) {
                assertTrue(refused.offset() <= damaged.length(), damaged);
                whole = false;
            }
            assertEquals(whole, passes(damaged), damaged);
        }
        assertTrue(read > 1000, "documents that were still whole: " + read);
    }

    /// Passing over a value must check as much as reading it.
    private static boolean passes(String text) {
        try {
            JsonReader reader = JsonReader.of(text);
            String raw = reader.nextRaw();
            reader.endDocument();
            assertEquals(text.strip(), raw);
            return true;
        } catch (JsonException refused) {
            return false;
        }
    }

    @Test
    void aNameMustNotBeThereTwice() {
        for (int names : new int[] {1, 2, 15, 16, 17, 18, 300}) {
            StringBuilder text = new StringBuilder("{");
            for (int i = 0; i < names; i++) {
                text.append("\"").append(i).append("\":[{\"0\":1}],");
            }
            assertEquals(
                    names, ((Map<?, ?>) requireNonNull(Json.parse(text.substring(0, text.length() - 1) + "}"))).size());
            String twice = text + "\"\\u0030\":1}";
            JsonException refused = assertThrows(JsonException.class, () -> Json.parse(twice));
            assertTrue(
                    requireNonNull(refused.getMessage()).endsWith("the name '0' is there twice"), refused.getMessage());
            assertEquals(text.length(), refused.offset());
        }
    }

    @Test
    void depthIsLimited() {
        int most = JsonReader.MAX_DEPTH;
        Json.parse("[".repeat(most) + "]".repeat(most));
        Json.parse("{\"a\":".repeat(most) + "1" + "}".repeat(most));
        assertThrows(JsonException.class, () -> Json.parse("[".repeat(most + 1) + "]".repeat(most + 1)));
        assertThrows(JsonException.class, () -> Json.parse("{\"a\":".repeat(100_000)));
    }

    @Test
    void messagesNameTheLineTheColumnAndWhatWasFound() {
        JsonException wrong = assertThrows(JsonException.class, () -> Json.parse("{\n  \"a\": 1,\n  \"b\" 2\n}"));

        assertEquals("invalid JSON at line 3, column 7: expected ':' but found '2'", wrong.getMessage());
        assertEquals(List.of(3, 7, 18), List.of(wrong.line(), wrong.column(), wrong.offset()));
        assertEquals(
                "invalid JSON at line 1, column 1: expected a value but the text ends",
                assertThrows(JsonException.class, () -> Json.parse("")).getMessage());
    }

    @Test
    void bytesMustBeUtf8() {
        byte[] text = "[\"a\u00e9\uFFFD\uD83D\uDE00\"]".getBytes(StandardCharsets.UTF_8);
        JsonReader whole = JsonReader.utf8(text);
        whole.beginArray();
        assertEquals("a\u00e9\uFFFD\uD83D\uDE00", whole.nextString());
        for (int i = 0; i < text.length; i++) {
            byte[] damaged = text.clone();
            damaged[i] = (byte) 0xFF;
            JsonException refused = assertThrows(JsonException.class, () -> JsonReader.utf8(damaged));
            assertTrue(requireNonNull(refused.getMessage()).endsWith("is not UTF-8"), refused.getMessage());
        }
        assertEquals(
                "byte 3 of the text is not UTF-8",
                assertThrows(JsonException.class, () -> JsonReader.utf8(new byte[] {'"', 'a', 'b', (byte) 0xC3}))
                        .problem());
    }

    @Test
    void arraysOfAKnownLengthAreReadWithoutAsking() {
        JsonReader json = JsonReader.of("[1, [2], 3]");
        json.beginArray();
        assertEquals(1, json.nextLong());
        json.beginArray();
        assertEquals(2, json.nextLong());
        assertThrows(JsonException.class, json::nextLong);
        json.endArray();
        assertThrows(JsonException.class, json::endArray);
        assertEquals(3, json.nextLong());
        assertFalse(json.hasNext());
        json.endArray();
        json.endDocument();
    }

    @Test
    void callsThatDoNotFitAreMistakesOfTheCaller() {
        JsonReader json = JsonReader.of("{\"a\": 1}");
        assertThrows(IllegalStateException.class, json::nextName);
        json.beginObject();
        assertThrows(IllegalStateException.class, json::nextLong);
        assertThrows(IllegalStateException.class, json::endArray);
        assertThrows(IllegalStateException.class, json::endDocument);
        assertEquals("a", json.nextName());
        assertThrows(IllegalStateException.class, json::nextName);
        assertThrows(JsonException.class, json::nextString);
        assertEquals(1, json.nextLong());
        json.endObject();
        assertThrows(IllegalStateException.class, json::nextLong);
        json.endDocument();
    }
}
