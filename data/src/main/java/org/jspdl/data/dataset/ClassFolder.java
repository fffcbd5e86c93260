package org.jspdl.data.dataset;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspdl.data.internal.text.NameSorter;
import org.jspdl.data.storage.Location;

/// Reads a folder with one sub-folder for each class, with its files at any depth: images, audio, video or anything
/// else. If there is nothing in sub-folders, the files of the folder itself are a dataset without labels.
///
/// Classes are numbered in the order of their names, whatever they hold, and files ordered by name. Hidden files and
/// folders are not part of it. Names are kept outside the heap while they are sorted, and afterwards.
final class ClassFolder {
    private static final int MOST_LINKS = 8;

    private final LabeledFiles.Builder files;
    private final FileKind kind;
    private int links;

    private ClassFolder(FileKind kind) {
        this.kind = kind;
        this.files = new LabeledFiles.Builder();
    }

    static LabeledFiles scan(Path root, FileKind kind) throws IOException {
        List<String> classes = classes(root);
        ClassFolder folder = new ClassFolder(kind);
        try (NameSorter names = new NameSorter()) {
            for (int label = 0; label < classes.size(); label++) {
                folder.descend(root, classes.get(label), label, names);
            }
        }
        if (folder.files.size() > 0) {
            return folder.files.build(Location.of(root), classes);
        }
        ClassFolder flat = new ClassFolder(kind);
        flat.addFlat(root);
        if (flat.files.size() > 0) {
            return flat.files.buildUnlabeled(Location.of(root));
        }
        LeftOut others = classes.isEmpty() ? flat.files.leftOut() : folder.files.leftOut();
        throw new DatasetException("the folder " + root + (classes.isEmpty() ? " holds" : " and its sub-folders hold")
                + " no " + (others.files() == 0 ? "files" : "images, but other files: " + others));
    }

    /// Adds what lies in the folder itself, which has no classes.
    private void addFlat(Path root) throws IOException {
        try (NameSorter names = new NameSorter()) {
            Folder.names(root, names::add);
            names.sort(0);
            for (int i = 0; i < names.count(); i++) {
                String name = names.name(i);
                boolean sample = switch (kind.judge(name)) {
                    case SAMPLE -> true;
                    case SAMPLE_OR_FOLDER -> !Files.isDirectory(Folder.child(root, name));
                    case LEFT_OUT -> false;
                    case BY_CONTENT -> Folder.beginsAsImage(Folder.child(root, name));
                };
                if (sample) {
                    files.add(name, 0);
                } else if (!Files.isDirectory(Folder.child(root, name))) {
                    files.leaveOut(name);
                }
            }
        }
    }

    private static List<String> classes(Path root) throws IOException {
        List<String> folders = new ArrayList<>();
        List<String> all = new ArrayList<>();
        Folder.names(root, all::add);
        for (String name : all) {
            if (Files.isDirectory(Folder.child(root, name))) {
                folders.add(name);
            }
        }
        Collections.sort(folders);
        return folders;
    }

    /// Adds what a folder of a class holds. Links are followed, but not in circles: two that lead back would be
    /// passed for longer than anybody waits.
    private void descend(Path root, String path, int label, NameSorter names) throws IOException {
        Path folder = Folder.child(root, path);
        if (!Files.isSymbolicLink(folder)) {
            add(root, path, label, names);
            return;
        }
        Path target = folder.toRealPath();
        if (folder.resolveSibling(".").toRealPath().startsWith(target) || links == MOST_LINKS) {
            throw new DatasetException("the link " + Location.of(folder) + " leads to " + Location.of(target)
                    + (links == MOST_LINKS
                            ? ", through more than " + MOST_LINKS + " links to folders"
                            : ", in which it lies itself")
                    + "; remove it");
        }
        links++;
        add(root, path, label, names);
        links--;
    }

    private void add(Path root, String folder, int label, NameSorter names) throws IOException {
        NameSorter.Mark below = names.mark();
        Folder.names(Folder.child(root, folder), names::add);
        int end = names.count();
        names.sort(below.count());
        for (int i = below.count(); i < end; i++) {
            String name = names.name(i);
            String path = folder + "/" + name;
            switch (kind.judge(name)) {
                // Asking the system whether a name is a folder takes longer than all else here.
                case SAMPLE -> files.add(path, label);
                case SAMPLE_OR_FOLDER -> {
                    if (Files.isDirectory(Folder.child(root, path))) {
                        descend(root, path, label, names);
                    } else {
                        files.add(path, label);
                    }
                }
                case LEFT_OUT -> addFolderOrLeaveOut(root, path, label, names);
                case BY_CONTENT -> {
                    if (Folder.beginsAsImage(Folder.child(root, path))) {
                        files.add(path, label);
                    } else {
                        addFolderOrLeaveOut(root, path, label, names);
                    }
                }
            }
        }
        names.release(below);
    }

    private void addFolderOrLeaveOut(Path root, String path, int label, NameSorter names) throws IOException {
        if (Files.isDirectory(Folder.child(root, path))) {
            descend(root, path, label, names);
        } else {
            files.leaveOut(path.substring(path.lastIndexOf('/') + 1));
        }
    }
}
