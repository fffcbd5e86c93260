package org.jspdl.cli.dataset;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/// Reads a list of images: one path and label on each line, with a tab (or else the last space) between them.
///
/// Paths are relative to the list's folder, or absolute. Labels are all class numbers, or else class names, which are
/// numbered in the order of the names. Empty lines are passed over.
final class FileList {
    private final Path list;
    private final List<String> paths = new ArrayList<>();
    private final List<String> labels = new ArrayList<>();

    private FileList(Path list) {
        this.list = list;
    }

    static Dataset read(Path path) throws IOException, DatasetException {
        FileList list = new FileList(path);
        try (BufferedReader lines = Files.newBufferedReader(path)) {
            int number = 1;
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                list.add(line.strip(), number++);
            }
        } catch (CharacterCodingException notText) {
            throw new DatasetException(
                    "the file list " + path + " is not UTF-8 text; a dataset is a folder or a list of files");
        }
        if (list.paths.isEmpty()) {
            throw new DatasetException("the file list " + path + " is empty");
        }
        return list.number();
    }

    private void add(String line, int number) throws DatasetException {
        if (line.isEmpty()) {
            return;
        }
        int separator = line.indexOf('\t') >= 0 ? line.lastIndexOf('\t') : line.lastIndexOf(' ');
        if (separator < 0 || line.indexOf('\0') >= 0) {
            throw new DatasetException("the file list " + list + ", line " + number
                    + ": expected a path and a label with a tab or space between them");
        }
        paths.add(line.substring(0, separator).strip());
        labels.add(line.substring(separator + 1).strip().intern());
    }

    private Dataset number() throws DatasetException {
        Path folder = list.toAbsolutePath().getParent();
        boolean numeric = labels.stream().distinct().allMatch(label -> label.matches("\\d{1,9}"));
        List<String> classes = numeric ? List.of() : List.copyOf(new TreeSet<>(labels));
        Map<String, Integer> numbers = new HashMap<>();
        classes.forEach(name -> numbers.put(name, numbers.size()));
        Dataset.Builder files = new Dataset.Builder();
        for (int i = 0; i < paths.size(); i++) {
            String label = labels.get(i);
            Integer number = numbers.get(label);
            files.add(paths.get(i), number == null ? Integer.parseInt(label) : number);
        }
        return files.build(folder == null ? Path.of("") : folder, classes);
    }
}
