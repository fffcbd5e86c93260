package org.jspdl.python;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;

/// The classes of this build in archives, with the startup cache that `python -m jspdl prepare` makes of them: the
/// tests of the package start hundreds of loaders, and most of what that costs is reading classes.
///
/// The first process of a build that needs it makes it, and the others wait for that. Where none can be made, loaders
/// start without one.
///
/// @param classPath archives alone, since no cache is made of folders
/// @param options   of Java, that use it
record StartupCache(String classPath, String options) {
    private static final Path FOLDER = Path.of("target", "start").toAbsolutePath();
    private static final Path IMAGES =
            Path.of("..", "media", "src", "test", "resources").toAbsolutePath().normalize();

    /// That of this build.
    ///
    /// @param python      the program that makes it
    /// @param environment of the package, without its class path
    static StartupCache of(String python, Map<String, String> environment) throws IOException, InterruptedException {
        Path mark = FOLDER.resolve("made-of.txt");
        Files.createDirectories(FOLDER);
        try (FileChannel lock =
                FileChannel.open(FOLDER.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            var _ = lock.lock(); // until the channel is closed
            List<String> entries = List.of(System.getProperty("java.class.path").split(File.pathSeparator));
            String content = python + "\n" + environment + "\n" + described(entries);
            boolean made = Files.exists(mark) && Files.readString(mark).equals(content);
            List<String> archives = new ArrayList<>();
            for (String entry : entries) {
                archives.add(made ? archive(entry) : archived(entry));
            }
            String classPath = String.join(File.pathSeparator, archives);
            Path cache = FOLDER.resolve("start.aot");
            if (!made) {
                prepare(python, environment, classPath, cache);
                Files.writeString(mark, content);
            }
            String options = "-XX:AOTCache=" + cache + " -Xlog:disable -Xlog:all=error:stderr";
            return new StartupCache(classPath, Files.exists(cache) ? options : "");
        }
    }

    /// What tells one state of a class path from another.
    private static String described(List<String> entries) throws IOException {
        StringBuilder all = new StringBuilder();
        for (String entry : entries) {
            Path path = Path.of(entry);
            if (Files.exists(path)) {
                try (Stream<Path> files = Files.walk(path)) {
                    files.filter(Files::isRegularFile).sorted().forEach(file -> all.append(described(file)));
                }
            }
        }
        return all.toString();
    }

    private static String described(Path file) {
        try {
            return file + " " + Files.size(file) + " " + Files.getLastModifiedTime(file) + "\n";
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /// Where a folder of classes is as an archive; archives are where they are.
    private static String archive(String entry) {
        Path folder = Path.of(entry).toAbsolutePath();
        return Files.isDirectory(folder)
                ? FOLDER.resolve(
                                folder.resolve("../..").normalize().getFileName() + "-" + folder.getFileName() + ".jar")
                        .toString()
                : entry;
    }

    private static String archived(String entry) throws IOException {
        String archive = archive(entry);
        if (archive.equals(entry)) {
            return archive;
        }
        Path folder = Path.of(entry);
        try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(Path.of(archive)));
                Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                jar.putNextEntry(new JarEntry(folder.relativize(file).toString()));
                Files.copy(file, jar);
                jar.closeEntry();
            }
        }
        return archive;
    }

    private static void prepare(String python, Map<String, String> environment, String classPath, Path cache)
            throws IOException, InterruptedException {
        Files.deleteIfExists(cache);
        ProcessBuilder builder =
                new ProcessBuilder(python, "-B", "-m", "jspdl", "prepare", IMAGES.toString()).redirectErrorStream(true);
        builder.environment().putAll(environment);
        builder.environment().put("JSPDL_CLASSPATH", classPath);
        builder.environment().put("XDG_CACHE_HOME", FOLDER.toString());
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            System.out.println("Loaders start without a startup cache: " + said.strip());
            return;
        }
        String made = said.lines()
                .filter(line -> line.startsWith("made "))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(said));
        Files.move(
                Path.of(made.substring("made ".length(), made.indexOf(".aot,") + ".aot".length())),
                cache,
                StandardCopyOption.REPLACE_EXISTING);
    }
}
