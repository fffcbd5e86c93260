package org.jspdl.data.dataset;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspdl.data.internal.text.TextOrder;
import org.jspdl.data.internal.text.WholeText;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;
import org.jspdl.json.JsonReader;
import org.jspdl.json.JsonToken;

/// Labels of the files of a folder, by their names relative to it: a manifest with a column for the file and one for
/// its class, or a JSON object of names and labels (`.json`). Each file has exactly one label, and each label its file.
///
/// Two datasets have lists of their own, which name files without their endings and have all classes, whether there are
/// files of them or not: see [DevkitLabels] and [KineticsList]. Of what Kinetics' lists name, much can't be had any
/// more: what has no file is passed over.
final class LabelFile {
    /// Of a JSON object.
    private static final long MOST_BYTES = 1L << 30;

    private final Location location;
    private Names names = Names.WHOLE;
    /// All that there are, in the order of their numbers; empty if those are meant that files have.
    private List<String> classes = List.of();
    private final Map<String, String> labels = new HashMap<>();
    /// Each label once, however many files have it.
    private final Map<String, String> shared = new HashMap<>();

    /// How the file calls others.
    private enum Names {
        WHOLE("names are relative to that folder"),
        CLIPS("a clip is called by its youtube_id, time_start and time_end, as in 'ID_000010_000020.mp4'"),
        IMAGES("an image is called as in 'ILSVRC2012_val_00000001.JPEG'");

        private final String rule;

        Names(String rule) {
            this.rule = rule;
        }

        String of(String name) {
            if (this == WHOLE) {
                return name;
            }
            String last = name.substring(name.lastIndexOf('/') + 1);
            int dot = last.lastIndexOf('.');
            return dot < 0 ? last : last.substring(0, dot);
        }
    }

    private LabelFile(Location location) {
        this.location = location;
    }

    static LabelFile read(Storage storage, Location location) throws IOException {
        LabelFile file = new LabelFile(location);
        if (location.endsWith(".json")) {
            file.readObject(storage);
        } else if (DevkitLabels.isList(location)) {
            file.read(DevkitLabels.read(storage, location));
        } else {
            try (Manifest manifest = Manifest.open(storage, location)) {
                file.read(manifest);
            }
        }
        return file;
    }

    private void read(Manifest manifest) throws IOException {
        if (KineticsList.is(manifest)) {
            names = Names.CLIPS;
            classes = KineticsList.read(manifest, ManifestFiles.labels(manifest, location), this::add).stream()
                    .distinct()
                    .sorted(TextOrder.BY_CODE_POINTS)
                    .toList();
        } else {
            ManifestFiles.read(manifest, location, this::add);
        }
    }

    private void read(DevkitLabels said) throws DatasetException {
        names = Names.IMAGES;
        classes = said.classes();
        for (int i = 0; i < said.labels().size(); i++) {
            add(said.image(i), said.labels().get(i));
        }
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
        String before = labels.putIfAbsent(plain, kept == null ? stripped : kept);
        if (before != null && !(names == Names.CLIPS && before.equals(stripped))) {
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
        Set<String> used = new HashSet<>(); // of files whose names are not those of the list: two may be called alike
        for (long i = 0; i < folder.size(); i++) {
            String name = folder.name(i);
            String called = names.of(name);
            String label = labels.get(called);
            if (label == null) {
                unlabeled = missing++ == 0 ? name : unlabeled;
            } else {
                labeled.add(name, label);
                if (names != Names.WHOLE) {
                    used.add(called);
                }
            }
        }
        if (missing > 0) {
            throw new DatasetException("the labels " + location + " have none for " + missing + " of the "
                    + folder.size() + " files of " + folder.root() + ", such as '" + unlabeled
                    + "': " + names.rule);
        }
        long unknown = labels.size() - (names == Names.WHOLE ? folder.size() : used.size());
        if (unknown > 0) {
            String unused = "the labels " + location + " name "
                    + (unknown == 1 ? "1 file that is" : unknown + " files that are") + " not in " + folder.root()
                    + ", such as '" + unused(folder) + "'";
            if (names != Names.CLIPS) {
                throw new DatasetException(unused);
            }
            System.getLogger(LabelFile.class.getName())
                    .log(System.Logger.Level.INFO, unused + "; the " + used.size() + " that are there are loaded");
        }
        labeled.listed(folder.isListed());
        return classes.isEmpty() ? labeled.build(folder.root()) : labeled.build(folder.root(), classes);
    }

    private String unused(LabeledFiles folder) {
        Set<String> left = new HashSet<>(labels.keySet());
        for (long i = 0; i < folder.size(); i++) {
            left.remove(names.of(folder.name(i)));
        }
        return left.stream().sorted().findFirst().orElse("");
    }

    /// Takes what a row says.
    interface Rows {
        void add(String file, String label) throws DatasetException;
    }
}
