package org.jspdl.data.dataset;

import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspdl.data.internal.text.TextLines;
import org.jspdl.data.internal.text.WholeText;
import org.jspdl.data.storage.FailureReasons;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;

/// The labels of ImageNet's validation images, as its development kit has them:
/// `ILSVRC2012_validation_ground_truth.txt` has the kit's number of the class of each image, one on a line, and
/// `meta.mat` beside it says which classes these are.
///
/// The kit's numbers are those of no folder: classes are numbered in the order of their WordNet ids, as those of the
/// folders to train on are.
///
/// @param classes the WordNet ids of all classes, in their order
/// @param labels  that of each image, in the order of the images
/// @param prefix  what the names of images begin with
record DevkitLabels(List<String> classes, List<String> labels, String prefix) {
    private static final String ENDING = "_validation_ground_truth.txt";
    private static final String TABLE = "meta.mat";
    private static final int MOST_BYTES = 64 << 20;

    /// Whether a file is called as the list is.
    static boolean isList(Location location) {
        return location.endsWith(ENDING);
    }

    /// What the list at `list` says, and the table beside it.
    ///
    /// @throws DatasetException if one of them is something else; the message names it
    static DevkitLabels read(Storage storage, Location list) throws IOException {
        String name = list.name().substring(list.name().lastIndexOf('/') + 1);
        String edition = name.substring(0, name.length() - ENDING.length());
        Map<String, String> ids = ids(storage, list.parent().resolve(TABLE), edition);
        List<String> labels = new ArrayList<>();
        try (WholeText text = WholeText.read(storage, list)) {
            TextLines lines = new TextLines(text.bytes());
            for (String line = lines.next(); line != null; line = lines.next()) {
                if (line.isBlank()) {
                    continue;
                }
                String id = ids.get(line.strip());
                if (id == null) {
                    throw new DatasetException(
                            list + ", line " + (labels.size() + 1) + ": '" + Location.of(line.strip())
                                    + "' is the number of none of the " + ids.size() + " classes of " + TABLE);
                }
                labels.add(id);
            }
        }
        return new DevkitLabels(ids.values().stream().sorted().toList(), labels, edition + "_val_");
    }

    /// What an image is called, without its ending.
    ///
    /// @param index of the image, from 0
    String image(int index) {
        return String.format(Locale.ROOT, "%s%08d", prefix, index + 1);
    }

    /// WordNet ids of classes that are not made of others, by the kit's numbers.
    private static Map<String, String> ids(Storage storage, Location table, String edition) throws IOException {
        byte[] file;
        try (WholeText bytes = WholeText.read(storage, table)) {
            if (bytes.bytes().byteSize() > MOST_BYTES) {
                throw new DatasetException(table + " has more than " + MOST_BYTES + " bytes");
            }
            file = bytes.bytes().toArray(ValueLayout.JAVA_BYTE);
        } catch (DatasetException large) {
            throw large;
        } catch (IOException unreadable) {
            throw new DatasetException(
                    "cannot read " + table + ", which says what the numbers in the list beside it mean: "
                            + FailureReasons.of(unreadable, table),
                    unreadable);
        }
        Map<String, String> ids = new HashMap<>();
        try {
            for (Map<String, Object> row : MatTable.read(file, "synsets")) {
                Object number = row.get(edition + "_ID");
                Object children = row.get("num_children");
                Object id = row.get("WNID");
                if (!(number instanceof Double of)
                        || !(children instanceof Double made)
                        || !(id instanceof String text)) {
                    throw new IllegalArgumentException("a row of its table has no " + edition
                            + "_ID, no num_children or" + " no WNID, but " + row.keySet());
                }
                if (made == 0 && ids.putIfAbsent(Long.toString(of.longValue()), text.strip()) != null) {
                    throw new IllegalArgumentException("its table has the class " + of.longValue() + " twice");
                }
            }
        } catch (IllegalArgumentException other) {
            throw new DatasetException(
                    table + " is not as ImageNet's development kit has it: " + other.getMessage(), other);
        }
        if (ids.values().stream().distinct().count() < ids.size()) {
            throw new DatasetException(table + " has two classes of one WordNet id");
        }
        return ids;
    }
}
