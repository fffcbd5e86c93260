package org.jspdl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspdl.testing.Requires;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The script `jspdl` in a folder of its own, with a stand-in for the build and for the JDK, which both write down how
/// they were called.
class LauncherTest {
    private static final Pattern ARTIFACT = Pattern.compile("<artifactId>(jspdl[^<]*)</artifactId>");
    private static final Pattern DEPENDENCY = Pattern.compile(
            "<dependency><groupId>org\\.jspdl</groupId><artifactId>([^<]*)</artifactId>(.*?)</dependency>");

    @TempDir
    Path folder;

    private Path home;
    private Path jdk;

    @BeforeEach
    void layOutACheckoutAndAJdk() throws Exception {
        home = Files.createDirectories(folder.resolve("a check out"));
        Files.copy(Repository.root().resolve("jspdl"), home.resolve("jspdl"));
        Files.createDirectories(home.resolve("release"));
        Files.copy(Repository.root().resolve("release/options"), home.resolve("release/options"));
        for (String module : List.of("core", "media", "cli")) {
            Files.createDirectories(home.resolve(module).resolve("src/main"));
            Files.writeString(home.resolve(module).resolve("pom.xml"), "<project/>");
        }
        Files.writeString(home.resolve("pom.xml"), "<project/>");
        script(
                home.resolve("mvnw"),
                "echo \"$JAVA_HOME\" >> builds",
                "mkdir -p cli/target/app",
                ": > cli/target/app/one.jar");
        jdk = jdk(folder.resolve("jdks/a jdk"), "25.0.3");
    }

    @Test
    void theFirstStartBuildsAndSaysSoAndTheNextDoesNot() throws Exception {
        Launched.Ended first = launch(Map.of(), "run", "my photos", "--shuffle");
        Launched.Ended second = launch(Map.of(), "version");

        assertThat(first.err()).contains("building");
        assertThat(first.code()).isZero();
        assertThat(first.out()).contains("<org.jspdl.cli.Main><run><my photos><--shuffle>");
        assertThat(second.err()).isEmpty();
        assertThat(builds()).containsExactly(jdk.toString());
    }

    /// What it does not name is neither built nor looked at for changes.
    @Test
    void theLauncherNamesEveryModuleThatTheProgramRunsWith() throws Exception {
        Map<String, Path> modules = new HashMap<>();
        try (Stream<Path> folders = Files.list(Repository.root())) {
            for (Path pom : folders.map(folder -> folder.resolve("pom.xml"))
                    .filter(Files::exists)
                    .toList()) {
                Matcher artifact = ARTIFACT.matcher(Files.readString(pom).replaceFirst("(?s)<parent>.*?</parent>", ""));
                if (artifact.find()) {
                    modules.put(artifact.group(1), pom);
                }
            }
        }
        Set<String> needed = new TreeSet<>();
        Deque<String> left = new ArrayDeque<>(List.of("jspdl"));
        while (!left.isEmpty()) {
            Path pom = Objects.requireNonNull(modules.get(left.remove()));
            if (needed.add(Objects.requireNonNull(pom.getParent()).getFileName().toString())) {
                DEPENDENCY
                        .matcher(Files.readString(pom))
                        .results()
                        .filter(found -> !found.group(2).contains("<scope>test</scope>"))
                        .forEach(found -> left.add(found.group(1)));
            }
        }

        Matcher named = Pattern.compile("(?m)^modules='(.*)'$").matcher(Files.readString(home.resolve("jspdl")));
        assertThat(named.find()).isTrue();
        assertThat(named.group(1).split(" ")).containsExactlyInAnyOrderElementsOf(needed);
    }

    @Test
    void changedSourcesAreBuiltAgain() throws Exception {
        launch(Map.of());
        Path changed = Files.writeString(home.resolve("core/src/main/New.java"), "class New {}");
        Files.setLastModifiedTime(changed, FileTime.from(Instant.now().plusSeconds(5)));

        assertThat(launch(Map.of()).err()).contains("building");
        assertThat(builds()).hasSize(2);
    }

