package org.jspdl.data.dataset;

import java.io.IOException;
import java.util.List;
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
        String label = labeled ? column(manifest, location, "its class", LABEL) : "";
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
        String label = column(manifest, location, "its class", LABEL);
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
    static String labels(Manifest manifest, Location location) throws DatasetException {
        return column(manifest, location, "its class", LABEL);
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
