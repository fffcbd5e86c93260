package org.jspdl.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspdl.data.plan.PackedPlan;
import org.jspdl.data.sample.SampleSet;
import org.jspdl.data.storage.ListedObject;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Lease;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Plans over executors in processes of their own, with speculation, some of them killed.
@Tag("slow")
class KilledExecutorsTest {
    private static final int PICTURES = 200;
    private static final int SAMPLES = 10;
    private static final Pattern DONE = Pattern.compile("packed (\\d+) with (\\d+) kills");
    private static final String RESIZED = """
            source: {files: {path: photos, shuffle: true, seed: 5}}
            steps:
              - {load-image: {size: 224, crop: random-resized-crop, flip: 0.5, dtype: uint8}, cpu: 1}
              - encode-image: {}
            seed: 8
            """;

    @TempDir
    Path folder;

    /// What the driver of a job told: its output is that of one machine, and nothing else is left.
    ///
    /// @param one what one machine packed, in the folder `one`
    /// @return how many executors were killed meanwhile
    private int packed(PackedPlan.Result one, int samples, int kills, long seed) throws Exception {
        Path many = Files.createDirectories(folder.resolve("shared")).resolve("many");
        Matcher told = DONE.matcher(run(many.toString(), samples, kills, seed, "plan", List.of()));

        assertThat(told.find()).isTrue();
        assertThat(Long.parseLong(told.group(1))).isEqualTo(one.samples());
        assertThat(Pictures.contents(many, "many"))
                .as("seed %d", seed)
                .hasSizeGreaterThan(2)
                .isEqualTo(Pictures.contents(folder.resolve("one"), "set"));
        assertThat(failures(many)).isEqualTo(failures(folder.resolve("one"))).hasSize(Math.toIntExact(one.failed()));
        try (Stream<Path> left = Files.list(folder.resolve("shared"))) {
            assertThat(left).containsExactly(many);
        }
        return Integer.parseInt(told.group(2));
    }

