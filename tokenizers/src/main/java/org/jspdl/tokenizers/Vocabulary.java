package org.jspdl.tokenizers;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/// The tokens and their numbers that a `tokenizer.json` lists, which the library does not tell.
final class Vocabulary {
    private Vocabulary() {}

    static Map<String, Integer> of(String json, Path file) throws IOException {
        try {
            JsonObject root = JsonParser.parseString(json).getAsJsonObject();
            Map<String, Integer> numbers = new HashMap<>();
            JsonElement vocabulary = root.getAsJsonObject("model").get("vocab");
            if (vocabulary.isJsonObject()) {
                vocabulary
                        .getAsJsonObject()
                        .entrySet()
                        .forEach(entry ->
                                numbers.put(entry.getKey(), entry.getValue().getAsInt()));
            } else {
                JsonArray pieces = vocabulary.getAsJsonArray(); // Unigram: pairs of a piece and its score
                for (int i = 0; i < pieces.size(); i++) {
                    numbers.put(pieces.get(i).getAsJsonArray().get(0).getAsString(), i);
                }
            }
            if (root.get("added_tokens") instanceof JsonArray added) {
                for (JsonElement token : added) {
                    numbers.put(
                            token.getAsJsonObject().get("content").getAsString(),
                            token.getAsJsonObject().get("id").getAsInt());
                }
            }
            return Map.copyOf(numbers);
        } catch (JsonParseException
                | IllegalStateException
                | NullPointerException
                | ClassCastException
                | NumberFormatException
                | UnsupportedOperationException
                | IndexOutOfBoundsException malformed) {
            throw new IOException(file + " is no tokenizer.json: " + malformed.getMessage(), malformed);
        }
    }
}
