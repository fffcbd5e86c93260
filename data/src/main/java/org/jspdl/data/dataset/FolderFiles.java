package org.jspdl.data.dataset;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.List;
import org.jspdl.data.internal.text.NameSorter;
import org.jspdl.data.storage.FileNames;
import org.jspdl.data.storage.Location;

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
        try (NameSorter names = new NameSorter()) {
            add(root, "", matcher, names);
            names.sort(0);
            for (int i = 0; i < names.count(); i++) {
                files.add(names.name(i), 0);
            }
        }
        if (files.size() == 0) {
            throw new DatasetException("no file below " + root + " matches '" + pattern + "'");
        }
        return new FolderFiles(files.build(Location.of(root), List.of()));
    }

    private static void add(Path root, String folder, PathMatcher matcher, NameSorter names) throws IOException {
        List<String> folders = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(Folder.child(root, folder))) {
            for (Path entry : entries) {
                String name = folder + FileNames.name(entry);
                if (matcher.matches(root.relativize(entry)) && Files.isRegularFile(entry)) {
                    names.add(name);
                } else if (Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)) {
                    folders.add(name + "/");
                }
            }
        } catch (DirectoryIteratorException unreadable) {
            throw unreadable.getCause();
        }
        for (String each : folders) {
            add(root, each, matcher, names);
        }
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
        return files.location(index).text();
    }

    /// What [org.jspdl.data.storage.Listing] says of the files.
    public String listing() {
        return files.listing();
    }

    @Override
    public String toString() {
        return size() + " files";
    }
}