    @Test
    void aCheckoutThatWasMovedIsBuiltAgainBecauseItsClassCacheKnowsTheOldPath() throws Exception {
        launch(Map.of());
        home = Files.move(home, folder.resolve("elsewhere"));

        assertThat(launch(Map.of()).err()).contains("building");
        assertThat(launch(Map.of()).err()).isEmpty();
    }

    @Test
    void theVirtualMachineGetsOurOptionsTheClassPathAndTheOptionsOfTheUser() throws Exception {
        String arguments =
                launch(Map.of("JSPDL_OPTS", "-Xmx1g -Dx=y", "JAVA_OPTS", "-ea")).out();

        assertThat(arguments).contains("<@" + home + "/release/options>", "<-cp><" + home + "/cli/target/app/one.jar>");
        assertThat(arguments.indexOf("<-Xmx1g><-Dx=y>")).isGreaterThan(arguments.indexOf("/release/options>"));
        assertThat(arguments).contains("<-ea>");
    }

    @Test
    void ownJarsComeBeforeThoseOfOthers() throws Exception {
        launch(Map.of());
        Files.createFile(home.resolve("cli/target/app/jspdl-two.jar"));

        String app = home + "/cli/target/app/";
        assertThat(launch(Map.of()).out()).contains("<-cp><" + app + "jspdl-two.jar:" + app + "one.jar>");
    }

    @Test
    void providersAreLookedForInOwnJarsUnlessOthersAreAdded() throws Exception {
        launch(Map.of());
        Files.createFile(home.resolve("cli/target/app/jspdl-two.jar"));

        assertThat(launch(Map.of()).out()).contains("<-Djspdl.providers=" + home + "/cli/target/app/jspdl-two.jar>");
        assertThat(launch(Map.of("JSPDL_CLASSPATH", "onnx/*")).out()).doesNotContain("jspdl.providers");
        assertThat(Files.readString(Repository.root().resolve("release/launcher")))
                .contains("[ -n \"${JSPDL_CLASSPATH:-}\" ] || set -- -Djspdl.providers=\"$own\" \"$@\"");
    }

    @Test
    void jarsOfTheUserComeBehindThoseOfTheProgram() throws Exception {
        String arguments = launch(Map.of("JSPDL_CLASSPATH", "onnx/*")).out();

        assertThat(arguments).contains("<-cp><" + home + "/cli/target/app/one.jar:onnx/*>");
        assertThat(Files.readString(Repository.root().resolve("release/launcher")))
                .contains("-cp \"$classpath${JSPDL_CLASSPATH:+:$JSPDL_CLASSPATH}\"");
    }

    @Test
    void javaGetsALocaleInWhichItReadsAllNamesOfFilesUnlessThereIsOne() throws Exception {
        Map<String, String> none = Map.of("LANG", "", "LC_ALL", "", "LC_CTYPE", "");
        assertThat(launch(none).out()).contains("LC_ALL=C.UTF-8");
        assertThat(launch(Map.of("LANG", "de_DE.UTF-8", "LC_ALL", "", "LC_CTYPE", ""))
                        .out())
                .contains("LC_ALL=\n");
        assertThat(launch(Map.of("LANG", "de_DE.UTF-8", "LC_ALL", "C")).out()).contains("LC_ALL=C.UTF-8");
    }

    @Test
    void theClassCacheIsMadeByTheFirstStartAndUsedFromThenOn() throws Exception {
        String first = launch(Map.of()).out();
        String cache = home + "/cli/target/app/start-25.0.3-LTS.aot";

        assertThat(Path.of(cache)).exists();
        assertThat(first).contains("<-XX:AOTCache=" + cache + ">");
        assertThat(launch(Map.of()).out()).contains("<-XX:AOTCache=" + cache + ">");
        assertThat(calls()).filteredOn(call -> call.contains("AOTCacheOutput")).hasSize(1);
    }

    @Test
    void withoutAClassCacheTheProgramStartsAllTheSame() throws Exception {
        Launched.Ended first = launch(Map.of("FAIL_TRAINING", "yes"));

        assertThat(first.code()).isZero();
        assertThat(first.err()).contains("no start-up cache");
        assertThat(first.out()).doesNotContain("-XX:AOTCache=");
        assertThat(launch(Map.of()).err()).isEmpty();
    }

