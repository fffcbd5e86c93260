package org.jspdl.plan.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Gatherers;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.jspdl.pipeline.GathererState;
import org.jspdl.pipeline.Run;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.plan.CompiledPlan;
import org.jspdl.plan.Operation;
import org.jspdl.plan.OperationProvider;
import org.jspdl.plan.Operations;
import org.jspdl.plan.Parameter;
import org.jspdl.plan.Plan;
import org.jspdl.plan.PlanContext;
import org.jspdl.plan.StandardOperations;
import org.jspdl.plan.TypeToken;
import org.jspdl.source.Samplers;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Random batches of recorded runs of several ranks, built again in another process, which compares each with the
/// record; `-Dsteps=N` of each run. Results: `target/campaigns/rebuild.txt`.
@Tag("slow")
class RebuildCampaignTest {
    private static final boolean CAMPAIGN = Boolean.getBoolean("campaign");
    private static final int RANKS = 8;
    private static final int STEPS = Integer.getInteger("steps", CAMPAIGN ? 2_500 : 40);
    private static final int REBUILDS = CAMPAIGN ? 1_000 : 20;

    private static final String ONE_TO_ONE = """
            source: {shuffled: {size: 1000000000}}
            steps: [{jitter: {}, cpu: 2, order: input}, {batch: 256}]
            """;
    private static final String FILTERED = """
            source: {shuffled: {size: 1000000000}}
            steps: [{thirds: {}}, {jitter: {}, cpu: 2, order: input}, {batch: 64}]
            """;
    private static final String PACKED = """
            source: {shuffled: {size: 1000000000}}
            steps: [{jitter: {}, cpu: 2, order: input}, {packs: {}}]
            """;

    private static final class Numbers implements OperationProvider {
        private static final TypeToken<Long> NUMBER = TypeToken.of(Long.class);
        private static final Parameter<Long> SIZE = Parameter.whole("size", 1, Long.MAX_VALUE);
        private static final Parameter<Integer> RANK =
                Parameter.count("rank", 0, 999).orElse(0);
        private static final Parameter<Integer> WORLD_SIZE =
                Parameter.count("world-size", 1, 1_000).orElse(1);

        @Override
        public List<Operation> operations() {
            return List.of(
                    Operation.source(
                            "shuffled",
                            NUMBER,
                            given ->
                                    Samplers.shuffled(given.get(SIZE), 3).shard(given.get(RANK), given.get(WORLD_SIZE)),
                            SIZE,
                            RANK,
                            WORLD_SIZE),
                    Operation.filter("thirds", NUMBER, given -> number -> number % 3 != 0),
                    Operation.seeded(
                            "jitter",
                            NUMBER,
                            NUMBER,
                            given -> (number, random) -> 1_000_000 * random.nextLong(1_000_000) + number),
                    Operation.gatherer(
                            "packs",
                            NUMBER,
                            new TypeToken<List<Long>>() {},
                            given -> Gatherers.windowFixed(100),
                            GathererState.emptyAfterEmission()));
        }
    }

    private static Operations operations() {
        return Operations.of(List.of(new StandardOperations(), new Numbers()));
    }

    @TempDir
    Path folder;

    /// Runs the first steps of each rank. Another run is recorded in a folder of its own, so the one before goes.
    private void record(String plan, Duration interval) throws Exception {
        Path record = Files.createDirectories(folder.resolve("run"));
        try (Stream<Path> before = Files.list(record)) {
            for (Path file : before.toList()) {
                Files.delete(file);
            }
        }
        for (int rank = 0; rank < RANKS; rank++) {
            RunNotes notes = RunNotes.ofData();
            PlanContext context = PlanContext.in(folder).rank(rank, RANKS).offer(RunNotes.class, notes);
            try (CompiledPlan compiled = Plan.of("plan", plan).compile(operations(), context)) {
                RunDescription description = RunDescription.of(
                        "plan",
                        plan,
                        folder,
                        rank,
                        RANKS,
                        compiled.options(),
                        operations().versions(),
                        notes);
                RunOptions options = notes.follow(compiled.pipeline(), compiled.options());
                try (Run<?> run = compiled.pipeline().start(options);
                        RunRecorder recorder = RunRecorder.open(record, description, notes, interval)) {
                    var items = run.iterator();
                    for (int step = 0; step < STEPS; step++) {
                        recorder.delivered(run, items.next());
                    }
                }
            }
        }
    }

