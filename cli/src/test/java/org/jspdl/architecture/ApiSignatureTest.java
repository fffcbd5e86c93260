package org.jspdl.architecture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.jspdl.architecture.ApiSignature.DEPRECATED;
import static org.jspdl.architecture.ApiSignature.TO_BE_WRITTEN;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Programs that were compiled against the last release still run: nothing is gone that it had, unless it was
/// deprecated there, and nobody who extends one of its types has more to write.
///
/// `release/api` holds what that release had, a file for each module. `-Dapi.write=true` writes them anew, which
/// belongs to a release.
class ApiSignatureTest {
    /// Tests run in the folder of their module.
    private static final Path ROOT = Path.of("..");

    private static final Path RELEASED = ROOT.resolve("release/api");

    @Test
    void whatTheLastReleaseHadIsThere() throws IOException {
        List<String> breaks = new ArrayList<>();
        Set<String> checked = new TreeSet<>();
        for (Path module : compiled()) {
            String name = module.getFileName().toString();
            Set<String> now = ApiSignature.of(module.resolve("target/classes"));
            Path file = RELEASED.resolve(name + ".txt");
            if (Boolean.getBoolean("api.write") && !now.isEmpty()) {
                Files.createDirectories(RELEASED);
                Files.write(file, now);
            }
            if (Files.exists(file)) {
                breaks.addAll(breaks(Files.readAllLines(file), now));
                checked.add(name);
            }
        }

        assertThat(checked).contains("core", "plan", "arrays", "media", "data", "observe");
        assertThat(breaks)
                .as("changes that break programs: deprecate first, and remove in the release after the next; before a"
                        + " release, -Dapi.write=true writes release/api anew")
                .isEmpty();
    }

    @Test
    void whatBreaksProgramsIsFound() {
        List<String> released = List.of(
                "a.B: interface",
                "a.B: void kept()",
                "a.B: void gone(int)",
                "a.B: void old()" + DEPRECATED,
                "a.B: abstract int written()",
                "a.C: closed class",
                "a.E: closed class");
        Set<String> now = new TreeSet<>(List.of(
                "a.B: interface",
                "a.B: void kept()" + DEPRECATED,
                "a.B: void more()",
                "a.B: abstract int toWrite()",
                "a.B: int written()",
                "a.C: closed class",
                "a.E: class",
                "a.D: interface",
                "a.D: abstract int ofSomethingNew()"));

        assertThat(breaks(released, now))
                .containsExactlyInAnyOrder(
                        "gone: a.B: void gone(int)", "has to be written now: a.B: abstract int toWrite()");
    }

    @Test
    void aSignatureHasWhatProgramsCanName(@TempDir Path folder) throws IOException {
        Path source = Files.createDirectories(folder.resolve("src/a/hidden"));
        Files.writeString(folder.resolve("src/module-info.java"), "module a { exports a; }");
        Files.writeString(source.resolve("Unseen.java"), "package a.hidden; public class Unseen {}");
        Files.writeString(folder.resolve("src/a/Shape.java"), """
                package a;
                public interface Shape extends Comparable<Shape> {
                    int[] sides(String of, Side... more);
                    default void draw() {}
                    @Deprecated static Shape none() { return null; }
                    enum Side { LEFT }
                    sealed interface Closed { int x(); }
                    record Only(int x) implements Closed {}
                }
                class Inside {}
                """);
        int failed = ToolProvider.findFirst("javac")
                .orElseThrow()
                .run(
                        System.out,
                        System.err,
                        "-d",
                        folder.resolve("classes").toString(),
                        folder.resolve("src/module-info.java").toString(),
                        folder.resolve("src/a/Shape.java").toString(),
                        source.resolve("Unseen.java").toString());

        assertThat(failed).isZero();
        assertThat(ApiSignature.of(folder.resolve("classes")))
                .contains(
                        "a.Shape: interface",
                        "a.Shape: is a java.lang.Comparable",
                        "a.Shape: abstract int[] sides(java.lang.String, a.Shape$Side[])",
                        "a.Shape: void draw()",
                        "a.Shape: static a.Shape none()" + DEPRECATED,
                        "a.Shape$Side: closed enum",
                        "a.Shape$Side: static a.Shape$Side LEFT",
                        "a.Shape$Closed: closed interface",
                        "a.Shape$Closed: int x()",
                        "a.Shape$Only: closed class",
                        "a.Shape$Only: void <init>(int)")
                .noneMatch(line -> line.contains("Unseen") || line.contains("Inside") || line.contains("$VALUES"));
    }

    private static List<String> breaks(List<String> released, Set<String> now) {
        List<String> breaks = new ArrayList<>();
        for (String line : released) {
            String open = line.replace(TO_BE_WRITTEN, ": ").replace(": closed ", ": ");
            boolean kept =
                    Stream.of(line, open).anyMatch(each -> now.contains(each) || now.contains(each + DEPRECATED));
            if (!kept && !line.endsWith(DEPRECATED)) {
                breaks.add("gone: " + line);
            }
        }
        for (String line : now) {
            String type = line.substring(0, line.indexOf(": "));
            if (line.startsWith(type + TO_BE_WRITTEN)
                    && released.contains(type + ": interface")
                    && !released.contains(line)) {
                breaks.add("has to be written now: " + line);
            }
        }
        return breaks;
    }

    /// The modules that others depend on and that are compiled, by their folders.
    private static List<Path> compiled() throws IOException {
        try (Stream<Path> folders = Files.list(ROOT)) {
            return folders.filter(folder -> Files.exists(folder.resolve("target/classes/org/jspdl")))
                    .filter(folder -> !isKeptHere(folder))
                    .sorted()
                    .toList();
        }
    }

    private static boolean isKeptHere(Path module) {
        try {
            return Files.readString(module.resolve("pom.xml")).contains("<maven.deploy.skip>true</maven.deploy.skip>");
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