    @Test
    void onlyATerminalThatCanMoveItsCursorIsWrittenOver() throws Exception {
        Requires.program("script");
        for (String launcher : List.of("jspdl", "release/launcher")) {
            assertThat(Files.readString(Repository.root().resolve(launcher)))
                    .contains("[ -t 2 ] && [ \"${TERM:-dumb}\" != dumb ] && live=true");
        }
        List<String> inATerminal = List.of("script", "-qec", "'" + home.resolve("jspdl") + "' version", "/dev/null");

        assertThat(ended(inATerminal, Map.of("TERM", "xterm")).out()).contains("<-Djspdl.terminal=true>");
        assertThat(ended(inATerminal, Map.of("TERM", "dumb")).out()).contains("<-Djspdl.terminal=false>");
        assertThat(launch(Map.of("TERM", "xterm")).out()).contains("<-Djspdl.terminal=false>");
    }

    @Test
    void aLinkToTheScriptWorksFromAnywhere() throws Exception {
        Path link = Files.createSymbolicLink(folder.resolve("a link"), home.resolve("jspdl"));

        Launched.Ended ended = ended(List.of(link.toString(), "version"), Map.of());

        assertThat(ended.out()).contains("<org.jspdl.cli.Main><version>");
    }

    @Test
    void javaHomeComesFirstIfItIsAJdk25AndIsPassedOverOtherwise() throws Exception {
        Path other = jdk(folder.resolve("other"), "25");
        Path old = jdk(folder.resolve("old"), "17.0.15");

        assertThat(launch(Map.of("JAVA_HOME", other.toString())).out()).startsWith(other.toString());
        assertThat(launch(Map.of("JAVA_HOME", old.toString())).out()).startsWith(jdk.toString());
    }

    @Test
    void withoutAJdk25TheMessageNamesWhatToInstall() throws Exception {
        Path old = jdk(folder.resolve("old/jdk-17"), "17.0.15");

        Launched.Ended ended =
                launch(Map.of("JSPDL_JAVA_DIRS", folder.resolve("old").toString(), "JAVA_HOME", old.toString()));

        assertThat(ended.code()).isEqualTo(1);
        assertThat(ended.out()).isEmpty();
        assertThat(ended.err()).contains("no JDK 25 found", old.toString(), "Temurin 25", "JAVA_HOME");
    }

    @Test
    void helpAndTheVersionArePrintedWithoutABuildOrAJdk() throws Exception {
        Path pages = Files.createDirectories(home.resolve("cli/src/main/help"));
        for (String page : List.of("jspdl", "run", "version")) {
            Files.writeString(pages.resolve(page + ".txt"), "the page " + page + "\n");
        }
        Map<String, String> noJdk =
                Map.of("JSPDL_JAVA_DIRS", folder.resolve("none").toString());

        for (List<String> words : List.of(List.<String>of(), List.of("--help"), List.of("help"))) {
            assertThat(launch(noJdk, words.toArray(String[]::new)).out()).isEqualTo("the page jspdl\n");
        }
        assertThat(launch(noJdk, "run", "--help").out()).isEqualTo("the page run\n");
        assertThat(launch(noJdk, "help", "run").out()).isEqualTo("the page run\n");
        assertThat(launch(noJdk, "--version").out()).isEqualTo("the page version\n");
        assertThat(home.resolve("builds")).doesNotExist();
        assertThat(launch(Map.of(), "unknown", "--help").out()).contains("<unknown><--help>");
        assertThat(launch(Map.of(), "../help/run", "--help").out()).contains("<../help/run><--help>");
    }

    @Test
    void aCurrentFolderThatIsGoneIsTold() throws Exception {
        for (String launcher : List.of("jspdl", "release/launcher")) {
            Path script = Repository.root().resolve(launcher).toAbsolutePath();
            Launched.Ended ended = ended(
                    List.of(
                            "sh",
                            "-c",
                            "mkdir gone && cd gone && rmdir ../gone && exec sh '" + script + "' run photos"),
                    Map.of("JSPDL_JAVA_DIRS", folder.resolve("none").toString()));

            assertThat(ended.code()).as(launcher).isEqualTo(1);
            assertThat(ended.err()).contains("the current folder does not exist any more; change to another one");
        }
    }

