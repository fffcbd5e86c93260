package org.jspdl.data.dataset;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.jspdl.data.internal.text.WholeText;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;
import org.jspdl.json.JsonReader;
import org.jspdl.json.JsonToken;

/// Labels of the files of a folder, by their names relative to it: a manifest with a column for the file and one for
/// its class, or a JSON object of names and labels (`.json`). Each file has exactly one label, and each label its file.
final class LabelFile {
    /// Of a JSON object.
    private static final long MOST_BYTES = 1L << 30;

    private final Location location;
    private final Map<String, String> labels = new HashMap<>();
    /// Each label once, however many files have it.
    private final Map<String, String> shared = new HashMap<>();

    private LabelFile(Location location) {
        this.location = location;
    }

    static LabelFile read(Storage storage, Location location) throws IOException {
        LabelFile file = new LabelFile(location);
        if (location.endsWith(".json")) {
            file.readObject(storage);
        } else {
            try (Manifest manifest = Manifest.open(storage, location)) {
                ManifestFiles.read(manifest, location, file::add);
            }
        }
        return file;
    }

    private void readObject(Storage storage) throws IOException {
        try (WholeText text = WholeText.read(storage, location)) {
            if (text.bytes().byteSize() > MOST_BYTES) {
                throw new DatasetException("the labels " + location + " have more than " + MOST_BYTES + " bytes");
            }
            String written = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(text.bytes().asByteBuffer())
                    .toString();
            JsonReader json = JsonReader.of(written);
            json.beginObject();
            while (json.hasNext()) {
                String name = json.nextName();
                add(name, json.peek() == JsonToken.STRING ? json.nextString() : Long.toString(json.nextLong()));
            }
            json.endObject();
            json.endDocument();
        } catch (CharacterCodingException | IllegalArgumentException malformed) {
            throw new DatasetException(
                    "the labels " + location
                            + " must be a JSON object of names of files, each once, and their labels, as"
                            + " texts or whole numbers: " + malformed.getMessage(),
                    malformed);
        }
    }

    private void add(String name, String label) throws DatasetException {
        String plain = plain(name);
        String stripped = label.strip();
        String kept = shared.putIfAbsent(stripped, stripped);
        if (labels.putIfAbsent(plain, kept == null ? stripped : kept) != null) {
            throw new DatasetException("the labels " + location + " name the file '" + plain + "' twice");
        }
    }

    private static String plain(String name) {
        return name.startsWith("./") ? name.substring(2) : name;
    }

    /// The files of `folder`, in their order, with the labels that this file says.
    ///
    /// @throws DatasetException if a file has no label, or a label no file; the message counts them and names one
    LabeledFiles label(LabeledFiles folder) throws DatasetException {
        ClassNumbers labeled = new ClassNumbers("the labels " + location);
        String unlabeled = "";
        long missing = 0;
        for (long i = 0; i < folder.size(); i++) {
            String name = folder.name(i);
            String label = labels.get(name);
            if (label == null) {
                unlabeled = missing++ == 0 ? name : unlabeled;
            } else {
                labeled.add(name, label);
            }
        }
        if (missing > 0) {
            throw new DatasetException("the labels " + location + " have none for " + missing + " of the "
                    + folder.size() + " files of " + folder.root() + ", such as '" + unlabeled
                    + "': names are relative to"
                    + " that folder");
        }
        long unknown = labels.size() - folder.size();
        if (unknown > 0) {
            throw new DatasetException("the labels " + location + " name "
                    + (unknown == 1 ? "1 file that is" : unknown + " files that are") + " not in " + folder.root()
                    + ", such as '" + unknown(folder) + "'");
        }
        return labeled.build(folder.root());
    }

    private String unknown(LabeledFiles folder) {
        Map<String, String> left = new HashMap<>(labels);
        for (long i = 0; i < folder.size(); i++) {
            left.remove(folder.name(i));
        }
        return left.keySet().stream().sorted().findFirst().orElse("");
    }

    /// Takes what a row says.
    interface Rows {
        void add(String file, String label) throws DatasetException;
    }
}
