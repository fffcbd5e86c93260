package org.jspdl.data.dataset;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Reasons;
import org.jspdl.data.storage.Storage;

/// Files with the numbers of their classes. Immutable.
///
/// Holds about as many bytes as the names have characters, and 8 for each file, so that a million files fit a small
/// heap.
public final class LabeledFiles implements Dataset<LabeledFile> {
    private final String root;
    private final List<String> classes;
    private final byte[] names;
    private final int[] ends;
    private final int[] labels;

    private LabeledFiles(String root, List<String> classes, byte[] names, int[] ends, int[] labels) {
        this.root = root;
        this.classes = classes;
        this.names = names;
        this.ends = ends;
        this.labels = labels;
    }

    /// The files at `location`: a folder with one sub-folder for each class; a manifest (`.csv`, `.tsv` or
    /// `.jsonl`) with a column for the file and one for its class; or a list with a path and a class on each line.
    /// On a local disk, or in any other storage.
    ///
    /// @throws DatasetException if there is none, or it is empty or malformed
    public static LabeledFiles open(Storage storage, String location) throws DatasetException {
        try {
            if (ManifestFormat.of(location).isPresent()) {
                try (Manifest manifest = Manifest.open(storage, location)) {
                    return ManifestFiles.of(manifest, location);
                }
            }
            if (!Location.isRemote(location)) {
                return local(storage, location);
            }
            return isList(location) ? FileList.read(storage, location) : ListedFolder.read(storage, location);
        } catch (DatasetException failure) {
            throw failure;
        } catch (IOException | UncheckedIOException failure) {
            String shown = Location.shown(location);
            throw new DatasetException("cannot read the dataset " + shown + ": " + Reasons.of(failure, shown), failure);
        }
    }

    private static LabeledFiles local(Storage storage, String location) throws IOException {
        Path path = Path.of(Location.withoutScheme(location));
        if (!Files.exists(path)) {
            throw new DatasetException("there is no folder or file list at " + location);
        }
        return Files.isDirectory(path) ? ClassFolder.scan(path) : FileList.read(storage, location);
    }

    private static boolean isList(String location) {
        String name = Location.withoutQuery(location).toLowerCase(Locale.ROOT);
        return name.endsWith(".txt") || name.endsWith(".lst") || name.endsWith(".list");
    }

    @Override
    public long size() {
        return ends.length;
    }

    @Override
    public LabeledFile get(long index) {
        return new LabeledFile(location(index), label(index));
    }

    /// Where file `index` lies.
    public String location(long index) {
        int number = Math.toIntExact(index);
        int start = number == 0 ? 0 : ends[number - 1];
        return Locations.resolve(root, new String(names, start, ends[number] - start, StandardCharsets.UTF_8));
    }

    /// The class number of file `index`.
    public int label(long index) {
        return labels[Math.toIntExact(index)];
    }

    /// The class numbers of all files, for a [class-balanced][org.jspdl.source.Samplers#classBalanced] order; a
    /// copy.
    public int[] labels() {
        return labels.clone();
    }

    /// The names of the classes in the order of their numbers; empty if a list gave bare numbers.
    public List<String> classes() {
        return classes;
    }

    @Override
    public String toString() {
        return size() + " files of " + classes.size() + " classes in " + root;
    }

    /// Collects files for a dataset; one thread at a time.
    static final class Builder {
        private byte[] names = new byte[4096];
        private int[] ends = new int[256];
        private int[] labels = new int[256];
        private int count;

        /// Adds the file `name`, relative to the root, with its class number.
        void add(String name, int label) throws DatasetException {
            byte[] encoded = name.getBytes(StandardCharsets.UTF_8);
            int start = count == 0 ? 0 : ends[count - 1];
            long end = (long) start + encoded.length;
            if (end > Integer.MAX_VALUE - 64) {
                throw new DatasetException("the names of the files take more than 2 GiB");
            }
            if (end > names.length) {
                names = Arrays.copyOf(
                        names, (int) Math.min(Integer.MAX_VALUE - 64, Math.max(end, names.length * 3L / 2)));
            }
            if (count == ends.length) {
                ends = Arrays.copyOf(ends, count * 3 / 2);
                labels = Arrays.copyOf(labels, count * 3 / 2);
            }
            System.arraycopy(encoded, 0, names, start, encoded.length);
            ends[count] = (int) end;
            labels[count++] = label;
        }

        int size() {
            return count;
        }

        /// Gives every file the number that `numbers` has for its present one.
        void renumber(int[] numbers) {
            for (int i = 0; i < count; i++) {
                labels[i] = numbers[labels[i]];
            }
        }

        LabeledFiles build(String root, List<String> classes) {
            int bytes = count == 0 ? 0 : ends[count - 1];
            return new LabeledFiles(
                    root,
                    List.copyOf(classes),
                    Arrays.copyOf(names, bytes),
                    Arrays.copyOf(ends, count),
                    Arrays.copyOf(labels, count));
        }
    }
}
