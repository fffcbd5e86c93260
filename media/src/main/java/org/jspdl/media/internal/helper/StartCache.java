package org.jspdl.media.internal.helper;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspdl.files.LockedFile;
import org.jspdl.files.SafeFolders;

/// The classes of a program, loaded and linked, in a file that the JVM maps when it starts the program (JEP 483 and
/// 514): most of what starting takes is done once.
///
/// The file is made by a run of the program. It fits one JVM, one set of options and one class path, which are in its
/// name; it is written under another name and renamed, by one process at a time. A failure is noted, so that it is not
/// tried again, and costs nothing but time. Safe for use by any number of threads.
final class StartCache {
    private static final String ENDING = ".aot";
    private static final int MOST_KEPT = 8;

    private final Optional<Path> file;

    /// The cache of one program.
    ///
    /// @param words  how the program is started, without what differs from one start to the next
    /// @param places of its class path; the JVM keeps classes of jars only
    /// @param folder where files are kept that nobody else can change; empty if there is none
    static StartCache of(List<String> words, List<Path> places, Optional<Path> folder) {
        if (folder.isEmpty() || places.isEmpty()) {
            return new StartCache(Optional.empty());
        }
        StringBuilder fits = new StringBuilder(System.getProperty("java.vm.version", ""));
        fits.append('\n').append(System.getProperty("java.home")).append('\n').append(String.join("\n", words));
        try {
            for (Path place : places) {
                BasicFileAttributes found = Files.readAttributes(place, BasicFileAttributes.class);
                if (!found.isRegularFile()) {
                    return new StartCache(Optional.empty());
                }
                fits.append('\n').append(place);
                fits.append(' ').append(found.size()).append(' ').append(found.lastModifiedTime());
            }
        } catch (IOException unreadable) {
            return new StartCache(Optional.empty());
        }
        UUID name = UUID.nameUUIDFromBytes(fits.toString().getBytes(StandardCharsets.UTF_8));
        return new StartCache(Optional.of(folder.get().resolve(name + ENDING)));
    }

    private StartCache(Optional<Path> file) {
        this.file = file;
    }

    /// Options with which the program starts faster; none while there is no cache.
    List<String> options() {
        return file.filter(Files::isRegularFile).map(StartCache::use).orElse(List.of());
    }

    private static List<String> use(Path cache) {
        return List.of("-XX:AOTCache=" + cache);
    }

    /// Whether there could be a cache, and nobody has tried to make it.
    boolean isMissing() {
        return file.isPresent() && !Files.exists(file.get()) && !Files.exists(beside(file.get(), ".none"));
    }

    /// Makes the cache by a run of the program, which gets no input and has to end by itself; returns when it is
    /// there, or cannot be made, or another process makes it.
    ///
    /// @param words   how the program is started: the path of the JVM, its options, and so on
    /// @param started is given the process, which may be ended; nothing is noted then
    void make(List<String> words, Consumer<Process> started) throws IOException {
        if (file.isEmpty()) {
            return;
        }
        Path cache = file.get();
        Path lock = beside(cache, ".lock");
        LockedFile.make(lock, SafeFolders.ownFile());
        try (LockedFile locked = LockedFile.tryLock(lock).orElse(null)) {
            if (locked != null && isMissing()) {
                make(cache, words, started);
            }
        }
    }

    private static void make(Path cache, List<String> words, Consumer<Process> started) throws IOException {
        Path fresh = beside(cache, ".new");
        try {
            List<String> training = new ArrayList<>(words);
            training.add(1, "-XX:AOTCacheOutput=" + fresh);
            Process process = HelperCommand.builder(training)
                    .redirectInput(Redirect.from(HelperCommand.NOTHING))
                    .redirectOutput(Redirect.DISCARD)
                    .start();
            started.accept(process);
            int status = process.onExit().join().exitValue();
            if (Files.isRegularFile(fresh)) {
                Files.move(fresh, cache, StandardCopyOption.ATOMIC_MOVE);
                dropOthers(cache.resolveSibling(""));
            } else if (status <= HelperCommand.SIGNALED) {
                LockedFile.make(beside(cache, ".none"), SafeFolders.ownFile());
            }
        } finally {
            Files.deleteIfExists(fresh);
            Files.deleteIfExists(beside(fresh, ".config"));
        }
    }

    /// Of other versions of the program, some are kept.
    private static void dropOthers(Path folder) throws IOException {
        List<Path> caches;
        try (Stream<Path> files = Files.list(folder)) {
            caches = files.filter(each -> each.toString().endsWith(ENDING))
                    .sorted(Comparator.comparingLong(each -> -each.toFile().lastModified()))
                    .skip(MOST_KEPT)
                    .toList();
        }
        for (Path each : caches) {
            Files.deleteIfExists(each);
            Files.deleteIfExists(beside(each, ".lock"));
        }
    }

    private static Path beside(Path file, String ending) {
        return file.resolveSibling(file.getFileName() + ending);
    }
}
