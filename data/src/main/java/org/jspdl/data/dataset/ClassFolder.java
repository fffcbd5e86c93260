package org.jspdl.data.dataset;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// Reads a folder with one sub-folder for each class, with its files at any depth: images, audio, video or anything
/// else.
///
/// Classes are numbered in the order of their names, and files ordered by name. Hidden files and folders are not part
/// of it; every other file is, whatever its name, so that nothing is left out unseen.
final class ClassFolder {
    private static final Set<String> FILE_ENDINGS = Set.of(
            "jpg", "jpeg", "png", "webp", "bmp", "gif", "tif", "tiff", "ppm", "avif", "wav", "flac", "mp3", "ogg",
            "opus", "m4a", "mp4", "mkv", "webm", "avi", "mov");

    private final LabeledFiles.Builder files = new LabeledFiles.Builder();

    private ClassFolder() {}

    static LabeledFiles scan(Path root) throws IOException {
        List<String> classes = new ArrayList<>();
        for (String name : children(root)) {
            if (Files.isDirectory(root.resolve(name))) {
                classes.add(name);
            }
        }
        if (classes.isEmpty()) {
            throw new DatasetException("the folder " + root + " has no sub-folders; a dataset has one for each class");
        }
        ClassFolder folder = new ClassFolder();
        for (int label = 0; label < classes.size(); label++) {
            folder.add(root, classes.get(label), label);
        }
        if (folder.files.size() == 0) {
            throw new DatasetException("the sub-folders of " + root + " hold no files");
        }
        return folder.files.build(root.toString(), classes);
    }

    private void add(Path root, String folder, int label) throws IOException {
        for (String name : children(root.resolve(folder))) {
            String path = folder + "/" + name;
            // Asking the system whether a name is a folder takes longer than all else here; names of media
            // are not asked about.
            if (!namesMedia(name) && Files.isDirectory(root.resolve(path))) {
                add(root, path, label);
            } else {
                files.add(path, label);
            }
        }
    }

    private static List<String> children(Path folder) throws IOException {
        List<String> names = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
            for (Path entry : entries) {
                String name = String.valueOf(entry.getFileName());
                if (!name.startsWith(".")) {
                    names.add(name);
                }
            }
        }
        Collections.sort(names);
        return names;
    }

    private static boolean namesMedia(String name) {
        int dot = name.lastIndexOf('.');
        return dot >= 0 && FILE_ENDINGS.contains(name.substring(dot + 1).toLowerCase(Locale.ROOT));
    }
}