    @Test
    void aJavaHomeThatIsPassedOverIsNamed() throws Exception {
        String old = jdk(folder.resolve("old"), "17.0.15").toString();
        String none = folder.resolve("nothing here").toString();

        assertThat(launch(Map.of("JAVA_HOME", old)).err())
                .contains("JAVA_HOME is " + old + ", which is no JDK 25; using " + jdk);
        assertThat(launch(Map.of("JAVA_HOME", old)).err()).isEmpty();
        assertThat(launch(Map.of("JAVA_HOME", none)).err())
                .contains("JAVA_HOME is " + none + ", which is no JDK 25; using " + jdk);
    }

    @Test
    void mavensDownloadsGoToTheCheckoutWhereTheHomeCannotBeWritten() throws Exception {
        script(home.resolve("mvnw"), "echo \"$MAVEN_USER_HOME $*\" >> builds", "mkdir -p cli/target/app");
        Path kept = home.resolve("cli/target/maven");

        Launched.Ended without = launch(Map.of("HOME", folder.resolve("none").toString()));
        assertThat(without.err()).contains("can't be written", kept.toString());
        assertThat(builds())
                .singleElement()
                .asString()
                .startsWith(kept + " ")
                .contains(" -Dmaven.repo.local=" + kept + "/repository ");

        Files.delete(home.resolve("builds"));
        Files.delete(home.resolve("cli/target/app/built"));
        Launched.Ended with = launch(Map.of("HOME", folder.toString()));
        assertThat(with.err()).doesNotContain("can't be written");
        assertThat(builds()).singleElement().asString().startsWith(" ").doesNotContain("maven.repo.local");
    }

    @Test
    void aFailedBuildShowsItsOutput() throws Exception {
        script(home.resolve("mvnw"), "echo the compiler is unhappy", "exit 1");

        Launched.Ended ended = launch(Map.of());

        assertThat(ended.code()).isEqualTo(1);
        assertThat(ended.err()).contains("the compiler is unhappy", "the build failed");
        assertThat(home.resolve("cli/target/app.lock")).doesNotExist();
    }

    @Test
    void aLockLeftByADeadProcessIsTakenOver() throws Exception {
        Process dead = new ProcessBuilder("true").start();
        dead.waitFor();
        Path lock = Files.createDirectories(home.resolve("cli/target/app.lock"));
        Files.writeString(lock.resolve("owner"), dead.pid() + "\n");

        assertThat(launch(Map.of()).code()).isZero();
        assertThat(lock).doesNotExist();
    }

    @Test
    void aLockWithoutAnOwnerIsTakenOver() throws Exception {
        Path lock = Files.createDirectories(home.resolve("cli/target/app.lock"));

        Launched.Ended ended = launch(Map.of());

        assertThat(ended.code()).isZero();
        assertThat(ended.err()).contains("remove " + lock);
        assertThat(lock).doesNotExist();
    }

    @Test
    void aReadOnlyInstallationThatIsBuiltRuns() throws Exception {
        launch(Map.of());
        Path otherJdk = jdk(folder.resolve("other"), "25.0.9");

        Launched.Ended ended = launch(readOnly("JAVA_HOME", otherJdk.toString()), "version");

        assertThat(ended.code()).isZero();
        assertThat(ended.err()).isEmpty();
        assertThat(ended.out())
                .contains("<org.jspdl.cli.Main><version>")
                .doesNotContain("-XX:AOTCache="); // which is another JDK's
    }

    @Test
    void aReadOnlyInstallationThatWasMovedRunsWithoutTheClassCacheOfItsOldPlace() throws Exception {
        launch(Map.of());
        home = Files.move(home, folder.resolve("elsewhere"));

        Launched.Ended ended = launch(readOnly(), "version");

        assertThat(ended.code()).isZero();
        assertThat(ended.err()).isEmpty();
        assertThat(ended.out())
                .contains("<-cp><" + home + "/cli/target/app/one.jar>", "<version>")
                .doesNotContain("-XX:AOTCache=");
    }

    @Test
    void aReadOnlyInstallationOlderThanItsSourcesRunsAndSaysSo() throws Exception {
        launch(Map.of());
        Path changed = Files.writeString(home.resolve("core/src/main/New.java"), "class New {}");
        Files.setLastModifiedTime(changed, FileTime.from(Instant.now().plusSeconds(5)));

        Launched.Ended ended = launch(readOnly());

        assertThat(ended.code()).isZero();
        assertThat(ended.err()).contains("Read-only file system", "older than the sources");
    }

