package org.jspdl.spark;

import java.util.List;
import org.jspdl.data.dataset.LabeledFiles;
import org.jspdl.data.storage.FileNames;
import org.jspdl.data.storage.Location;

/// Neighbors of a dataset of files.
///
/// @param root    what names are relative to
/// @param from    the number of the first in the dataset
/// @param names   of the files, as [FileNames#bytes], each with a zero behind it
/// @param labels  their classes
/// @param classes the names of all classes; empty if they have none
record FilePiece(String root, long from, byte[] names, int[] labels, List<String> classes) implements Piece {
    static FilePiece of(LabeledFiles files, Location root, long from, long to) {
        StringBuilder names = new StringBuilder();
        int[] labels = new int[Math.toIntExact(to - from)];
        for (long i = from; i < to; i++) {
            names.append(files.name(i)).append('\0');
            labels[(int) (i - from)] = files.label(i);
        }
        return new FilePiece(root.text(), from, FileNames.bytes(names.toString()), labels, files.classes());
    }

    /// The names in their order.
    String[] nameList() {
        return FileNames.text(names, 0, names.length).split("\0");
    }

    /// Without what an address hides.
    @Override
    public String toString() {
        return labels.length + " files of " + Location.of(root) + " from " + from;
    }
}
