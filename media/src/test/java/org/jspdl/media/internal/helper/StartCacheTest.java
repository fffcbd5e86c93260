package org.jspdl.media.internal.helper;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class StartCacheTest {
    private static final Path JAVA = Path.of(System.getProperty("java.home"), "bin", "java");

    @TempDir
    Path folder;

    /// Ends at once, or never.
    static final class Program {
        private Program() {}

        public static void main(String[] arguments) throws InterruptedException {
            if (arguments[0].equals("endless")) {
                new CountDownLatch(1).await();
            }
        }
    }

    @Test
    void aProgramThatWasRunOnceStartsFromItsCache() throws Exception {
        List<String> words = words(jar("program.jar"));
        StartCache cache = cache(words);
        assertThat(cache.options()).isEmpty();
        assertThat(cache.isMissing()).isTrue();

        cache.make(words, started -> {});

        assertThat(cache.isMissing()).isFalse();
        List<String> again = new ArrayList<>(words);
        again.addAll(1, cache(words).options());
        again.add(1, "-XX:AOTMode=on"); // an error where the cache cannot be used
        assertThat(run(again)).isZero();
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files.map(Path::toString)).noneMatch(name -> name.matches(".*[.](new|config)"));
        }
    }

    @Test
    void anotherJarHasAnotherCache() throws Exception {
        List<String> words = words(jar("program.jar"));
        cache(words).make(words, started -> {});
        Files.write(folder.resolve("program.jar"), new byte[1], StandardOpenOption.APPEND);

        assertThat(cache(words).options()).isEmpty();
        assertThat(cache(words).isMissing()).isTrue();
    }

    @Test
    void aProgramThatFailsHasNoCacheAndIsNotRunAgain() throws Exception {
        List<String> words = new ArrayList<>(words(jar("program.jar")));
        words.add(1, "-XX:NoSuchOption");
        StartCache cache = cache(words);

        cache.make(words, started -> {});

        assertThat(cache.options()).isEmpty();
        assertThat(cache.isMissing()).isFalse();
        cache.make(words, started -> {
            throw new AssertionError("started again");
        });
    }

    @Test
    void aProgramThatIsEndedIsRunAgain() throws Exception {
        List<String> words = new ArrayList<>(words(jar("program.jar")));
        words.set(words.size() - 1, "endless");
        StartCache cache = cache(words);

        cache.make(words, Process::destroyForcibly);

        assertThat(cache.options()).isEmpty();
        assertThat(cache.isMissing()).isTrue();
    }

    @Test
    void classesOutsideOfJarsHaveNoCache() throws Exception {
        StartCache cache = StartCache.of(words(folder), List.of(folder), Optional.of(folder));

        assertThat(cache.isMissing()).isFalse();
        cache.make(words(folder), started -> {
            throw new AssertionError("started");
        });
    }

    private StartCache cache(List<String> words) {
        return StartCache.of(words, List.of(folder.resolve("program.jar")), Optional.of(folder));
    }

    private static List<String> words(Path classPath) {
        return List.of(
                JAVA.toString(),
                "-XX:+UseSerialGC",
                "-Xmx64m",
                "-Xlog:disable",
                "-cp",
                classPath.toString(),
                Program.class.getName(),
                "brief");
    }

    private static int run(List<String> words) throws Exception {
        return HelperCommand.builder(words)
                .redirectInput(ProcessBuilder.Redirect.from(HelperCommand.NOTHING))
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
    }

    /// A jar with the program.
    private Path jar(String name) throws IOException {
        String entry = Program.class.getName().replace('.', '/') + ".class";
        Path jar = folder.resolve(name);
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
                InputStream in = Program.class.getClassLoader().getResourceAsStream(entry)) {
            out.putNextEntry(new JarEntry(entry));
            in.transferTo(out);
            out.closeEntry();
        }
        return jar;
    }
}
