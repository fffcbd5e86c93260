package org.jspdl.data.shards.classes;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspdl.json.Json;
import org.jspdl.json.JsonException;
import org.jspecify.annotations.Nullable;

/// The names of classes in what Hugging Face's library writes into the metadata of a schema.
final class ClassLabels {
    private ClassLabels() {}

    /// The names of the classes of each column that has some, in the order of their numbers; columns within
    /// structures and lists with dots between their names. What is not understood names nothing.
    ///
    /// @param features a document of JSON; empty if there is none
    static Map<String, List<String>> of(String features) {
        Map<String, List<String>> labels = new LinkedHashMap<>();
        if (features.isEmpty()) {
            return labels;
        }
        try {
            if (Json.parse(features) instanceof Map<?, ?> document && document.get("info") instanceof Map<?, ?> info) {
                find("", info.get("features"), labels);
            }
        } catch (JsonException foreign) {
            return Map.of();
        }
        return labels;
    }

    /// A list is a list of one, or an object that has what it holds as its `feature`: neither adds to the name.
    private static void find(String name, @Nullable Object feature, Map<String, List<String>> labels) {
        if (feature instanceof List<?> list) {
            list.forEach(each -> find(name, each, labels));
        } else if (feature instanceof Map<?, ?> object) {
            if ("ClassLabel".equals(object.get("_type"))) {
                if (object.get("names") instanceof List<?> names) {
                    labels.put(name, names.stream().map(Objects::toString).toList());
                }
                return;
            }
            for (Map.Entry<?, ?> each : object.entrySet()) {
                String member = String.valueOf(each.getKey());
                boolean adds = !member.equals("feature");
                find(!adds ? name : name.isEmpty() ? member : name + "." + member, each.getValue(), labels);
            }
        }
    }
}
