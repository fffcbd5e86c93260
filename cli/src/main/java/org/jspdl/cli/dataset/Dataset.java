package org.jspdl.cli.dataset;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/// Labelled files, numbered from 0. Immutable.
///
/// Holds about as many bytes as the names have characters, so that a million files fit a small heap.
public final class Dataset {
    private final Path root;
    private final List<String> classes;
    private final byte[] names;
    private final int[] ends;
    private final int[] labels;

    private Dataset(Path root, List<String> classes, byte[] names, int[] ends, int[] labels) {
        this.root = root;
        this.classes = classes;
        this.names = names;
        this.ends = ends;
        this.labels = labels;
    }

    /// The dataset at `path`: a folder with one sub-folder for each class, or a file that lists images.
    ///
    /// @throws DatasetException if there is none, or it is empty or malformed
    public static Dataset open(Path path) throws DatasetException {
        if (!Files.exists(path)) {
            throw new DatasetException("there is no folder or file list at " + path);
        }
        try {
            return Files.isDirectory(path) ? ImageFolder.scan(path) : FileList.read(path);
        } catch (IOException | java.io.UncheckedIOException failure) {
            throw new DatasetException("cannot read the dataset " + path + ": " + Reason.of(failure));
        }
    }

    /// How many files there are.
    public int size() {
        return ends.length;
    }

    /// The path of file `index`.
    public Path file(int index) {
        int start = index == 0 ? 0 : ends[index - 1];
        return root.resolve(new String(names, start, ends[index] - start, StandardCharsets.UTF_8));
    }

    /// The class number of file `index`.
    public int label(int index) {
        return labels[index];
    }

    /// The names of the classes in the order of their numbers; empty if a list gave bare numbers.
    public List<String> classes() {
        return classes;
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

        Dataset build(Path root, List<String> classes) {
            int bytes = count == 0 ? 0 : ends[count - 1];
            return new Dataset(
                    root,
                    List.copyOf(classes),
                    Arrays.copyOf(names, bytes),
                    Arrays.copyOf(ends, count),
                    Arrays.copyOf(labels, count));
        }
    }
}
