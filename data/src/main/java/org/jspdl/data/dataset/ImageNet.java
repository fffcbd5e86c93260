package org.jspdl.data.dataset;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspdl.data.internal.text.NameSorter;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;
import org.jspdl.files.InputFile;

/// The images of ILSVRC 2012 as they are usually laid out, with the classes numbered in the order of their WordNet ids.
///
/// Found below the root, or below `ILSVRC/Data/CLS-LOC` in it: `train/n01440764/*.JPEG`, and `val` either with the same
/// sub-folders or flat, with `LOC_val_solution.csv` in the root for its labels, or the development kit
/// (`ILSVRC2012_devkit_t12`). `LOC_synset_mapping.txt` in the root, if there is one, says which classes there are and
/// what they are called; if not, the folders of `train` do, or the kit.
public final class ImageNet {
    private static final int MOST_NAMES = 64 << 20;
    private static final Pattern WORDNET_ID = Pattern.compile("n\\d{8}");
    private static final String NAMES = "LOC_synset_mapping.txt";
    private static final String SOLUTION = "LOC_val_solution.csv";
    private static final String KIT = "ILSVRC2012_devkit_t12/data/ILSVRC2012_validation_ground_truth.txt";

    /// Which images.
    public enum Split {
        /// Those to train on.
        TRAIN,
        /// Those to validate with.
        VAL
    }

    private ImageNet() {}

    /// The images of `split`; their [classes][LabeledFiles#classes] are WordNet ids.
    ///
    /// @throws DatasetException if the root is not laid out like that; the message says what is missing
    public static LabeledFiles open(Path root, Split split) throws IOException {
        Path images = images(root);
        Path folder = images.resolve(split.name().toLowerCase(Locale.ROOT));
        if (!Files.isDirectory(folder)) {
            throw new DatasetException("there is no folder " + folder + "; ImageNet is laid out as train/ and val/");
        }
        List<String> classes = classes(root, images);
        Map<String, Integer> numbers = new HashMap<>();
        classes.forEach(id -> numbers.put(id, numbers.size()));
        return children(folder).stream()
                        .anyMatch(name -> WORDNET_ID.matcher(name).matches())
                ? byFolder(folder, classes, numbers)
                : flat(root, folder, classes, numbers);
    }

    /// What the classes are called, by WordNet id; empty without `LOC_synset_mapping.txt`.
    public static Map<String, String> names(Path root) throws IOException {
        Map<String, String> names = new java.util.LinkedHashMap<>();
        Path mapping = root.resolve(NAMES);
        if (Files.exists(mapping)) {
            for (String line : InputFile.text(mapping, MOST_NAMES).lines().toList()) {
                String id = line.strip().split(" ", 2)[0];
                if (WORDNET_ID.matcher(id).matches()) {
                    names.put(id, line.strip().substring(id.length()).strip());
                }
            }
        }
        return names;
    }

    private static Path images(Path root) {
        Path nested = root.resolve("ILSVRC/Data/CLS-LOC");
        return Files.isDirectory(nested) ? nested : root;
    }

    private static List<String> classes(Path root, Path images) throws IOException {
        List<String> named = names(root).keySet().stream().sorted().toList();
        if (!named.isEmpty()) {
            return named;
        }
        for (String split : List.of("train", "val")) {
            Path folder = images.resolve(split);
            if (Files.isDirectory(folder)) {
                List<String> ids = children(folder).stream()
                        .filter(name -> WORDNET_ID.matcher(name).matches())
                        .toList();
                if (!ids.isEmpty()) {
                    return ids;
                }
            }
        }
        if (Files.exists(root.resolve(KIT))) {
            try (Storage storage = Storage.open()) {
                return DevkitLabels.read(storage, Location.of(root.resolve(KIT)))
                        .classes();
            }
        }
        throw new DatasetException(
                "neither " + root.resolve(NAMES) + " nor folders named by WordNet ids say which classes there are");
    }