    @Test
    void aReadOnlyInstallationThatWasNotBuiltSaysWhatToDo() throws Exception {
        Launched.Ended ended = launch(readOnly());

        assertThat(ended.code()).isEqualTo(1);
        assertThat(ended.out()).isEmpty();
        assertThat(ended.err()).contains(home + " can't be written", "Read-only file system", "copy the folder");
    }

    /// Permissions don't bind root, so the commands fail that would write: as on a file system that is read-only.
    private Map<String, String> readOnly(String... variable) throws IOException {
        Path commands = Files.createDirectories(folder.resolve("commands"));
        for (String command : List.of("mkdir", "rm", "mv")) {
            script(commands.resolve(command), "echo '" + command + ": Read-only file system' >&2", "exit 1");
        }
        Map<String, String> environment = new HashMap<>(Map.of("PATH", commands + ":" + System.getenv("PATH")));
        for (int i = 0; i < variable.length; i += 2) {
            environment.put(variable[i], variable[i + 1]);
        }
        return environment;
    }

    @Test
    void twoFirstStartsAtOnceBuildOnce() throws Exception {
        script(
                home.resolve("mvnw"),
                "echo x >> builds",
                "sleep 0.3",
                "mkdir -p cli/target/app",
                ": > cli/target/app/one.jar");

        try (Launched first = start(List.of(home.resolve("jspdl").toString()), Map.of());
                Launched second = start(List.of(home.resolve("jspdl").toString()), Map.of())) {
            assertThat(first.await().code()).isZero();
            assertThat(second.await().code()).isZero();
        }

        assertThat(builds()).hasSize(1);
    }

    /// A folder that looks like a JDK, whose `java` prints its arguments and does what makes a class cache.
    private Path jdk(Path place, String version) throws IOException {
        Files.createDirectories(place.resolve("bin"));
        Files.writeString(
                place.resolve("release"),
                "IMPLEMENTOR=\"Nobody\"\nJAVA_RUNTIME_VERSION=\"" + version + "-LTS\"\nJAVA_VERSION=\"" + version
                        + "\"\n");
        script(place.resolve("bin/javac"), "exit 1");
        script(
                place.resolve("bin/java"),
                "printf '%s ' \"" + place + "\"",
                "printf '<%s>' \"$@\" | tee -a '" + folder + "/calls'",
                "echo | tee -a '" + folder + "/calls'",
                "echo LC_ALL=${LC_ALL:-}",
                "for word in \"$@\"; do case $word in -XX:AOTCacheOutput=*)",
                "  [ -n \"${FAIL_TRAINING:-}\" ] && exit 1; : > \"${word#*=}\" ;; esac; done");
        return place;
    }

    private static void script(Path file, String... lines) throws IOException {
        Files.writeString(file, "#!/bin/sh\n" + String.join("\n", lines) + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private List<String> builds() throws IOException {
        return Files.readAllLines(home.resolve("builds"));
    }

    private List<String> calls() throws IOException {
        return Files.readAllLines(folder.resolve("calls"));
    }

    private Launched.Ended launch(Map<String, String> environment, String... words) throws Exception {
        List<String> command = new ArrayList<>(List.of(home.resolve("jspdl").toString()));
        command.addAll(List.of(words));
        return ended(command, environment);
    }

    private Launched.Ended ended(List<String> command, Map<String, String> environment) throws Exception {
        try (Launched process = start(command, environment)) {
            return process.await();
        }
    }

    private Launched start(List<String> command, Map<String, String> environment) throws IOException {
        Map<String, String> all = new HashMap<>(Map.of(
                "JAVA_HOME",
                "",
                "JAVA_OPTS",
                "",
                "JSPDL_OPTS",
                "",
                "JSPDL_CLASSPATH",
                "",
                "MAVEN_USER_HOME",
                "",
                "JSPDL_JAVA_DIRS",
                folder.resolve("jdks").toString()));
        all.putAll(environment);
        return Launched.start(command, folder, all);
    }
}
