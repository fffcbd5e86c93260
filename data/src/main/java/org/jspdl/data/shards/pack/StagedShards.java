package org.jspdl.data.shards.pack;

import java.io.IOException;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspdl.data.index.DatasetIndex;
import org.jspdl.data.storage.Location;
import org.jspecify.annotations.Nullable;

/// Shards that appear all at once: attempts write into folders of their own in `.NAME.jspdl` beside the folder `NAME`,
/// which is renamed there whole when they are committed. So nobody sees half of them, whoever is killed.
///
/// What a killed process left is removed by the next one that writes to the same folder; two that write there at a time
/// disturb each other, and at most one of them succeeds. Immutable; each process of a job makes its own of the same
/// settings and id.
public final class StagedShards {
    private static final int REMOVALS = 20;

    private final PackSettings settings;
    private final boolean overwrites;
    private final String id;

    /// @param settings   of shards in the folder where they will be in the end
    /// @param overwrites whether what is there is replaced
    /// @param id         of the job, which no other has: a file's name
    public StagedShards(PackSettings settings, boolean overwrites, String id) {
        if (settings.isSent()) {
            throw new IllegalArgumentException("shards are staged beside a local folder, not " + settings.to());
        }
        this.settings = settings;
        this.overwrites = overwrites;
        this.id = id;
    }

    /// Where the shards are in the end.
    public Path target() {
        return settings.folder();
    }

    private Path hidden() {
        return target().resolveSibling("." + target().getFileName() + ".jspdl");
    }

    private Path job() {
        return hidden().resolve(id);
    }

    /// Makes room, before any attempt begins.
    ///
    /// @throws PackException if something is there that is not to be overwritten, or that is more than shards with
    ///     their index: overwriting replaces a whole folder
    public void begin() throws IOException {
        if (isThere(target())) {
            if (!overwrites) {
                throw new PackException(
                        target() + " is there, and not empty; write to another folder, or overwrite it");
            }
            requireShards(target());
        }
        remove(hidden());
        Files.createDirectories(job());
    }

    /// A wrong word must not cost a dataset, or all that somebody has.
    private static void requireShards(Path folder) throws IOException {
        boolean indexed = false;
        if (Files.isDirectory(folder)) {
            try (DirectoryStream<Path> inside = Files.newDirectoryStream(folder)) {
                for (Path each : inside) {
                    if (Files.isDirectory(each)) {
                        throw new PackException(folder + " is not overwritten: it has a folder, " + each.getFileName()
                                + ", and so is no folder of shards; write to another one, or remove it yourself");
                    }
                    indexed |= DatasetIndex.isIndex(Location.of(each));
                }
            }
        }
        if (!indexed) {
            throw new PackException(folder + " is not overwritten: it has no index of shards (NAME.shards.json), and so"
                    + " nothing that was packed; write to another folder, or remove it yourself");
        }
    }

    /// Whether there is something that would be lost.
    public static boolean isThere(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return Files.exists(folder);
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.findAny().isPresent();
        }
    }

    /// The folder of one attempt at a part, which it makes; that of the job must be there.
    public Path attempt(int part, long attempt) throws IOException {
        return Files.createDirectory(job().resolve("part-" + part + "-" + attempt));
    }

    /// A part that an attempt has written.
    ///
    /// @param number which
    /// @param folder the name of the attempt's folder
    /// @param shard  what is in it; null if nothing came of the part
    public record Part(int number, String folder, @Nullable WrittenShard shard) implements Serializable {}

    /// Makes all shards appear, numbered in the order of the parts, with the index of the dataset.
    ///
    /// @param beside texts of other files, by name
    /// @return the shards
    /// @throws PackException if there are none
    public List<WrittenShard> commit(List<Part> parts, Map<String, String> beside) throws IOException {
        Path whole = Files.createDirectory(job().resolve("whole"));
        PackSettings there = settings.in(whole);
        List<WrittenShard> shards = new ArrayList<>();
        for (Part part :
                parts.stream().sorted(Comparator.comparingInt(Part::number)).toList()) {
            if (part.shard() != null) {
                WrittenShard shard = part.shard().as(shards.size());
                move(there.files(0), job().resolve(part.folder()), there.files(shard.number()), whole);
                shards.add(shard);
            }
        }
        if (shards.isEmpty()) {
            throw new PackException("there are no rows to write to " + target());
        }
        WrittenShard.index(there, shards);
        for (Map.Entry<String, String> file : beside.entrySet()) {
            Files.writeString(
                    whole.resolve(file.getKey()),
                    file.getValue(),
                    StandardCharsets.UTF_8,
                    StandardOpenOption.CREATE_NEW);
        }
        if (overwrites && isThere(target())) {
            Files.move(target(), job().resolve("replaced"), StandardCopyOption.ATOMIC_MOVE);
        }
        Files.move(whole, target(), StandardCopyOption.ATOMIC_MOVE); // over an empty folder, too
        end();
        return shards;
    }

    private static void move(List<String> names, Path from, List<String> newNames, Path to) throws IOException {
        for (int i = 0; i < names.size(); i++) {
            Files.move(from.resolve(names.get(i)), to.resolve(newNames.get(i)), StandardCopyOption.ATOMIC_MOVE);
        }
    }

    /// Removes what is hidden; attempts that are still under way fail.
    public void end() throws IOException {
        remove(hidden());
    }

    /// Removes a folder in which an attempt that was given up may still be writing.
    public static void remove(Path folder) throws IOException {
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
