package org.jspdl.plan.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Gatherers;
import java.util.stream.Stream;
import org.jspdl.pipeline.Checkpoint;
import org.jspdl.pipeline.GathererState;
import org.jspdl.pipeline.Run;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.pipeline.mixture.LiveMixture;
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
import org.jspdl.source.ShardStream;
import org.jspdl.source.Source;
import org.jspdl.source.Sources;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecordedRunTest {
    private static final TypeToken<Long> NUMBER = TypeToken.of(Long.class);
    private static final String ONE_TO_ONE = """
            source: {shuffled: {size: 100}}
            steps: [{jitter: {}, cpu: 2, order: input}, {batch: 7}]
            epochs: 3
            """;
    private static final String FILTERED_AND_PACKED = """
            source: {shuffled: {size: 100}}
            steps: [{odd: {}}, {jitter: {}, cpu: 2, order: input}, {packs: {}}]
            epochs: 3
            """;

    private static final String SHARDED = """
            source: {sharded: {size: 100}}
            steps: [{jitter: {}, cpu: 2, order: input}, {odd: {}}, {batch: 7}]
            epochs: 3
            """;
    private static final String MIXED = """
            source:
              mix:
                weights: [2, 1, 1]
                of:
                  - source: {shuffled: {size: 60}}
                  - source: {sharded: {size: 50}}
                    steps: [{odd: {}}]
                  - source: {sharded: {size: 30}}
                    steps: [{jitter: {}, cpu: 2, order: input}]
            steps: [{jitter: {}, cpu: 2, order: input}, {batch: 7}]
            epochs: 2
            """;
    private static final String MIXED_IN_TURNS = """
            source:
              round-robin:
                of:
                  - source: {shuffled: {size: 40}}
                    steps: [{jitter: {}, cpu: 2, order: input}]
                  - source:
                      merge:
                        of:
                          - source: {sharded: {size: 50}}
                          - source: {shuffled: {size: 20}}
            steps: [{batch: 6}]
            epochs: 2
            """;

    private static final String LIVE = """
            source:
              mix:
                weights: [1, 0]
                changes: weights.jsonl
                of:
                  - source: {shuffled: {size: 100}}
                  - source: {shuffled: {size: 100}}
                    steps: [{odd: {}}]
            steps: [{jitter: {}, cpu: 2, order: input}, {batch: 7}]
            epochs: 2
            """;

    @TempDir
    Path folder;

    /// A shuffled source, randomness, a filter and packing; `decoder` stands for what items depend on.
    private record Few(String decoder) implements OperationProvider {
        private static final Parameter<Long> SIZE = Parameter.whole("size", 0, Long.MAX_VALUE);

        @Override
        public List<Operation> operations() {
            return List.of(
                    Operation.source("shuffled", NUMBER, given -> Samplers.shuffled(given.get(SIZE), 3), SIZE),
                    Operation.source("sharded", NUMBER, given -> shards(given.get(SIZE)), SIZE),
                    Operation.filter("odd", NUMBER, given -> number -> number % 3 != 0),
                    Operation.seeded(
                            "jitter",
                            NUMBER,
                            NUMBER,
                            given -> (number, random) -> 1_000 * random.nextLong(1_000_000) + number),
                    Operation.gatherer(
                            "packs",
                            NUMBER,
                            new TypeToken<List<Long>>() {},
                            given -> Gatherers.windowFixed(5),
                            GathererState.emptyAfterEmission()));
        }

        /// Shards that do not say how many items they have, in windows.
        private static Source<Long> shards(long size) {
            List<Source<Long>> shards = new ArrayList<>();
            for (long first = 0; first < size; first += 30) {
                long begin = first;
                Source<Long> whole = Sources.indexed(Math.min(30, size - first), index -> 1_000 + begin + index);
                shards.add(Sources.map(whole, number -> number));
            }
            return ShardStream.of(shards).shuffled(5).interleaved(2).window(20);
        }

        @Override
        public Map<String, String> versions() {
            return Map.of("decoder", decoder);
        }
    }

    private static Operations operations(String decoder) {
        return Operations.of(List.of(new StandardOperations(), new Few(decoder)));
    }

    /// Runs a plan until it has delivered `most` batches, and returns them, with the checkpoint behind them.
    private record Ran(List<Object> batches, Checkpoint checkpoint) {}

    private Ran run(String plan, Duration interval, Optional<Checkpoint> from, int most) throws Exception {
        return run(plan, interval, from, most, List.of());
    }

    private Ran run(String plan, Duration interval, Optional<Checkpoint> from, int most, List<Long> leftOut)
            throws Exception {
        List<Object> batches = new ArrayList<>();
        RunNotes notes = RunNotes.ofData();
        try (CompiledPlan compiled = Plan.of("plan", plan)
                .compile(operations("1.0"), PlanContext.in(folder).offer(RunNotes.class, notes))) {
            RunOptions whole = compiled.options().leaveOut(leftOut);
            RunOptions options = notes.follow(
                    compiled.pipeline(), from.map(whole::resumeFrom).orElse(whole));
            RunDescription description = RunDescription.of(
                    "plan", plan, folder, 0, 1, options, operations("1.0").versions(), notes);
            try (Run<?> run = compiled.pipeline().start(options);
                    RunRecorder recorder = RunRecorder.open(folder.resolve("run"), description, notes, interval)) {
                LiveMixture.watch(run);
                do {
                    var left = run.iterator();
                    while (batches.size() < most && left.hasNext()) {
                        batches.add(left.next());
                        recorder.delivered(run, batches.getLast());
                    }
                } while (batches.size() < most && run.nextEpoch());
                return new Ran(batches, run.checkpoint());
            }
        }
    }

    private Object again(long step) throws Exception {
        try (RebuiltBatch batch =
                RecordedRun.find(folder.resolve("run"), 0, step).rebuild(operations("1.0"), UnaryOperator.identity())) {
            return batch.batch();
        }
    }

    @Test
    void twoRunsAtOnceDoNotWriteOneRecord() throws Exception {
        RunNotes notes = RunNotes.ofData();
        try (CompiledPlan compiled = Plan.of("plan", ONE_TO_ONE)
                .compile(operations("1.0"), PlanContext.in(folder).offer(RunNotes.class, notes))) {
            RunOptions options = notes.follow(compiled.pipeline(), compiled.options());
            RunDescription description = RunDescription.of(
                    "plan", ONE_TO_ONE, folder, 0, 1, options, operations("1.0").versions(), notes);
            try (RunRecorder _ = RunRecorder.open(folder, description, notes, Duration.ofHours(1))) {
                assertThatThrownBy(() -> RunRecorder.open(folder, description, notes, Duration.ofHours(1))
                                .close())
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("another run that goes on records rank 0 there");
            }
            RunRecorder.open(folder, description, notes, Duration.ofHours(1)).close();
        }
    }

    @Test
    void aBatchThatFollowsFromItsNumberIsBuiltAtOnce() throws Exception {
        List<Object> batches = run(ONE_TO_ONE, Duration.ofHours(1), Optional.empty(), Integer.MAX_VALUE)
                .batches();

        assertThat(batches).hasSize(45);
        for (int step = 0; step < batches.size(); step++) {
            try (RebuiltBatch batch = RecordedRun.find(folder.resolve("run"), 0, step)
                    .rebuild(operations("1.0"), UnaryOperator.identity())) {
                assertThat(batch.batch()).as("step %d", step).isEqualTo(batches.get(step));
                assertThat(batch.replayed()).isZero();
                assertThat(batch.epoch()).isEqualTo(step / 15);
            }
        }
    }

    @Test
    void aBatchOfALiveMixIsBuiltWithTheWeightsThatItHad() throws Exception {
        Path weights = folder.resolve("weights.jsonl");
        Files.writeString(weights, """
                {"step": 3, "weights": [0.2, 0.8]}
                {"step": 11, "weights": [0.9, 0.1]}
                {"step": 26, "weights": [0, 1]}
                """);
        List<Object> batches = run(LIVE, Duration.ofHours(1), Optional.empty(), Integer.MAX_VALUE)
                .batches();
        Files.delete(weights);

        assertThat(batches).hasSize(48);
        for (int step = 0; step < batches.size(); step++) {
            try (RebuiltBatch batch = RecordedRun.find(folder.resolve("run"), 0, step)
                    .rebuild(operations("1.0"), UnaryOperator.identity())) {
                assertThat(batch.batch()).as("step %d", step).isEqualTo(batches.get(step));
                int from = step < 3 ? 0 : step < 11 ? 3 : step < 26 ? 11 : 26;
                assertThat(batch.replayed()).as("step %d", step).isEqualTo(step - from);
                assertThat(batch.wasCompared()).isTrue();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"input", "completion"})
    void aRerunPassesOverStepsThatWereLeftOut(String order) throws Exception {
        String plan = ONE_TO_ONE.replace("order: input", "order: " + order);
        List<Object> batches = run(plan, Duration.ofHours(1), Optional.empty(), Integer.MAX_VALUE, List.of(0L, 20L))
                .batches();
        List<Object> again = new ArrayList<>();
        try (Rerun rerun = Rerun.open(folder.resolve("run"), 0, 0, operations("1.0"), UnaryOperator.identity())) {
            rerun.next().ifPresent(again::add);
            assertThat(rerun.step()).isEqualTo(2);
            for (Optional<Object> next = rerun.next(); next.isPresent(); next = rerun.next()) {
                again.add(next.get());
            }
        }
        assertThat(again).isEqualTo(batches);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "steps: [{jitter: {}, cpu: 4}, {batch: 7}]",
                "steps: [{jitter: {}, cpu: 4, order: completion}, {batch: 7}]",
                "steps: [{jitter: {}, cpu: 4, buffer: 1, defer: 1ms}, {odd: {}}, {batch: 7}]",
                "steps: [{odd: {}}, {jitter: {}, cpu: 4}, {batch: 7}]",
                "steps: [{jitter: {}, cpu: 4, order: input}, {packs: {}}]",
                "steps: [{odd: {}}, {jitter: {}, cpu: 2, order: input}, {batch: {batch-size: 6, drop-last: true}}]"
            })
    void aRerunHasTheSameBatchesWhetherTimeHadDecidedThemOrNot(String steps) throws Exception {
        String plan = "source: {shuffled: {size: 100}}\n" + steps + "\nepochs: 3\n";
        List<Object> batches = run(plan, Duration.ofMillis(1), Optional.empty(), Integer.MAX_VALUE)
                .batches();

        for (int from : new int[] {0, 1, 16, batches.size() - 1}) {
            List<Object> again = new ArrayList<>();
            try (Rerun rerun =
                    Rerun.open(folder.resolve("run"), 0, from, operations("1.0"), UnaryOperator.identity())) {
                for (Optional<Object> next = rerun.next(); next.isPresent(); next = rerun.next()) {
                    again.add(next.get());
                }
                assertThat(rerun.step()).isEqualTo(batches.size());
            }
            assertThat(again).isEqualTo(batches.subList(from, batches.size()));
        }
        assertThatThrownBy(() -> Rerun.open(folder.resolve("run"), 0, 0, operations("2.0"), UnaryOperator.identity()))
                .hasMessageContaining("decoder was 1.0 and is 2.0");
    }

    /// The record of a run that was killed, then all of it again, then the rest of the epochs.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "1 steps: [{jitter: {}, cpu: 4}, {batch: 7}]",
                "1 steps: [{jitter: {}, cpu: 4, order: completion}, {batch: 7}]",
                "1 steps: [{jitter: {}, io: 4, buffer: 1, defer: 1ms}, {batch: 7}]",
                "3600000 steps: [{jitter: {}, io: 4, buffer: 1, defer: 1ms}, {batch: 7}]",
                "3600000 steps: [{odd: {}}, {jitter: {}, cpu: 4, order: completion}, {batch: 7}]",
                "3600000 steps: [{jitter: {}, cpu: 4}, {batch: 7}]",
                "1 steps: [{odd: {}}, {jitter: {}, cpu: 4}, {batch: 7}]",
                "3600000 steps: [{odd: {}}, {jitter: {}, cpu: 4}, {batch: 7}]",
                "1 steps: [{jitter: {}, cpu: 4, order: input}, {packs: {}}]",
                "3600000 steps: [{odd: {}}, {jitter: {}, cpu: 2, order: input}, {batch: 6}]"
            })
    void aRerunEndsWhereTrainingGoesOn(String given) throws Exception {
        String[] parts = given.split(" ", 2);
        String plan = "source: {shuffled: {size: 100}}\n" + parts[1] + "\nepochs: 3\n";
        Duration interval = Duration.ofMillis(Long.parseLong(parts[0]));
        List<Object> whole = unordered(
                run(plan, interval, Optional.empty(), Integer.MAX_VALUE).batches());
        for (int killed : new int[] {1, 3, 9, 17}) {
            Path record = folder.resolve("run");
            try (Stream<Path> files = Files.list(record)) {
                for (Path file : files.toList()) {
                    Files.delete(file);
                }
            }
            List<Object> all = new ArrayList<>(
                    run(plan, interval, Optional.empty(), killed).batches());
            Checkpoint end;
            try (Rerun rerun = Rerun.open(record, 0, 0, operations("1.0"), UnaryOperator.identity())) {
                if (killed > 1) {
                    assertThatThrownBy(rerun::checkpoint).hasMessageContaining("take all steps first");
                }
                for (Object batch : all) {
                    assertThat(rerun.next()).contains(batch);
                }
                assertThat(rerun.next()).isEmpty();
                end = rerun.checkpoint();
                assertThat(end.delivered()).isEqualTo(all.size());
            }
            all.addAll(run(plan, interval, Optional.of(end), Integer.MAX_VALUE).batches());
            assertThat(unordered(all)).as("killed after %d steps", killed).isEqualTo(whole);
        }
    }

    /// The samples of all batches.
    private static List<Object> unordered(List<Object> batches) {
        return batches.stream()
                .flatMap(batch -> ((List<?>) batch).stream())
                .map(Object.class::cast)
                .sorted(Comparator.comparing(Object::toString))
                .toList();
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 3_600})
    void aBatchOfAFilterAndOfPackingIsBuiltFromTheLastCheckpoint(long seconds) throws Exception {
        List<Object> batches = run(
                        FILTERED_AND_PACKED, Duration.ofSeconds(seconds), Optional.empty(), Integer.MAX_VALUE)
                .batches();

        for (int step = 0; step < batches.size(); step++) {
            try (RebuiltBatch batch = RecordedRun.find(folder.resolve("run"), 0, step)
                    .rebuild(operations("1.0"), UnaryOperator.identity())) {
                assertThat(batch.batch()).as("step %d", step).isEqualTo(batches.get(step));
                assertThat(batch.replayed()).isEqualTo(seconds == 0 ? 0 : step);
            }
        }
    }

    @Test
    void stepsGoOnBeingCountedWhenARunResumesWhateverAKilledProcessLeftOfALine() throws Exception {
        Ran first = run(FILTERED_AND_PACKED, Duration.ZERO, Optional.empty(), 9);
        Path file = folder.resolve("run").resolve("rank-0.jsonl");
        Files.writeString(file, "{\"step\":10,\"checkp", StandardOpenOption.APPEND);
        Ran second = run(FILTERED_AND_PACKED, Duration.ofHours(1), Optional.of(first.checkpoint()), Integer.MAX_VALUE);
        List<Object> all = new ArrayList<>(first.batches());
        all.addAll(second.batches());

        for (int step : new int[] {0, 8, 9, 10, 20, all.size() - 1}) {
            assertThat(again(step)).as("step %d", step).isEqualTo(all.get(step));
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 3_600})
    void stepsThatARunLeavesOutKeepTheirNumbers(long seconds) throws Exception {
        Duration interval = Duration.ofSeconds(seconds);
        List<Object> all = run(FILTERED_AND_PACKED, interval, Optional.empty(), Integer.MAX_VALUE)
                .batches();
        List<Object> left = run(FILTERED_AND_PACKED, interval, Optional.empty(), Integer.MAX_VALUE, List.of(0L, 5L, 6L))
                .batches();

        List<Object> expected = new ArrayList<>(all);
        expected.removeAll(List.of(all.get(0), all.get(5), all.get(6)));
        assertThat(left).isEqualTo(expected);
        for (int step = 0; step < all.size(); step++) {
            try (RebuiltBatch batch = RecordedRun.find(folder.resolve("run"), 0, step)
                    .rebuild(operations("1.0"), UnaryOperator.identity())) {
                assertThat(batch.batch()).as("step %d", step).isEqualTo(all.get(step));
                assertThat(batch.wasCompared())
                        .as("step %d", step)
                        .isEqualTo(!List.of(0, 5, 6).contains(step));
            }
        }
    }

    @Test
    void aListOfStepsIsReadWithItsCommentsAndRefusedByTheLine() throws Exception {
        Path list = folder.resolve("bad.txt");
        SkipList.add(list, 81_203, "rank 3 of last-week");
        SkipList.add(list, 7, "rank 0 of last-week");
        SkipList.add(list, 81_203, "again");

        assertThat(Files.readString(list)).isEqualTo("81203 # rank 3 of last-week\n7 # rank 0 of last-week\n");
        assertThat(SkipList.read(list)).containsExactly(7L, 81_203L);
        Files.writeString(list, "\n# none\n12\nx");
        assertThatThrownBy(() -> SkipList.read(list)).hasMessageContaining("line 4: 'x'");
        Files.writeString(list, "1\n-12\n");
        assertThatThrownBy(() -> SkipList.read(list)).hasMessageContaining("line 2");
    }

    @Test
    void aListOfSamplesKeepsAnyNameAndIsRefusedByTheLine() throws Exception {
        Path list = folder.resolve("bad.txt");
        String odd = "a folder/\"one\" # of \\ mine\n.jpg";
        SkipList.add(list, odd, "sample 3 of step 5");
        SkipList.add(list, 12, "rank 0");
        SkipList.add(list, odd, "again");
        Files.writeString(list, "  sample   \"b\"  \nsample \"c\"#\n", StandardOpenOption.APPEND);

        assertThatThrownBy(() -> SkipList.read(list)).hasMessageContaining("also samples, such as '");
        assertThat(SkipList.of(list))
                .isEqualTo(new SkipList(new TreeSet<>(List.of(12L)), new TreeSet<>(List.of(odd, "b", "c"))));
        for (String wrong : List.of(
                "sample b", "sample \"b", "sample \"b\" c", "sample \"b\\", "sample \"\\x\"", "sample 1", "sample")) {
            Files.writeString(list, "1\n" + wrong + "\n");
            assertThatThrownBy(() -> SkipList.read(list))
                    .as(wrong)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("line 2");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {ONE_TO_ONE, FILTERED_AND_PACKED, SHARDED, MIXED, MIXED_IN_TURNS})
    void whatTimePutTogetherIsBuiltFromItsMembersAlsoBehindAResume(String plan) throws Exception {
        String timed = plan.replace("order: input", "order: completion").replace("cpu: 2", "cpu: 6");
        Ran first = run(timed, Duration.ofHours(1), Optional.empty(), 9);
        Ran second = run(timed, Duration.ofHours(1), Optional.of(first.checkpoint()), Integer.MAX_VALUE);
        List<Object> all = new ArrayList<>(first.batches());
        all.addAll(second.batches());

        for (int step = 0; step < all.size(); step++) {
            try (RebuiltBatch batch = RecordedRun.find(folder.resolve("run"), 0, step)
                    .rebuild(operations("1.0"), UnaryOperator.identity())) {
                assertThat(batch.batch()).as("step %d", step).isEqualTo(all.get(step));
                assertThat(batch.replayed()).isZero();
                assertThat(batch.wasCompared()).isTrue();
            }
        }
    }

    @Test
    void whatTimePutTogetherAndARecordLacksIsRefusedByTheNameOfTheStage() throws Exception {
        String timed = ONE_TO_ONE.replace("order: input", "order: completion");
        int delivered = run(timed, Duration.ZERO, Optional.empty(), 9).batches().size();
        Files.delete(folder.resolve("run").resolve("rank-0.members"));

        assertThat(delivered).isEqualTo(9);
        assertThatThrownBy(() -> again(5))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("stage 'jitter' delivers in completion order")
                .hasMessageContaining("does not have what step 5 was made of");
    }

    @Test
    void membersThatWereCutOffOrDamagedAreNotTakenForOthers() throws Exception {
        String timed = ONE_TO_ONE.replace("order: input", "order: completion");
        List<Object> batches =
                run(timed, Duration.ofHours(1), Optional.empty(), 30).batches();
        Path members = folder.resolve("run").resolve("rank-0.members");
        byte[] whole = Files.readAllBytes(members);

        Files.write(members, Arrays.copyOf(whole, whole.length / 2));
        assertThat(again(3)).isEqualTo(batches.get(3));
        assertThatThrownBy(() -> again(29)).hasMessageContaining("does not have what step 29 was made of");
        for (int at = 0; at < whole.length; at += 7) {
            byte[] damaged = whole.clone();
            damaged[at] ^= (byte) (1 << at % 8);
            Files.write(members, damaged);
            Object built = null;
            try {
                built = again(20);
            } catch (IllegalArgumentException refused) {
                continue;
            }
            assertThat(built).as("byte %d", at).isEqualTo(batches.get(20));
        }
    }

    @Test
    void anotherVersionOfADecoderIsRefusedByName() throws Exception {
        int delivered =
                run(ONE_TO_ONE, Duration.ZERO, Optional.empty(), 3).batches().size();
        RecordedRun recorded = RecordedRun.find(folder.resolve("run"), 0, 1);

        assertThat(delivered).isEqualTo(3);
        assertThatThrownBy(() -> recorded.rebuild(operations("1.1"), UnaryOperator.identity()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("decoder was 1.0 and is 1.1");
    }

    @Test
    void aRecordThatIsMissingOrOfSomethingElseIsRefused() throws Exception {
        assertThatThrownBy(() -> RecordedRun.find(folder, 3, 0)).hasMessageContaining("no record of rank 3");
        Files.writeString(folder.resolve("rank-0.jsonl"), "[1]\n");
        assertThatThrownBy(() -> RecordedRun.find(folder, 0, 0)).hasMessageContaining("line 1");
        Files.writeString(folder.resolve("rank-0.jsonl"), "{\"jspdl_run\":9}\n");
        assertThatThrownBy(() -> RecordedRun.find(folder, 0, 0)).hasMessageContaining("format 9");
        Files.writeString(folder.resolve("rank-0.jsonl"), "");
        assertThatThrownBy(() -> RecordedRun.find(folder, 0, 0)).hasMessageContaining("no step 0");
    }

    @Test
    void aRecordIsGoneOnWithWhereverItsFirstLineWasCut() throws Exception {
        String plan = ONE_TO_ONE + "# gr\u00f6\u00dfer, \u6570\ud83c\udfb2\n";
        List<Object> batches =
                run(plan, Duration.ofHours(1), Optional.empty(), 3).batches();
        Path file = folder.resolve("run/rank-0.jsonl");
        byte[] whole = Files.readAllBytes(file);
        int begin = 0;
        while (whole[begin] >= 0) {
            begin++;
        }

        for (int cut = begin - 1; cut < begin + 16; cut++) {
            Files.write(file, Arrays.copyOf(whole, cut));
            assertThat(run(plan, Duration.ofHours(1), Optional.empty(), 3).batches())
                    .isEqualTo(batches);
            assertThat(again(2)).as("cut at %d", cut).isEqualTo(batches.get(2));
        }
        for (int cut : new int[] {0, 1, 5, 12, 14}) {
            Files.write(file, Arrays.copyOf(whole, cut));
            assertThat(run(plan, Duration.ofHours(1), Optional.empty(), 3).batches())
                    .isEqualTo(batches);
            assertThat(again(2)).as("cut at %d", cut).isEqualTo(batches.get(2));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"notes of mine\n", "{\"jspdl_ran\": 4}\n", "[]", "{\"jspdl_run\":4", "\0\0\0"})
    void aFileThatIsNoRecordIsNotWrittenTo(String content) throws Exception {
        Path file = Files.createDirectory(folder.resolve("run")).resolve("rank-0.jsonl");
        Files.writeString(file, content);
        boolean isBegun = content.startsWith("{\"jspdl_run\""); // by a process that was killed

        if (isBegun) {
            run(ONE_TO_ONE, Duration.ofHours(1), Optional.empty(), 3);
        } else {
            assertThatThrownBy(() -> run(ONE_TO_ONE, Duration.ofHours(1), Optional.empty(), 3))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("the run can't be recorded in " + folder.resolve("run"))
                    .hasMessageContaining("is no record of a run")
                    .hasMessageContaining("name another folder");
            assertThat(file).content().isEqualTo(content);
        }
    }

    @Test
    void theRecordOfAnotherRunIsNotBegunAnew() throws Exception {
        List<Object> batches =
                run(ONE_TO_ONE, Duration.ofHours(1), Optional.empty(), 9).batches();

        assertThatThrownBy(() -> run(FILTERED_AND_PACKED, Duration.ofHours(1), Optional.empty(), 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("there is the record of another run, 'plan' of ")
                .hasMessageContaining("name another folder");
        assertThat(again(8)).isEqualTo(batches.get(8));
        assertThat(run(ONE_TO_ONE, Duration.ofHours(1), Optional.empty(), 3).batches())
                .isEqualTo(batches.subList(0, 3));
        assertThat(again(2)).isEqualTo(batches.get(2));
    }

    @ParameterizedTest
    @ValueSource(strings = {"rank-0.jsonl", "rank-0.sums", "rank-0.members", "rank-0.blocks"})
    void aPipeIsNotRecordedToAndARecordWithoutItCanBegin(String name) throws Exception {
        Path pipe = Files.createDirectory(folder.resolve("run")).resolve(name);
        new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor();
        String timed = ONE_TO_ONE.replace("order: input", "order: completion");

        assertThatThrownBy(() -> run(timed, Duration.ofHours(1), Optional.empty(), 3))
                .isInstanceOf(FileSystemException.class)
                .hasMessage(pipe + ": it is no file but a pipe or a socket");
        Files.delete(pipe);
        assertThat(run(timed, Duration.ofHours(1), Optional.empty(), 3).batches())
                .hasSize(3);
    }
}
