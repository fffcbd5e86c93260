package org.jspdl.data.dataset;

import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspdl.data.internal.text.NameSorter;
import org.jspdl.data.internal.text.TextOrder;
import org.jspdl.data.storage.ListedObject;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;

/// Reads the layout of [ClassFolder] from storage that lists objects, not folders: the class is the first part of the
/// name.
final class ListedFolder {
    private static final char FIRST = '\1';

    private ListedFolder() {}

    static LabeledFiles read(Storage storage, Location location, FileKind kind) throws IOException {
        String prefix = location.text().endsWith("/") ? location.text() : location.text() + "/";
        LabeledFiles.Builder files = new LabeledFiles.Builder();
        TreeSet<String> classes = new TreeSet<>(TextOrder.BY_CODE_POINTS);
        try (NameSorter sorted = new NameSorter()) {
            try (Stream<ListedObject> objects = storage.list(location)) {
                for (Iterator<ListedObject> each = objects.iterator(); each.hasNext(); ) {
                    String name = each.next().location().text();
                    name = name.startsWith(prefix) ? name.substring(prefix.length()) : name;
                    int slash = name.indexOf('/');
                    if (slash > 0 && !name.endsWith("/") && !isHidden(name)) {
                        classes.add(name.substring(0, slash));
                        if (isSample(name, kind)) {
                            // the class ends with the least character, so that 'cat' comes
                            // before 'cat-2'
                            sorted.add(name.substring(0, slash) + FIRST + name.substring(slash + 1));
                        } else {
                            files.leaveOut(name.substring(name.lastIndexOf('/') + 1));
                        }
                    }
                }
            }
            sorted.sort(0);
            List<String> numbered = List.copyOf(classes);
            int label = 0;
            for (int i = 0; i < sorted.count(); i++) {
                String name = sorted.name(i);
                while (!name.startsWith(numbered.get(label) + FIRST)) {
                    label++;
                }
                String inClass = name.substring(numbered.get(label).length() + 1);
                files.add(numbered.get(label) + "/" + inClass, label);
            }
            if (files.size() == 0) {
                throw new DatasetException("there are no " + (kind == FileKind.IMAGE ? "images" : "files")
                        + " in folders below " + location + (files.leftOut().files() == 0 ? "" : ", only other files: ")
                        + (files.leftOut().files() == 0 ? "" : files.leftOut())
                        + "; a dataset has a folder for each class, or is a list of files (.txt, .csv, .tsv, .jsonl)");
            }
            return files.listed(true).build(location, numbered);
        }
    }

    /// Judges by the name alone: to look into each file without an ending would take a request, so it is a sample.
    private static boolean isSample(String name, FileKind kind) {
        return kind.judge(name.substring(name.lastIndexOf('/') + 1)) != FileKind.Verdict.LEFT_OUT;
    }

    private static boolean isHidden(String name) {
        return name.startsWith(".") || name.contains("/.");
    }
}
