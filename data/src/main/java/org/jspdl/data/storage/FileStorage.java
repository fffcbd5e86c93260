package org.jspdl.data.storage;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspdl.data.storage.StorageException.Kind;
import org.jspdl.files.FreshFile;
import org.jspdl.memory.SegmentBuffers;

/// Files on local disks, or whatever the operating system mounts.
final class FileStorage implements Storage {
    private final boolean allowsLocal;
    private final LongAdder reads = new LongAdder();
    private final LongAdder bytes = new LongAdder();

    /// @param allowsLocal whether lists from other machines may name local files
    FileStorage(boolean allowsLocal) {
        this.allowsLocal = allowsLocal;
    }

    @Override
    public StoredObject object(Location location) throws IOException {
        return LocalFile.open(location, path(location), this::count);
    }

    private Path path(Location location) throws StorageException {
        return allowsLocal ? location.anyPath() : location.path();
    }

    private void count(long read) {
        reads.increment();
        bytes.add(read);
    }

    /// Files in the order of their names, folder by folder; what is neither file nor folder is left out. Links to
    /// folders are followed, unless their files would come twice.
    ///
    /// @throws StorageException if there is no such folder, or, also as the cause of an [UncheckedIOException] of
    ///     the stream, if a folder can't be listed, or a link leads to one that is listed already
    @Override
    public Stream<ListedObject> list(Location location) throws IOException {
        return list(location, _ -> true);
    }

    @Override
    public Stream<ListedObject> list(Location location, Predicate<String> enters) throws IOException {
        Path folder = path(location);
        if (!Files.isDirectory(folder)) {
            throw new StorageException(
                    Kind.MISSING, location, Files.exists(folder) ? "is no folder" : "there is no such folder");
        }
        LinkedFolders links = new LinkedFolders(folder);
        return walk(folder, links, each -> enters.test(folder.relativize(each).toString()))
                .map(file -> LocalFile.listed(location.withPath(file), file));
    }

    private static Stream<Path> walk(Path folder, LinkedFolders links, Predicate<Path> enters) {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.sorted().toList().stream().flatMap(entry -> {
                if (!Files.isDirectory(entry)) {
                    return files(entry);
                }
                if (!enters.test(entry)) {
                    return Stream.empty();
                }
                links.enter(entry);
                return walk(entry, links, enters);
            });
        } catch (IOException failure) {
            throw new UncheckedIOException(LocalFile.failed(Location.of(folder), "cannot be listed", failure));
        }
    }

    private static Stream<Path> files(Path entry) {
        return Files.isRegularFile(entry) ? Stream.of(entry) : Stream.empty();
    }

    /// Under a temporary name in the same folder, made last, and then renamed.
    @Override
    public void put(Location location, MemorySegment content) throws IOException {
        Path file = location.path();
        Path part = FreshFile.beside(file);
        try {
            try (FileChannel channel = FileChannel.open(part, StandardOpenOption.WRITE)) {
                SegmentBuffers.write(channel, 0, content);
                channel.force(true);
            }
            FreshFile.move(part, file);
        } catch (ClosedByInterruptException interrupted) {
            throw interrupted;
        } catch (IOException failure) {
            throw FreshFile.named(file, failure); // a disk that is full does not say of what
        } finally {
            Files.deleteIfExists(part);
        }
    }

    @Override
    public void delete(Location location) throws IOException {
        Files.deleteIfExists(location.path());
    }

    /// Makes the folder unless it is there.
    @Override
    public void requireWritable(Location folder) throws IOException {
        Path path = folder.path();
        Files.createDirectories(path);
        if (!Files.isWritable(path)) {
            throw new StorageException(Kind.DENIED, folder, "no permission to write there");
        }
    }

    @Override
    public StorageStats stats() {
        return new StorageStats(reads.sum(), reads.sum(), 0, 0, 0, 0, bytes.sum());
    }

    @Override
    public void close() {}
}
