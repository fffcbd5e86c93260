package org.jspdl.data.shards;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.stream.Collectors;
import org.jspdl.json.JsonException;
import org.jspdl.json.JsonReader;
import org.jspdl.json.JsonToken;

/// What the fields of a shard mean: which is the image and which its class. Immutable.
///
/// Files of Hugging Face's library say so in their metadata; of others the names of the fields do.
///
/// @param fields  the names of all fields; empty if they are not known before reading
/// @param image   the field that holds encoded images, if there is one
/// @param label   the field that holds the numbers of classes, if there is one
/// @param classes the names of the classes in the order of their numbers, if they are known
public record ShardSchema(List<String> fields, Optional<String> image, Optional<String> label, List<String> classes) {
    /// Nothing is known before the shard is read.
    public static final ShardSchema UNKNOWN = new ShardSchema(List.of(), Optional.empty(), Optional.empty(), List.of());
    /// Where Hugging Face's library writes into the metadata of a schema.
    public static final String HUGGING_FACE = "huggingface";
    /// What fields with encoded images are called, in the order in which they are looked for.
    public static final List<String> IMAGES = List.of(
            "jpg",
            "jpeg",
            "png",
            "webp",
            "avif",
            "bmp",
            "gif",
            "tif",
            "tiff",
            "image",
            "img",
            "bytes",
            "image/encoded");
    /// What fields with the numbers of classes are called.
    public static final List<String> LABELS =
            List.of("cls", "label", "class", "target", "labels", "fine_label", "image/class/label");

    private static final int NAMES_SHOWN = 8;

    /// Copies the lists.
    public ShardSchema {
        fields = List.copyOf(fields);
        classes = List.copyOf(classes);
    }

    /// One column as Hugging Face's library describes it.
    private record Feature(String type, List<String> names) {}

    /// The schema of fields with these names.
    ///
    /// @param features what Hugging Face's library says of them, as JSON; empty if it says nothing
    public static ShardSchema of(List<String> fields, String features) {
        Map<String, Feature> described = features(features);
        Optional<String> image = first(described, "Image")
                .flatMap(name -> within(fields, name))
                .or(() -> IMAGES.stream()
                        .flatMap(name -> within(fields, name).stream())
                        .findFirst());
        Optional<String> label = first(described, "ClassLabel")
                .filter(fields::contains)
                .or(() -> LABELS.stream().filter(fields::contains).findFirst());
        List<String> classes = label.map(described::get).map(Feature::names).orElse(List.of());
        return new ShardSchema(fields, image, label, classes);
    }

    /// The field with the bytes of a column, which may be a structure of bytes and path.
    private static Optional<String> within(List<String> fields, String column) {
        return fields.contains(column + ".bytes")
                ? Optional.of(column + ".bytes")
                : Optional.of(column).filter(fields::contains);
    }

    private static Optional<String> first(Map<String, Feature> described, String type) {
        return described.entrySet().stream()
                .filter(each -> each.getValue().type.equals(type))
                .map(Map.Entry::getKey)
                .findFirst();
    }

    /// What is not understood describes nothing: the names of the fields remain.
    private static Map<String, Feature> features(String text) {
        Map<String, Feature> features = new LinkedHashMap<>();
        if (text.isEmpty()) {
            return features;
        }
        try {
            members(JsonReader.of(text), (info, infos) -> {
                if (!info.equals("info")) {
                    infos.skipValue();
                    return;
                }
                members(infos, (name, all) -> {
                    if (name.equals("features")) {
                        members(all, (column, one) -> features.put(column, feature(one)));
                    } else {
                        all.skipValue();
                    }
                });
            });
            return features;
        } catch (JsonException foreign) {
            return Map.of();
        }
    }

    private interface Member {
        void read(String name, JsonReader json);
    }

    /// Reads the members of an object; another value is passed.
    private static void members(JsonReader json, Member each) {
        if (json.peek() != JsonToken.OBJECT) {
            json.skipValue();
            return;
        }
        json.beginObject();
        while (json.hasNext()) {
            each.read(json.nextName(), json);
        }
        json.endObject();
    }

    private static Feature feature(JsonReader json) {
        String[] type = {""};
        java.util.ArrayList<String> names = new java.util.ArrayList<>();
        members(json, (name, value) -> {
            if (name.equals("_type") && value.peek() == JsonToken.STRING) {
                type[0] = value.nextString();
            } else if (name.equals("names") && value.peek() == JsonToken.ARRAY) {
                value.beginArray();
                while (value.hasNext()) {
                    names.add(value.nextString());
                }
                value.endArray();
            } else {
                value.skipValue();
            }
        });
        return new Feature(type[0], List.copyOf(names));
    }

    /// The columns to read for images and their classes; empty if all of them must be read.
    public List<String> imageColumns() {
        return image.map(name -> label.map(number -> List.of(name, number)).orElse(List.of(name)))
                .orElse(List.of());
    }

    /// Adds what is known to the traits of a summary.
    public void describe(SequencedMap<String, String> traits) {
        image.ifPresent(name -> traits.put("images", name));
        label.ifPresent(name -> traits.put("labels", name));
        if (!classes.isEmpty()) {
            String more = classes.size() > NAMES_SHOWN ? ", ..." : "";
            traits.put(
                    "classes",
                    classes.size()
                            + classes.stream().limit(NAMES_SHOWN).collect(Collectors.joining(", ", " (", more + ")")));
        }
    }
}
