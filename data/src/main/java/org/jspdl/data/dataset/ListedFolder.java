package org.jspdl.data.dataset;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspdl.data.storage.ListedObject;
import org.jspdl.data.storage.Storage;

/// Reads the layout of [ClassFolder] from storage that lists objects, not folders: the class is the first part of the
/// name.
final class ListedFolder {
    private ListedFolder() {}

    static LabeledFiles read(Storage storage, String location) throws IOException {
        String prefix = location.endsWith("/") ? location : location + "/";
        TreeMap<String, List<String>> byClass = new TreeMap<>();
        try (Stream<ListedObject> objects = storage.list(location)) {
            for (Iterator<ListedObject> each = objects.iterator(); each.hasNext(); ) {
                String name = each.next().location();
                name = name.startsWith(prefix) ? name.substring(prefix.length()) : name;
                int slash = name.indexOf('/');
                if (slash > 0 && !name.endsWith("/") && !isHidden(name)) {
                    byClass.computeIfAbsent(name.substring(0, slash), key -> new ArrayList<>())
                            .add(name);
                }
            }
        }
        if (byClass.isEmpty()) {
            throw new DatasetException("there are no files in folders below " + location
                    + "; a dataset has a folder for each class, or is a list of files (.txt, .csv, .tsv, .jsonl)");
        }
        LabeledFiles.Builder files = new LabeledFiles.Builder();
        int label = 0;
        for (List<String> names : byClass.values()) {
            names.sort(null);
            for (String name : names) {
                files.add(name, label);
            }
            label++;
        }
        return files.build(location, List.copyOf(byClass.keySet()));
    }

    private static boolean isHidden(String name) {
        return name.startsWith(".") || name.contains("/.");
    }
}
