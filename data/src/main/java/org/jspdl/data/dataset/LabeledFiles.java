package org.jspdl.data.dataset;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.jspdl.data.internal.text.NameSorter;
import org.jspdl.data.internal.text.NameTable;
import org.jspdl.data.storage.FailureReasons;
import org.jspdl.data.storage.FileNames;
import org.jspdl.data.storage.Listing;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;

/// Files with the numbers of their classes. Immutable.
///
/// Names are kept outside the heap, each without what it shares with the one before: an image of ImageNet takes about
/// 13 bytes, and ten million files fit a small heap.
public final class LabeledFiles implements Dataset<LabeledFile> {
    /// The class number of files that have none.
    public static final int NO_LABEL = -1;

    private final Location root;
    private final List<String> classes;
    private final NameTable names;
    private final int[] numbers;
    private final LeftOut leftOut;
    private final boolean listed;

    private LabeledFiles(
            Location root, List<String> classes, NameTable names, int[] numbers, LeftOut leftOut, boolean listed) {
        this.listed = listed;
        this.root = root;
        this.classes = classes;
        this.names = names;
        this.numbers = numbers;
        this.leftOut = leftOut;
    }

    /// The files at `location`: a folder with one sub-folder for each class, or with files that have none; a
    /// manifest (`.csv`, `.tsv` or `.jsonl`) with a column for the file and one for its class; or a list with a
    /// path and a class on each line, or with paths alone.
    /// On a local disk, or in any other storage. Of a folder all files are samples, see [FileKind#ANY].
    ///
    /// @throws DatasetException if there is none, or it is empty or malformed
    public static LabeledFiles open(Storage storage, Location location) throws DatasetException {
        return open(storage, location, FileKind.ANY);
    }

    /// The files at a location that is given as text; see [#open(Storage, Location)].
    public static LabeledFiles open(Storage storage, String location) throws DatasetException {
        return open(storage, Location.of(location));
    }

    /// The images at `location`, as [#open] finds files: other files of a folder are left out and
    /// [counted][#leftOut], see [FileKind#IMAGE]. What a manifest or list names is an image.
    ///
    /// @throws DatasetException if there is none, or it is empty or malformed
    public static LabeledFiles images(Storage storage, Location location) throws DatasetException {
        return open(storage, location, FileKind.IMAGE);
    }

    /// The images at a location that is given as text; see [#images(Storage, Location)].
    public static LabeledFiles images(Storage storage, String location) throws DatasetException {
        return images(storage, Location.of(location));
    }

    /// These files, in their order, with the labels that `labels` says in place of what their folders say: a
    /// manifest (`.csv`, `.tsv` or `.jsonl`) with a column for the file and one for its class, or a JSON object of
    /// names and labels (`.json`), with names relative to [#root]. Labels that are all numbers are the numbers of
    /// classes; others are names, numbered in their order.
    ///
    /// @throws DatasetException if a file has no label or two, or a label no file; the message names one
    public LabeledFiles relabeled(Storage storage, Location labels) throws DatasetException {
        try {
            return LabelFile.read(storage, labels).label(this).leavingOut(leftOut);
        } catch (DatasetException failure) {
            throw failure;
        } catch (IOException | UncheckedIOException failure) {
            throw new DatasetException(
                    "cannot read the labels " + labels + ": " + FailureReasons.of(failure, labels), failure);
        }
    }

    private LabeledFiles leavingOut(LeftOut left) {
        return new LabeledFiles(root, classes, names, numbers, left, listed);
    }

    private static LabeledFiles open(Storage storage, Location location, FileKind kind) throws DatasetException {
        try {
            if (ManifestFormat.of(location).isPresent()) {
                try (Manifest manifest = Manifest.open(storage, location)) {
                    return ManifestFiles.of(manifest, location);
                }
            }
            if (!location.isRemote()) {
                return local(storage, location, kind);
            }
            return isList(location) ? FileList.read(storage, location) : ListedFolder.read(storage, location, kind);
        } catch (DatasetException failure) {
            throw failure;
        } catch (IOException | UncheckedIOException failure) {
            throw new DatasetException(
                    "cannot read the dataset " + location + ": " + FailureReasons.of(failure, location), failure);
        }
    }

