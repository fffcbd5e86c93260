package org.jspdl.data.dataset;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspdl.data.internal.text.NameSorter;
import org.jspdl.data.internal.text.TextOrder;
import org.jspdl.data.storage.FileNames;
import org.jspdl.data.storage.Location;

/// Reads a folder with one sub-folder for each class, with its files at any depth: images, audio, video or anything
/// else. If there is nothing in sub-folders, the files of the folder itself are a dataset without labels.
///
/// Classes are numbered in the order of their names, whatever they hold, and files ordered by name, as [TextOrder]
/// says. Hidden files and folders are not part of it. Names are kept outside the heap while they are sorted, and
/// afterwards.
final class ClassFolder {
    private static final int MOST_LINKS = 8;

    private final LabeledFiles.Builder files;
    private final FileKind kind;
    private int links;
    /// Of the sample before, with its dot: what ends so is one, too.
    private byte[] ending = {};

    private ClassFolder(FileKind kind) {
        this.kind = kind;
        this.files = new LabeledFiles.Builder();
    }

    static LabeledFiles scan(Path root, FileKind kind) throws IOException {
        List<String> classes = classes(root);
        ClassFolder folder = new ClassFolder(kind);
        List<Path> paths = new ArrayList<>();
        for (String each : classes) {
            paths.add(Folder.child(root, each));
        }
        try (NameSorter below = new NameSorter();
                FolderReader reader = new FolderReader(paths)) {
            for (int label = 0; label < classes.size(); label++) {
                String name = classes.get(label);
                int number = label;
                NameSorter names = reader.next();
                folder.descend(root, name, () -> folder.add(root, name, number, names, 0, below));
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
        folders.sort(TextOrder.BY_CODE_POINTS);
        return folders;
    }

    /// Takes names from a folder, once it is known that it leads in no circle.
    @FunctionalInterface
    private interface Taking {
        void take() throws IOException;
    }

    /// Adds what a folder holds. Links are followed, but not in circles: two that lead back would be passed for
    /// longer than anybody waits.
    private void descend(Path root, String path, Taking taking) throws IOException {
        Path folder = Folder.child(root, path);
        if (!Files.isSymbolicLink(folder)) {
            taking.take();
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
        taking.take();
        links--;
    }

    /// Adds what a folder within that of a class holds.
    private void addBelow(Path root, String folder, int label, NameSorter names) throws IOException {
        descend(root, folder, () -> {
            NameSorter.Mark below = names.mark();
            Folder.names(Folder.child(root, folder), names::add);
            names.sort(below.count());
            add(root, folder, label, names, below.count(), names);
            names.release(below);
        });
    }

    /// Adds the names of `listed` beginning with `from`, which are what `folder` holds.
    ///
    /// @param names for those of folders within it
    private void add(Path root, String folder, int label, NameSorter listed, int from, NameSorter names)
            throws IOException {
        byte[] prefix = FileNames.bytes(folder + "/");
        int end = listed.count();
        for (int i = from; i < end; i++) {
            if (ending.length > 0 && listed.endsWith(i, ending)) { // as nearly all
                files.add(prefix, listed, i, label);
                continue;
            }
            String name = listed.name(i);
            String path = folder + "/" + name;
            switch (kind.judge(name)) {
                // Asking the system whether a name is a folder takes longer than all else here.
                case SAMPLE -> {
                    files.add(path, label);
                    ending = FileNames.bytes(name.substring(name.lastIndexOf('.')));
                }
                case SAMPLE_OR_FOLDER -> {
                    if (Files.isDirectory(Folder.child(root, path))) {
                        addBelow(root, path, label, names);
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
    }

    private void addFolderOrLeaveOut(Path root, String path, int label, NameSorter names) throws IOException {
        if (Files.isDirectory(Folder.child(root, path))) {
            addBelow(root, path, label, names);
        } else {
            files.leaveOut(path.substring(path.lastIndexOf('/') + 1));
        }
    }
}
