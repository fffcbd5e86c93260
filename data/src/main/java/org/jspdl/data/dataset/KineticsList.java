package org.jspdl.data.dataset;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// The lists of Kinetics: a table with the class of each clip and what it is called, `youtube_id`, `time_start` and
/// `time_end`, of which its file has `ID_000010_000020.mp4`.
final class KineticsList {
    private static final String ID = "youtube_id";
    private static final String START = "time_start";
    private static final String END = "time_end";
    private static final int MOST_SECONDS = 999_999;

    private KineticsList() {}

    static boolean is(Manifest manifest) {
        return manifest.columns().containsAll(List.of(ID, START, END));
    }

    /// Tells `rows` the name of each clip without its ending, and its class.
    ///
    /// @return the classes that the list has, in the order of its rows
    static List<String> read(Manifest manifest, String label, LabelFile.Rows rows) throws IOException {
        List<String> classes = new ArrayList<>();
        for (long i = 0; i < manifest.size(); i++) {
            ManifestRow row = manifest.get(i);
            try {
                String name = String.format(
                        Locale.ROOT, "%s_%06d_%06d", row.text(ID).strip(), seconds(row, START), seconds(row, END));
                classes.add(row.text(label).strip());
                rows.add(name, classes.getLast());
            } catch (IllegalArgumentException wrong) {
                throw new DatasetException(String.valueOf(wrong.getMessage()), wrong);
            }
        }
        return classes;
    }

    private static int seconds(ManifestRow row, String column) {
        double seconds = row.decimal(column);
        if (!(seconds >= 0 && seconds <= MOST_SECONDS) || seconds != Math.rint(seconds)) {
            throw new IllegalArgumentException("row " + (row.index() + 1) + ": " + column
                    + " must be whole seconds, of which files are named, but was '" + row.text(column) + "'");
        }
        return (int) seconds;
    }
}