    private static LabeledFiles local(Storage storage, Location location, FileKind kind) throws IOException {
        Path path = location.path();
        if (!Files.exists(path)) {
            throw new DatasetException("there is no folder or file list at " + location + linked(path));
        }
        return Files.isDirectory(path) ? ClassFolder.scan(path, kind) : FileList.read(storage, location);
    }

    /// What a link says that leads nowhere.
    private static String linked(Path path) throws IOException {
        return Files.isSymbolicLink(path)
                ? ": it is a link to " + Location.of(Files.readSymbolicLink(path))
                        + ", which does not exist or leads back to it"
                : "";
    }

    private static boolean isList(Location location) {
        return location.endsWith(".txt", ".lst", ".list");
    }

    @Override
    public long size() {
        return names.size();
    }

    @Override
    public LabeledFile get(long index) {
        return new LabeledFile(location(index), label(index));
    }

    /// The folder that names of files are relative to.
    public Location root() {
        return root;
    }

    /// Whether these are what a store listed below [#root], so that listing it again says more of them.
    public boolean isListed() {
        return listed;
    }

    /// Where file `index` lies.
    public Location location(long index) {
        return root.resolve(names.text(index));
    }

    /// What [Listing] says of the files.
    public String listing() {
        return Listing.of("file", size(), names.checksum());
    }

    /// What file `index` is called where the dataset lies.
    public String name(long index) {
        return names.text(index);
    }

    /// The class number of file `index`; [#NO_LABEL] if the files have none.
    public int label(long index) {
        return numbers[names.number(index)];
    }

    /// The class numbers of all files, for a [class-balanced][org.jspdl.source.Samplers#classBalanced] order; a
    /// copy.
    public int[] labels() {
        int[] labels = new int[Math.toIntExact(size())];
        names.numbers((index, number) -> labels[(int) index] = numbers[number]);
        return labels;
    }

    /// What else lies in the folder.
    public LeftOut leftOut() {
        return leftOut;
    }

    /// The names of the classes in the order of their numbers; empty if a list gave bare numbers. Bytes of a
    /// folder's name that are no UTF-8 stand as `\xff` there.
    public List<String> classes() {
        return classes;
    }

    @Override
    public String toString() {
        return size() + " files of " + classes.size() + " classes in " + root;
    }

    /// Collects files for a dataset; one thread at a time.
    static final class Builder {
        private final NameTable.Builder names = new NameTable.Builder();
        private final LeftOut.Counter leftOut = new LeftOut.Counter();
        private int classes;
        private boolean listed;

        /// Says that a store listed the files below their root.
        Builder listed(boolean is) {
            listed = is;
            return this;
        }

        /// Adds the file `name`, relative to the root, with its class number.
        void add(String name, int label) {
            names.add(name, label);
            classes = Math.max(classes, label + 1);
        }

        /// Adds file `index` of `names`, behind `folder`, with its class number.
        void add(byte[] folder, NameSorter names, int index, int label) {
            this.names.add(folder, names, index, label);
            classes = Math.max(classes, label + 1);
        }

        /// Counts a file that is no sample.
        void leaveOut(String name) {
            leftOut.add(name);
        }

        LeftOut leftOut() {
            return leftOut.leftOut();
        }

        long size() {
            return names.size();
        }

        LabeledFiles build(Location root, List<String> names) {
            return build(root, names, IntStream.range(0, classes).toArray());
        }

        /// Files without labels, all of which were added with the number 0.
        LabeledFiles buildUnlabeled(Location root) {
            return build(root, List.of(), new int[] {NO_LABEL});
        }

        /// Files of which each has the number that `numbers` has for the one that it was added with.
        LabeledFiles build(Location root, List<String> classNames, int[] numbers) {
            List<String> shown = classNames.stream().map(FileNames::shown).toList();
            return new LabeledFiles(root, shown, names.build(), numbers, leftOut.leftOut(), listed);
        }
    }
}
