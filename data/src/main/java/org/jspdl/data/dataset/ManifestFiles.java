package org.jspdl.data.dataset;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspdl.data.storage.Location;

/// The files that a manifest names, with their classes.
final class ManifestFiles {
    private static final List<String> FILE = List.of(
            "file",
            "path",
            "file_name",
            "filename",
            "file_path",
            "filepath",
            "location",
            "url",
            "image",
            "audio",
            "video");
    private static final List<String> LABEL = List.of("label", "class", "target", "category", "label_id", "class_id");

    private ManifestFiles() {}

    static LabeledFiles of(Manifest manifest, Location location) throws IOException {
        String file = column(manifest, location, "the file", FILE);
        boolean labeled = manifest.columns().size() > 1;
        String label = labeled ? labels(manifest, location) : "";
        ClassNumbers files = new ClassNumbers("the manifest " + location);
        for (long row = 0; row < manifest.size(); row++) {
            ManifestRow values = manifest.get(row);
            try {
                if (values.text(file).isBlank()) {
                    throw new DatasetException(
                            "the manifest " + location + ", row " + (row + 1) + ": '" + file + "' names no file");
                }
                if (labeled) {
                    files.add(values.text(file), values.text(label).strip());
                } else {
                    requireNoLabel(values);
                    files.add(values.text(file));
                }
            } catch (IllegalArgumentException missing) {
                throw new DatasetException(String.valueOf(missing.getMessage()), missing);
            }
        }
        if (files.size() == 0) {
            throw new DatasetException("the manifest " + location + " has no rows");
        }
        return files.build(location.parent());
    }

    /// Tells `rows` the file and the class of each row.
    static void read(Manifest manifest, Location location, LabelFile.Rows rows) throws IOException {
        String file = column(manifest, location, "the file", FILE);
        String label = labels(manifest, location);
        for (long row = 0; row < manifest.size(); row++) {
            ManifestRow values = manifest.get(row);
            try {
                rows.add(values.text(file), values.text(label));
            } catch (IllegalArgumentException missing) {
                throw new DatasetException(String.valueOf(missing.getMessage()), missing);
            }
        }
    }

    /// The column with the class.
    ///
    /// @throws DatasetException if there is none, or another one says other classes; which of both is meant,
    ///     nothing tells
    static String labels(Manifest manifest, Location location) throws IOException {
        String label = column(manifest, location, "its class", LABEL);
        for (String other : manifest.columns()) {
            if (!other.equals(label) && isOneOf(other, LABEL)) {
                requireSameClasses(manifest, location, label, other);
            }
        }
        return label;
    }

    /// Names of classes and their numbers are often in columns of their own: each name then has one number, and
    /// each number one name.
    private static void requireSameClasses(Manifest manifest, Location location, String label, String other)
            throws IOException {
        Map<String, String> ofLabel = new HashMap<>();
        Map<String, String> ofOther = new HashMap<>();
        for (long row = 0; row < manifest.size(); row++) {
            Map<String, String> values = manifest.get(row).values();
            String one = values.getOrDefault(label, "").strip();
            String two = values.getOrDefault(other, "").strip();
            requireSame(manifest, location, row, List.of(label, other), one, two, ofLabel);
            requireSame(manifest, location, row, List.of(other, label), two, one, ofOther);
        }
    }

    private static void requireSame(
            Manifest manifest,
            Location location,
            long row,
            List<String> columns,
            String value,
            String beside,
            Map<String, String> known)
            throws IOException {
        String before = known.putIfAbsent(value, beside);
        if (before != null && !before.equals(beside)) {
            throw new DatasetException("the manifest " + location + " has two columns for the class, " + columns
                    + ", and they say different ones: '" + value + "' stands beside '" + before + "', and in row "
                    + (row + 1) + " of " + manifest.size() + " beside '" + beside
                    + "'; leave one of the columns out, or"
                    + " give it a name that is none of " + LABEL);
        }
    }

    /// A row of JSON may have a class where the first one has none.
    private static void requireNoLabel(ManifestRow row) throws DatasetException {
        for (String column : row.values().keySet()) {
            if (isOneOf(column, LABEL)) {
                throw new DatasetException("row " + (row.index() + 1) + " of the manifest has a class in '" + column
                        + "', and the first row has none: give all rows a class, or none");
            }
        }
    }

    private static boolean isOneOf(String column, List<String> names) {
        return names.stream().anyMatch(name -> column.strip().equalsIgnoreCase(name));
    }

    private static String column(Manifest manifest, Location location, String what, List<String> names)
            throws DatasetException {
        for (String name : names) {
            for (String column : manifest.columns()) {
                if (column.strip().equalsIgnoreCase(name)) {
                    return column;
                }
            }
        }
        throw new DatasetException("the manifest " + location + " has no column for " + what + ": expected one of "
                + names + " but it has " + manifest.columns()
                + (manifest.columns().stream().anyMatch(ManifestFiles::isFile)
                        ? "; its first row has to name the columns, as 'file,label' does: write such a row, or call a"
                                + " list of paths and labels with spaces or tabs between them .txt"
                        : ""));
    }

    /// Whether what should be the name of a column looks like that of a file.
    private static boolean isFile(String column) {
        String first = column.strip().split(" ", 2)[0];
        return first.indexOf('/') >= 0 || FileKind.ANY.isCalledAsSample(first);
    }
}
