package org.jspdl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// The pages that the launcher prints without starting Java are what the program prints. `-Dhelp.write=true` writes
/// them anew.
class HelpPagesTest extends CommandTest {
    private static final Path PAGES = Repository.root().resolve("cli/src/main/help");

    @Test
    void thePagesOfTheLauncherAreThoseOfTheProgram() throws Exception {
        TreeSet<String> pages = new TreeSet<>(List.of("version.txt", "jspdl.txt"));
        compare("jspdl.txt", "--help");
        Matcher commands = Pattern.compile("(?m)^  jspdl ([\\w-]+)").matcher(out);
        List<String> names = commands.results().map(found -> found.group(1)).toList();
        assertThat(names).contains("run", "pack");
        for (String name : names) {
            if (!name.equals("version")) {
                compare(name + ".txt", name, "--help");
                pages.add(name + ".txt");
            }
        }
        try (var files = Files.list(PAGES)) {
            assertThat(files.map(file -> file.getFileName().toString())).containsExactlyInAnyOrderElementsOf(pages);
        }
    }

    @Test
    void theReferenceHasEveryOption() throws IOException {
        Path reference = Repository.root().resolve("docs/reference");
        String shared = Files.readString(reference.resolve("run.md"));
        try (var files = Files.list(PAGES)) {
            for (Path help : files.toList()) {
                Path page = reference.resolve(help.getFileName().toString().replaceFirst("txt$", "md"));
                String text = Files.exists(page) ? Files.readString(page) : "";
                String known = text + (text.contains("](run.md)") ? shared : "");
                if (Files.exists(page)) {
                    assertThat(Pattern.compile("(?m)^  (--[a-z-]+)")
                                    .matcher(Files.readString(help))
                                    .results()
                                    .map(found -> found.group(1))
                                    .filter(option -> !option.equals("--help")))
                            .as(page.toString())
                            .allSatisfy(option -> assertThat(known).containsPattern(option + "\\b"));
                }
            }
        }
    }

    /// `--workers` was once taken for a slip for `--order`.
    @Test
    void anOptionOfAnotherCommandIsNotTakenForASlip() throws IOException {
        TreeMap<String, Set<String>> commands = new TreeMap<>();
        try (var files = Files.list(PAGES)) {
            for (Path help : files.toList()) {
                Set<String> options = Pattern.compile("(?m)^  (--[a-z-]+)")
                        .matcher(Files.readString(help))
                        .results()
                        .map(found -> found.group(1))
                        .collect(Collectors.toCollection(TreeSet::new));
                if (!options.isEmpty()) {
                    commands.put(help.getFileName().toString().replace(".txt", ""), options);
                }
            }
        }
        TreeSet<String> names = new TreeSet<>(List.of("--workers", "--num-workers", "--jobs"));
        commands.values().forEach(names::addAll);
        List<String> suggested = new ArrayList<>();
        commands.forEach((command, options) -> {
            for (String name : names) {
                if (!options.contains(name)) {
                    jspdl(command, name, "3");
                    assertThat(code).as(command + " " + name).isEqualTo(2);
                    assertThat(err).as(command).contains("unknown option '" + name + "'");
                    if (err.contains("did you mean")) {
                        suggested.add(err.strip());
                    }
                }
            }
        });
        assertThat(suggested)
                .isNotEmpty()
                .allSatisfy(
                        said -> assertThat(said)
                                .containsPattern(
                                        "'--(num-workers|jobs)'; did you mean --workers\\?|'--report'; did you mean --port\\?"));
    }

    @Test
    void theVersionIsThatOfTheBuild() throws IOException {
        Matcher version = Pattern.compile("<artifactId>jspdl-parent</artifactId>\\s*<version>([^<]+)</version>")
                .matcher(Files.readString(Repository.root().resolve("pom.xml")));
        assertThat(version.find()).isTrue();
        same("version.txt", "jspdl " + version.group(1) + "\n");
    }

    private void compare(String page, String... words) throws IOException {
        jspdl(words);
        assertThat(code).isZero();
        same(page, out);
    }

    private static void same(String page, String text) throws IOException {
        if (Boolean.getBoolean("help.write")) {
            Files.writeString(PAGES.resolve(page), text);
        }
        assertThat(PAGES.resolve(page)).content().isEqualTo(text);
    }
}
