package org.jspdl.tokenizers;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.jspdl.json.JsonReader;
import org.jspdl.json.JsonToken;
import org.jspecify.annotations.Nullable;

/// The tokens and their numbers that a `tokenizer.json` lists, which the library does not tell. Used once.
final class Vocabulary {
    private final JsonReader json;
    private final Map<String, Integer> model = new HashMap<>();
    private final Map<String, Integer> added = new HashMap<>();

    private Vocabulary(String text) {
        this.json = JsonReader.of(text);
    }

    static Vocabulary of(String json, Path file) throws IOException {
        try {
            Vocabulary vocabulary = new Vocabulary(json);
            vocabulary.read();
            vocabulary.model.putAll(vocabulary.added);
            return vocabulary;
        } catch (IllegalArgumentException | ArithmeticException malformed) {
            throw new IOException(file + " is no tokenizer.json: " + malformed.getMessage(), malformed);
        }
    }

    /// All tokens.
    Map<String, Integer> tokens() {
        return Map.copyOf(model);
    }

    /// Those that are not the model's own, or are marks.
    Map<String, Integer> addedTokens() {
        return Map.copyOf(added);
    }

    private void read() {
        boolean found = false;
        json.beginObject();
        while (json.hasNext()) {
            switch (json.nextName()) {
                case "model" -> found = model();
                case "added_tokens" -> {
                    if (json.peek() == JsonToken.NULL) {
                        json.nextNull();
                    } else {
                        added();
                    }
                }
                default -> json.skipValue();
            }
        }
        json.endObject();
        json.endDocument();
        if (!found) {
            throw new IllegalArgumentException("it has no model with a vocabulary");
        }
    }

    /// Whether the model has a vocabulary.
    private boolean model() {
        boolean found = false;
        json.beginObject();
        while (json.hasNext()) {
            if (!json.nextName().equals("vocab")) {
                json.skipValue();
            } else {
                found = true;
                if (json.peek() == JsonToken.ARRAY) {
                    pieces();
                } else {
                    numbers();
                }
            }
        }
        json.endObject();
        return found;
    }

    private void numbers() {
        json.beginObject();
        while (json.hasNext()) {
            model.put(json.nextName(), Math.toIntExact(json.nextLong()));
        }
        json.endObject();
    }

    /// Unigram: pairs of a piece and its score.
    private void pieces() {
        json.beginArray();
        for (int number = 0; json.hasNext(); number++) {
            json.beginArray();
            model.put(json.nextString(), number);
            json.skipValue();
            json.endArray();
        }
        json.endArray();
    }

    private void added() {
        json.beginArray();
        while (json.hasNext()) {
            String token = null;
            long number = -1;
            json.beginObject();
            while (json.hasNext()) {
                switch (json.nextName()) {
                    case "content" -> token = json.nextString();
                    case "id" -> number = json.nextLong();
                    default -> json.skipValue();
                }
            }
            json.endObject();
            put(token, number);
        }
        json.endArray();
    }

    private void put(@Nullable String token, long number) {
        if (token == null || number < 0) {
            throw new IllegalArgumentException("an added token lacks its content or its id");
        }
        added.put(token, Math.toIntExact(number));
    }
}
