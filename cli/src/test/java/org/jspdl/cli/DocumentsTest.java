package org.jspdl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspdl.data.sample.SampleSet;
import org.jspdl.testing.Compilation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Holds the documents against the code: programs compile, and the README's runs; links lead somewhere.
class DocumentsTest {
    private static final Pattern PROGRAM = Pattern.compile("```java\\n(.*?)```", Pattern.DOTALL);
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#:]+)(?:#[^)]*)?\\)");

    private static final Pattern COMPACT = Pattern.compile("^(static )?void main\\(", Pattern.MULTILINE);

    @TempDir
    Path folder;

    @Test
    void everyProgramInTheDocumentsCompiles() throws Exception {
        Map<String, String> programs = new TreeMap<>();
        for (Path document : documents()) {
            for (String program : programsIn(document)) {
                String name = "P" + programs.size() + "_"
                        + document.getFileName().toString().replaceAll("\\W", "_");
                programs.put(name + ".java", inAPackage(program, name));
            }
        }

        assertThat(programs).isNotEmpty();
        assertThat(Compilation.errors(folder, programs)).isEmpty();
    }

    /// A program with classes of its own gets a package, so that two may call theirs alike; one that is just a
    /// `main` can't have one.
    private static String inAPackage(String program, String name) {
        return COMPACT.matcher(program).find() ? program : "package " + name.toLowerCase(Locale.ROOT) + "; " + program;
    }

    @Test
    void theProgramOfTheReadmeLoadsImages() throws Exception {
        new SampleSet(70, 1).write(Files.createDirectory(folder.resolve("photos")), 2, written -> {});
        Path program = Files.writeString(
                folder.resolve("Load.java"),
                programsIn(Repository.root().resolve("README.md")).getFirst());
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                program.toString(),
                folder.resolve("photos").toString()));

        try (Launched run = Launched.start(command, folder, Map.of("JAVA_TOOL_OPTIONS", ""))) {
            Launched.Ended ended = run.await();

            assertThat(ended.err()).isEmpty();
            assertThat(ended.out()).startsWith("[64, 3, 224, 224]\n[6, 3, 224, 224]\nBottleneck: ");
        }
    }

    @Test
    void linksBetweenTheDocumentsLeadSomewhere() throws Exception {
        List<String> broken = new ArrayList<>();
        for (Path document : documents()) {
            Matcher link = LINK.matcher(Files.readString(document));
            while (link.find()) {
                if (!Files.exists(document.resolveSibling(link.group(1)))) {
                    broken.add(document + " -> " + link.group(1));
                }
            }
        }

        assertThat(broken).isEmpty();
    }

    static List<String> programsIn(Path document) throws Exception {
        List<String> programs = new ArrayList<>();
        Matcher program = PROGRAM.matcher(Files.readString(document));
        while (program.find()) {
            programs.add(program.group(1));
        }
        return programs;
    }

    static List<Path> documents() throws Exception {
        Path root = Repository.root();
        try (Stream<Path> top = Files.list(root);
                Stream<Path> docs = Files.walk(root.resolve("docs"))) {
            return Stream.concat(top, docs)
                    .filter(file -> file.toString().endsWith(".md"))
                    .sorted()
                    .toList();
        }
    }
}
