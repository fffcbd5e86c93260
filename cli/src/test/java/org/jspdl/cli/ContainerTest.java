package org.jspdl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.jspdl.json.Json;
import org.jspdl.testing.Requires;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The least privileges: what the Dockerfile gives to who runs the image, and what the program needs.
class ContainerTest {
    @TempDir
    Path folder;

    /// An instruction of a Dockerfile, with the lines that it goes on over.
    private record Instruction(String name, String arguments) {
        static List<Instruction> of(String dockerfile) {
            List<Instruction> all = new ArrayList<>();
            for (String line : dockerfile
                    .replaceAll("(?m)^\\s*#.*\n", "")
                    .replace("\\\n", " ")
                    .lines()
                    .toList()) {
                if (!line.isBlank()) {
                    String[] parts = line.strip().split("\\s+", 2);
                    all.add(new Instruction(parts[0], parts[1]));
                }
            }
            return all;
        }
    }

    private static List<Instruction> dockerfile() throws IOException {
        return Instruction.of(Files.readString(Repository.root().resolve("Dockerfile")));
    }

    private static List<Instruction> lastStage(List<Instruction> all) {
        List<String> names = all.stream().map(Instruction::name).toList();
        return all.subList(names.lastIndexOf("FROM"), all.size());
    }

    private static String only(List<Instruction> stage, String name) {
        List<String> found = stage.stream()
                .filter(each -> each.name().equals(name))
                .map(Instruction::arguments)
                .toList();
        assertThat(found).as(name).hasSize(1);
        return found.getFirst();
    }

    @Test
    void theImageRunsAsAUserWhoOwnsNothingInIt() throws IOException {
        List<Instruction> stage = lastStage(dockerfile());

        assertThat(only(stage, "USER")).matches("[1-9][0-9]{3,}:[1-9][0-9]{3,}"); // a number: runAsNonRoot checks it
        assertThat(stage)
                .filteredOn(each -> each.name().equals("COPY"))
                .extracting(Instruction::arguments)
                .allMatch(each -> each.startsWith("--from=build --chown=0:0 --chmod=0644 /build/"))
                .anyMatch(each -> each.contains("/cli/target/app/*.jar"))
                // FFmpeg is in the image: whoever hands it on needs these
                .anyMatch(each ->
                        each.matches(".*/LICENSE .*/NOTICE .*/THIRD-PARTY.md .*/release/licenses/\\*\\.txt .*"));
        assertThat(stage).extracting(Instruction::name).doesNotContain("ADD", "VOLUME", "EXPOSE", "RUN");
        List<String> names = stage.stream().map(Instruction::name).toList();
        assertThat(names.indexOf("USER")).isGreaterThan(names.lastIndexOf("COPY"));
    }

    @Test
    void theImageStartsTheProgramItselfAndTakesNothingFromTheNetworkButItsBaseAndMavens() throws IOException {
        List<Instruction> all = dockerfile();

        assertThat(Json.parse(only(lastStage(all), "ENTRYPOINT"))) // no shell
                .asInstanceOf(InstanceOfAssertFactories.list(Object.class))
                .startsWith("java", "@/opt/jspdl/options") // as the launchers do
                .contains("/opt/jspdl/*")
                .endsWith("org.jspdl.cli.Main");
        assertThat(all).noneMatch(each -> each.arguments().matches(".*\\b(curl|wget|apt-get|pip|https?:)\\b.*"));
        assertThat(all)
                .filteredOn(each -> each.name().equals("FROM"))
                .allMatch(each -> each.arguments().matches("eclipse-temurin:25-(jdk AS build|jre)"));
        assertThat(all).noneMatch(each -> each.name().equals("ARG")); // would stay in the history of the image
        assertThat(Files.readString(Repository.root().resolve(".dockerignore")).lines())
                .contains(".git", "**/target");
    }

    @Test
    void whatTheDocumentSaysGivesUpEveryPrivilege() throws IOException {
        assertThat(Files.readString(Repository.root().resolve("SECURITY.md")))
                .contains("--read-only", "--cap-drop ALL", "--security-opt no-new-privileges", ":ro jspdl run");
    }

    /// No capabilities, none to be had, no home, an open umask, and a working folder that cannot be written.
    @Test
    @Tag("slow")
    void aRunNeedsNoPrivilegesNoHomeAndNoFolderButTheCache() throws Exception {
        Path working = Files.createDirectory(folder.resolve("working"));
        Path cache = folder.resolve("cache");
        Files.createDirectory(folder.resolve("tmp"));
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));

        unprivileged(working, cache, "sample", "--images", "20", "--no-progress");
        unprivileged(
                working, cache, "run", cache.resolve("jspdl/sample-2-20").toString(), "--size", "16", "--no-progress");

        Files.setPosixFilePermissions(working, PosixFilePermissions.fromString("rwx------"));
        try (Stream<Path> left = Files.list(working)) {
            assertThat(left).isEmpty();
        }
        try (Stream<Path> kept = Files.list(cache)) {
            for (Path each : kept.toList()) {
                assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(each)))
                        .as("%s", each)
                        .isEqualTo("rwx------");
            }
        }
    }

    private void unprivileged(Path working, Path cache, String... words) throws Exception {
        List<String> command = new ArrayList<>(List.of(Requires.program("setpriv"), "--no-new-privs"));
        if ((int) Files.getAttribute(folder, "unix:uid") == 0) {
            command.addAll(List.of("--bounding-set", "-all", "--inh-caps", "-all"));
        }
        command.addAll(List.of(
                "/bin/sh",
                "-c",
                "chmod 500 . && umask 000 && exec \"$@\"",
                "sh",
                ProcessHandle.current().info().command().orElseThrow(),
                "-Xmx64m",
                "-XX:+UseSerialGC",
                "-Djava.io.tmpdir=" + folder.resolve("tmp"),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
        command.addAll(List.of(words));
        try (Launched started = Launched.start(
                command, working, Map.of("HOME", "", "XDG_CACHE_HOME", cache.toString(), "LC_ALL", "C.UTF-8"))) {
            Launched.Ended ended = started.await();
            assertThat(ended.code()).as(ended.err()).isZero();
        }
    }
}