    private static LabeledFiles byFolder(Path folder, List<String> classes, Map<String, Integer> numbers)
            throws IOException {
        LabeledFiles.Builder files = new LabeledFiles.Builder();
        try (NameSorter names = new NameSorter()) {
            for (String id : children(folder)) {
                Integer label = numbers.get(id);
                if (label == null && !Files.isDirectory(Folder.child(folder, id))) {
                    files.leaveOut(id);
                    continue;
                }
                if (label == null) {
                    throw new DatasetException(Folder.child(folder, id)
                            + " is not named by the WordNet id of one of the " + classes.size() + " classes");
                }
                NameSorter.Mark empty = names.mark();
                Folder.names(Folder.child(folder, id), names::add);
                names.sort(0);
                for (int i = 0; i < names.count(); i++) {
                    if (isImage(names.name(i))) {
                        files.add(id + "/" + names.name(i), label);
                    } else {
                        files.leaveOut(names.name(i));
                    }
                }
                names.release(empty);
            }
        }
        return built(files, folder, classes);
    }

    private static LabeledFiles flat(Path root, Path folder, List<String> classes, Map<String, Integer> numbers)
            throws IOException {
        Path solution = Files.exists(root.resolve(SOLUTION)) ? root.resolve(SOLUTION) : root.resolve(KIT);
        if (!Files.exists(solution)) {
            throw new DatasetException(folder + " has no sub-folders, so its labels are looked for in "
                    + root.resolve(SOLUTION) + " and " + solution + ", which do not exist");
        }
        Map<String, Integer> labels =
                solution.endsWith(SOLUTION) ? solved(solution, numbers) : ofKit(solution, numbers);
        LabeledFiles.Builder files = new LabeledFiles.Builder();
        for (String name : children(folder)) {
            if (!isImage(name)) {
                files.leaveOut(name);
                continue;
            }
            int dot = name.lastIndexOf('.');
            Integer label = labels.get(dot < 0 ? name : name.substring(0, dot));
            if (label == null) {
                throw new DatasetException(solution + " has no label for " + folder.resolve(name));
            }
            files.add(name, label);
        }
        return built(files, folder, classes);
    }

    private static Map<String, Integer> solved(Path solution, Map<String, Integer> numbers) throws IOException {
        Map<String, Integer> labels = new HashMap<>();
        try (Storage storage = Storage.open();
                Manifest rows = Manifest.open(storage, solution.toString())) {
            for (long i = 0; i < rows.size(); i++) {
                String id = rows.get(i).text("PredictionString").strip().split(" ", 2)[0];
                Integer label = numbers.get(id);
                if (label == null) {
                    throw new DatasetException(solution + ", row " + (i + 1) + ": '" + id + "' is not a class");
                }
                labels.put(rows.get(i).text("ImageId"), label);
            }
        }
        return labels;
    }

    private static Map<String, Integer> ofKit(Path list, Map<String, Integer> numbers) throws IOException {
        Map<String, Integer> labels = new HashMap<>();
        try (Storage storage = Storage.open()) {
            DevkitLabels said = DevkitLabels.read(storage, Location.of(list));
            for (int i = 0; i < said.labels().size(); i++) {
                String id = said.labels().get(i);
                Integer label = numbers.get(id);
                if (label == null) {
                    throw new DatasetException(list + ", line " + (i + 1) + ": '" + id + "' is not a class");
                }
                labels.put(said.image(i), label);
            }
        }
        return labels;
    }

    private static LabeledFiles built(LabeledFiles.Builder files, Path folder, List<String> classes)
            throws DatasetException {
        if (files.size() == 0) {
            throw new DatasetException("there are no images in " + folder);
        }
        return files.build(Location.of(folder), classes);
    }

    private static boolean isImage(String name) {
        return FileKind.IMAGE.judge(name) == FileKind.Verdict.SAMPLE;
    }

    private static List<String> children(Path folder) throws IOException {
        List<String> names = new ArrayList<>();
        Folder.names(folder, names::add);
        Collections.sort(names);
        return names;
    }
}
