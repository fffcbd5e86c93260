package org.jspdl.data.dataset;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;

/// The files below a folder whose names match a pattern, without classes. Immutable.
public final class FolderFiles implements Dataset<String> {
    private final LabeledFiles files;

    private FolderFiles(LabeledFiles files) {
        this.files = files;
    }

    /// The files below `root` that match, ordered by name; links to folders are not followed.
    ///
    /// @param pattern a glob over the path below the root, such as `**/*.mp4`, at any depth or none, or
    ///     `speaker-*/*.{wav,flac}`
    /// @throws DatasetException if none matches
    public static FolderFiles matching(Path root, String pattern) throws IOException {
        PathMatcher matcher = FileSystems.getDefault().getPathMatcher("glob:" + anyDepth(pattern));
        LabeledFiles.Builder files = new LabeledFiles.Builder();
        try (Stream<Path> below = Files.walk(root)) {
            Iterator<String> names = below.filter(file -> matcher.matches(root.relativize(file)))
                    .filter(Files::isRegularFile)
                    .map(file -> root.relativize(file).toString())
                    .sorted()
                    .iterator();
            while (names.hasNext()) {
                files.add(names.next(), 0);
            }
        }
        if (files.size() == 0) {
            throw new DatasetException("no file below " + root + " matches '" + pattern + "'");
        }
        return new FolderFiles(files.build(root.toString(), List.of()));
    }

    /// In Java's patterns `**/` means at least one folder, in shells and Python any number.
    private static String anyDepth(String pattern) {
        StringBuilder deep = new StringBuilder();
        int groups = 0;
        for (int i = 0; i < pattern.length(); i++) {
            char c = pattern.charAt(i);
            groups += c == '{' ? 1 : c == '}' ? -1 : 0;
            boolean begins = i == 0 || pattern.charAt(i - 1) == '/';
            if (begins && groups == 0 && pattern.startsWith("**/", i)) {
                deep.append("{**/,}");
                i += 2;
            } else {
                deep.append(c);
            }
        }
        return deep.toString();
    }

    @Override
    public long size() {
        return files.size();
    }

    /// The path of file `index`.
    @Override
    public String get(long index) {
        return files.location(index);
    }

    @Override
    public String toString() {
        return size() + " files";
    }
}