    /// What a driver printed, which has ended with success.
    ///
    /// @param what    it writes, `plan` or `table`
    /// @param options for the virtual machines of driver and executors
    private String run(String many, int samples, int kills, long seed, String what, List<String> options)
            throws Exception {
        Path home = folder.resolve("spark-home"); // a distribution whose jars come by the class path
        Files.createDirectories(home.resolve("jars"));
        Path printed = folder.resolve("driver.txt");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx512m",
                "--enable-native-access=ALL-UNNAMED",
                "-Dexecutors.options=" + String.join(" ", options)));
        command.addAll(options);
        command.addAll(List.of(
                "-cp",
                System.getProperty("java.class.path"),
                ClusterProgram.class.getName(),
                folder.toString(),
                many,
                Integer.toString(samples),
                Integer.toString(kills),
                Long.toString(seed),
                what));
        ProcessBuilder driver =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(printed.toFile());
        driver.environment().put("SPARK_HOME", home.toString());
        driver.environment().put("SPARK_LOCAL_IP", "127.0.0.1");
        // Which Spark otherwise looks for in a build of its own, and can't start an executor.
        driver.environment().put("SPARK_SCALA_VERSION", "2.13");
        driver.environment().put("JAVA_HOME", System.getProperty("java.home"));
        driver.environment().remove("JAVA_TOOL_OPTIONS");
        Process process = driver.start();
        boolean ended = false;
        try {
            ended = process.waitFor(Integer.getInteger("driver.seconds", 240), TimeUnit.SECONDS);
            String text = ended ? "" : threads(process);
            assertThat(ended && process.exitValue() == 0)
                    .as(() -> "the driver %s: %s%n%s".formatted(process, read(printed), text))
                    .isTrue();
            return Files.readString(printed, StandardCharsets.UTF_8);
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException failure) {
            return failure.toString();
        }
    }

    /// What the threads of a driver wait for that does not end.
    private static String threads(Process process) throws Exception {
        Process dump = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                        Long.toString(process.pid()),
                        "Thread.print")
                .redirectErrorStream(true)
                .start();
        return new String(dump.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    /// The lines of a quarantine, without their times.
    private static List<String> failures(Path in) throws IOException {
        Path file = in.resolve(PackedPlan.QUARANTINE);
        return Files.exists(file)
                ? Files.readAllLines(file).stream()
                        .map(line -> line.replaceFirst("\"time\":\"[^\"]*\",", ""))
                        .toList()
                : List.of();
    }

    private PackedPlan.Result pictures() throws Exception {
        Pictures.paint(folder, PICTURES);
        Files.writeString(folder.resolve("photos/c1/0041.jpg"), "broken");
        Files.writeString(folder.resolve("plan.yaml"), Pictures.PLAN);
        return Pictures.packed(folder, Pictures.PLAN, folder.resolve("one"), SAMPLES);
    }

    @Test
    void executorsThatAreKilledChangeNothingAndLeaveNothing() throws Exception {
        assertThat(packed(pictures(), SAMPLES, 3, 7)).isPositive();
    }

    /// So many photographs as the system property `photographs` says, in so many jobs that `kills` executors are
    /// killed.
    @Test
    @Tag("campaign")
    @Timeout(3_600)
    void manyExecutorsThatWorkOnPhotographsAreKilled() throws Exception {
        PackedPlan.Result one = photographs(Integer.getInteger("photographs", 2_000));
        long seed = Long.getLong("seed", System.nanoTime());
        int kills = 0;
        int runs = 0;
        for (; kills < Integer.getInteger("kills", 20); runs++) {
            kills += packed(one, samples(one), 10, seed + runs);
            System.out.println(runs + 1 + " jobs of " + one.samples() + " photographs, " + kills
                    + " executors killed, seed " + seed);
            org.jspdl.data.shards.pack.StagedShards.remove(folder.resolve("shared"));
        }
    }

    /// What a table is without kills, written by one session.
    private void table(int pictures) throws Exception {
        Pictures.paint(folder, pictures);
        ClusterProgram.table(LocalSession.get(), folder, folder.resolve("one").toString(), Integer.toString(SAMPLES));
    }

    /// @return how many executors were killed while a table was written to a folder
    private int written(int pictures, int kills, long seed) throws Exception {
        Path many = Files.createDirectories(folder.resolve("shared")).resolve("many");
        Matcher told = DONE.matcher(run(many.toString(), SAMPLES, kills, seed, "table", List.of()));

        assertThat(told.find()).isTrue();
        assertThat(Integer.parseInt(told.group(1))).isEqualTo(pictures);
        assertThat(Pictures.contents(many, "many"))
                .as("seed %d", seed)
                .hasSizeGreaterThan(2)
                .isEqualTo(Pictures.contents(folder.resolve("one"), "one"));
        try (Stream<Path> left = Files.list(folder.resolve("shared"))) {
            assertThat(left).containsExactly(many);
        }
        return Integer.parseInt(told.group(2));
    }

    /// The same to an object store.
    private int stored(S3Server server, String name, int pictures, int kills, long seed) throws Exception {
        Location many = Location.of("s3://bucket/" + name);
        Matcher told = DONE.matcher(run(many.text(), SAMPLES, kills, seed, "table", server.options()));

        assertThat(told.find()).isTrue();
        assertThat(Integer.parseInt(told.group(1))).isEqualTo(pictures);
        Map<String, String> contents = new TreeMap<>();
        try (Storage storage = Storage.open();
                BufferPool pool = BufferPool.unbounded("contents");
                Stream<ListedObject> listed = storage.list(many)) {
            for (ListedObject each : listed.toList()) {
                String file = each.location().text().substring(many.text().length() + 1);
                assertThat(file).startsWith(name);
                if (!file.endsWith(".shards.json")) {
                    try (Lease content = storage.object(each.location()).readAll(pool, 1 << 30)) {
                        contents.put(
                                file.substring(name.length()),
                                Pictures.hash(content.segment().toArray(ValueLayout.JAVA_BYTE)));
                    }
                }
            }
        }
        Map<String, String> one = Pictures.contents(folder.resolve("one"), "one");
        one.remove(".jpg.pixels.cost"); // which needs shards on the driver's disk
        assertThat(contents).as("seed %d", seed).hasSizeGreaterThan(2).isEqualTo(one);
        return Integer.parseInt(told.group(2));
    }

    @Test
    void executorsThatAreKilledWhileATableIsWrittenChangeNothingAndLeaveNothing() throws Exception {
        table(PICTURES);

        assertThat(written(PICTURES, 2, 11)).isPositive();
    }

    @Test
    void executorsThatAreKilledWhileATableIsSentToAStoreChangeNothingAndLeaveNothing() throws Exception {
        table(PICTURES);
        try (S3Server server = S3Server.start(folder)) {
            server.use();

            assertThat(stored(server, "many", PICTURES, 2, 12)).isPositive();
        }
    }

    @Test
    @Tag("campaign")
    @Timeout(3_600)
    void manyExecutorsThatWriteTablesAreKilled() throws Exception {
        table(PICTURES);
        long seed = Long.getLong("seed", System.nanoTime());
        int most = Integer.getInteger("kills", 20);
        try (S3Server server = S3Server.start(folder)) {
            server.use();
            int files = 0;
            int objects = 0;
            int runs = 0;
            for (; files < most || objects < most; runs++) {
                files += written(PICTURES, 4, seed + runs);
                org.jspdl.data.shards.pack.StagedShards.remove(folder.resolve("shared"));
                objects += stored(server, "many" + runs, PICTURES, 4, seed + runs);
                System.out.println(runs + 1 + " tables to a folder and to a store, " + files + " and " + objects
                        + " executors killed, seed " + seed);
            }
        }
    }

    private PackedPlan.Result photographs(int count) throws Exception {
        new SampleSet(count, 3).write(Files.createDirectory(folder.resolve("photos")), 2, _ -> {});
        Files.writeString(folder.resolve("plan.yaml"), RESIZED);
        PackedPlan.Result one = Pictures.packed(folder, RESIZED, folder.resolve("one"), count / 12);
        assertThat(one.samples()).isEqualTo(count);
        return one;
    }

    private static int samples(PackedPlan.Result one) {
        return Math.toIntExact(one.samples() / 12);
    }

    /// The number of photographs is the system property `photographs`.
    @Test
    @Timeout(1_800)
    void twoExecutorsMakeOfPhotographsWhatOneMachineMakes() throws Exception {
        PackedPlan.Result one =
                photographs(Integer.getInteger("photographs", Boolean.getBoolean("campaign") ? 2_000 : 60));

        assertThat(packed(one, samples(one), 0, 1)).isZero();
    }

    @Test
    @Tag("campaign")
    @Timeout(1_800)
    void manyExecutorsAreKilled() throws Exception {
        PackedPlan.Result one = pictures();
        long seed = Long.getLong("seed", System.nanoTime());
        int kills = 0;
        int runs = 0;
        for (; kills < Integer.getInteger("kills", 20); runs++) {
            kills += packed(one, SAMPLES, 4, seed + runs);
            org.jspdl.data.shards.pack.StagedShards.remove(folder.resolve("shared"));
        }
        System.out.println(runs + " jobs, " + kills + " executors killed, seed " + seed);
    }
}
