package org.jspdl.onnx;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// The folder that ONNX Runtime unpacks its libraries into, one for each process.
///
/// ONNX Runtime asks Java to delete the folder before what is in it, which fails: each process would leave one behind
/// (version 1.29.0). The libraries stay until the process ends, because those for other processors are loaded later.
final class UnpackedLibraries {
    private static final Logger LOGGER = System.getLogger(UnpackedLibraries.class.getName());
    private static final Path MAPPED = Path.of("/proc/self/maps");
    private static final String NAME = "onnxruntime-java";

    private UnpackedLibraries() {}

    /// Has the folder deleted when the process ends, where it can be found: on Linux, once the library is loaded.
    static void deleteAtEnd() {
        try {
            find().ifPresent(folder ->
                    Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(folder), "jspdl-onnx-libraries")));
        } catch (IllegalStateException ending) {
            LOGGER.log(Level.DEBUG, "the process ends already", ending);
        }
    }

    private static Optional<Path> find() {
        try (Stream<String> lines = Files.lines(MAPPED)) {
            return lines.filter(line -> line.contains(File.separator + NAME))
                    .map(line -> Path.of(line.substring(line.indexOf(File.separatorChar))))
                    .flatMap(library -> Stream.ofNullable(library.getParent()))
                    .filter(folder -> String.valueOf(folder.getFileName()).startsWith(NAME))
                    .findFirst();
        } catch (IOException | UncheckedIOException elsewhere) {
            return Optional.empty(); // such as macOS
        }
    }

    private static void delete(Path folder) {
        try {
            List<Path> files;
            try (Stream<Path> inside = Files.list(folder)) {
                files = inside.toList();
            }
            for (Path file : files) {
                Files.delete(file);
            }
            Files.delete(folder);
        } catch (IOException left) {
            LOGGER.log(Level.DEBUG, folder + " is left behind", left);
        }
    }
}