    /// In the other process: `FOLDER SEED REBUILDS`.
    public static void main(String[] arguments) throws Exception {
        Random random = new Random(Long.parseLong(arguments[1]));
        long[] nanos = new long[Integer.parseInt(arguments[2])];
        long replayed = 0;
        long untilFirst = 0;
        for (int i = 0; i < nanos.length; i++) {
            int rank = random.nextInt(RANKS);
            int step = random.nextInt(STEPS);
            long begun = System.nanoTime();
            try (RebuiltBatch batch = RecordedRun.find(Path.of(arguments[0]), rank, step)
                    .rebuild(operations(), UnaryOperator.identity())) {
                nanos[i] = System.nanoTime() - begun;
                untilFirst = i == 0 ? processorMillis() : untilFirst;
                replayed = Math.max(replayed, batch.replayed());
                if (!batch.wasCompared()) {
                    throw new IllegalStateException("step " + step + " of rank " + rank + " was not compared");
                }
            }
        }
        long first = nanos[0];
        Arrays.sort(nanos, 1, nanos.length);
        System.out.printf(
                Locale.ROOT,
                "%,d batches of %d ranks built again in another process, all as recorded: median %.1f ms, the first, as"
                        + " the process begins, %.0f ms (%,d ms of processor time with the start of Java), the slowest of"
                        + " the others %.0f ms, at most %,d batches replayed%n",
                nanos.length,
                RANKS,
                nanos[nanos.length / 2] / 1e6,
                first / 1e6,
                untilFirst,
                nanos[nanos.length - 1] / 1e6,
                replayed);
    }

    private double bytesOfMembers() throws Exception {
        long bytes = 0;
        for (int rank = 0; rank < RANKS; rank++) {
            bytes += Files.size(folder.resolve("run").resolve("rank-" + rank + ".members"));
            bytes += Files.size(folder.resolve("run").resolve("rank-" + rank + ".blocks"));
        }
        return (double) bytes / (256L * RANKS * STEPS);
    }

    private static long processorMillis() {
        return ProcessHandle.current().info().totalCpuDuration().orElseThrow().toMillis();
    }

    /// The class path with its folders in one archive, of which alone classes can be kept.
    private String archived() throws Exception {
        List<String> entries = List.of(System.getProperty("java.class.path").split(File.pathSeparator));
        Path archive = folder.resolve("classes.jar");
        Set<String> written = new HashSet<>();
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(archive))) {
            for (String entry : entries) {
                Path root = Path.of(entry);
                if (!Files.isDirectory(root)) {
                    continue;
                }
                try (Stream<Path> files = Files.walk(root)) {
                    for (Path file : files.filter(Files::isRegularFile).toList()) {
                        String name = root.relativize(file).toString();
                        if (!name.equals("module-info.class") && written.add(name)) {
                            zip.putNextEntry(new ZipEntry(name));
                            Files.copy(file, zip);
                            zip.closeEntry();
                        }
                    }
                }
            }
        }
        return Stream.concat(
                        Stream.of(archive.toString()),
                        entries.stream().filter(entry -> !Files.isDirectory(Path.of(entry))))
                .collect(Collectors.joining(File.pathSeparator));
    }

    private String rebuilt(int rebuilds) throws Exception {
        return rebuilt(rebuilds, System.getProperty("java.class.path"));
    }

    private String rebuilt(int rebuilds, String classPath, String... options) throws Exception {
        Path output = folder.resolve("output.txt");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Dcampaign=" + CAMPAIGN,
                "-Dsteps=" + STEPS));
        command.addAll(List.of(options));
        command.addAll(List.of(
                "-cp",
                classPath,
                RebuildCampaignTest.class.getName(),
                folder.resolve("run").toString(),
                "11",
                Integer.toString(rebuilds)));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(process.waitFor(10, TimeUnit.MINUTES)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        String said = Files.readString(output);
        assertThat(process.exitValue()).as(said).isZero();
        assertThat(said).contains("all as recorded");
        return said;
    }

    @Test
    @Timeout(value = 20, unit = TimeUnit.MINUTES)
    void randomBatchesOfAnyRankAreBuiltAgainInAnotherProcess() throws Exception {
        StringBuilder results = new StringBuilder();
        record(ONE_TO_ONE, Duration.ofHours(1));
        String atOnce = rebuilt(REBUILDS);
        assertThat(atOnce).contains("at most 0 batches replayed");
        results.append("one to one, of 10^9 samples: ").append(atOnce);
        // as the program has it: ./jspdl makes one when it is built
        String archived = archived();
        String cache = folder.resolve("start.aot").toString();
        String _ = rebuilt(3, archived, "-XX:AOTCacheOutput=" + cache);
        results.append("the same with a startup cache: ").append(rebuilt(REBUILDS, archived, "-XX:AOTCache=" + cache));
        record(ONE_TO_ONE.replace("order: input", "order: completion"), Duration.ofHours(1));
        String ofMembers = rebuilt(Math.ceilDiv(REBUILDS, 10));
        assertThat(ofMembers).contains("at most 0 batches replayed");
        results.append("in completion order, %.2f bytes a sample: ".formatted(bytesOfMembers()))
                .append(ofMembers);
        record(FILTERED, Duration.ofMillis(100));
        results.append("filtered: ").append(rebuilt(Math.ceilDiv(REBUILDS, 10)));
        record(PACKED, Duration.ofMillis(100));
        results.append("packed: ").append(rebuilt(Math.ceilDiv(REBUILDS, 10)));

        System.out.print(results);
        Path campaigns = Files.createDirectories(Path.of(System.getProperty("basedir", "."), "target", "campaigns"));
        Files.writeString(campaigns.resolve("rebuild.txt"), results);
    }
}
