package org.jspdl.spark;

import java.io.IOException;
import java.io.Serializable;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspdl.data.shards.pack.PackSettings;
import org.jspdl.data.shards.pack.WrittenShard;
import org.jspecify.annotations.Nullable;

/// Where a job writes: tasks into folders of their own in `.NAME.jspdl` beside the folder `NAME`, which appears with
/// all shards at once when the driver commits.
///
/// A folder is renamed whole, so nobody sees half of the shards, whoever is killed. What a killed driver left is
/// removed by the next job that writes to the same folder; two jobs that write there at a time disturb each other, and
/// at most one of them succeeds.
///
/// @param options where and what
/// @param id      of the job
record JobFolder(WriteOptions options, String id) implements Serializable {
    private static final int REMOVALS = 20;

    static JobFolder of(WriteOptions options, String id) {
        return new JobFolder(options, id);
    }

    /// Where the shards are in the end.
    Path target() {
        return Path.of(options.folder());
    }

    private Path hidden() {
        Path target = target();
        return target.resolveSibling("." + target.getFileName() + ".jspdl");
    }

    private Path job() {
        return hidden().resolve(id);
    }

    /// Makes room, on the driver, before tasks begin.
    ///
    /// @throws IOException if something is there that is not to be overwritten
    void begin() throws IOException {
        if (!options.overwrites() && isThere(target())) {
            throw new IOException(
                    target() + " is there, and not empty; write to another folder, or say .mode(\"overwrite\")");
        }
        remove(hidden());
        Files.createDirectories(job());
    }

    /// Whether there is something that would be lost.
    static boolean isThere(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return Files.exists(folder);
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.findAny().isPresent();
        }
    }

    /// The folder of one attempt of a task, which it makes; its parent must be there.
    Path attempt(int partition, long attempt) throws IOException {
        return Files.createDirectory(job().resolve("part-" + partition + "-" + attempt));
    }

    /// What a task wrote.
    ///
    /// @param partition what it was of
    /// @param folder    the name of the attempt's folder
    /// @param shard     what is in it; null if the partition had no rows
    record Part(int partition, String folder, @Nullable WrittenShard shard) implements Serializable {}

    /// Makes all shards appear, numbered in the order of the partitions, with the index of the dataset.
    void commit(List<Part> parts) throws IOException {
        Path whole = Files.createDirectory(job().resolve("whole"));
        PackSettings settings = options.settings(whole);
        List<WrittenShard> shards = new ArrayList<>();
        for (Part part :
                parts.stream().sorted(Comparator.comparingInt(Part::partition)).toList()) {
            if (part.shard() != null) {
                WrittenShard shard = part.shard().as(shards.size());
                move(settings.files(0), job().resolve(part.folder()), settings.files(shard.number()), whole);
                shards.add(shard);
            }
        }
        if (shards.isEmpty()) {
            throw new IOException("there are no rows to write to " + target());
        }
        WrittenShard.index(settings, shards);
        if (options.overwrites() && isThere(target())) {
            Files.move(target(), job().resolve("replaced"), StandardCopyOption.ATOMIC_MOVE);
        }
        Files.move(whole, target(), StandardCopyOption.ATOMIC_MOVE); // over an empty folder, too
        end();
    }

    private static void move(List<String> names, Path from, List<String> newNames, Path to) throws IOException {
        for (int i = 0; i < names.size(); i++) {
            Files.move(from.resolve(names.get(i)), to.resolve(newNames.get(i)), StandardCopyOption.ATOMIC_MOVE);
        }
    }

    /// Removes what is hidden.
    void end() throws IOException {
        remove(hidden());
    }

    /// Removes a folder in which an attempt that was given up may still be writing.
    static void remove(Path folder) throws IOException {
        for (int i = 1; ; i++) {
            try {
                removeOnce(folder);
                return;
            } catch (DirectoryNotEmptyException | NoSuchFileException changed) {
                if (i == REMOVALS) {
                    throw changed;
                }
            }
        }
    }

    private static void removeOnce(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.deleteIfExists(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path each, @Nullable IOException failure) throws IOException {
                if (failure != null) {
                    throw failure;
                }
                Files.deleteIfExists(each);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
