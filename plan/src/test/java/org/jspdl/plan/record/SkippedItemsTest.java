package org.jspdl.plan.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.jspdl.pipeline.Checkpoint;
import org.jspdl.pipeline.PipelineException;
import org.jspdl.pipeline.Run;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.plan.CompiledPlan;
import org.jspdl.plan.Operation;
import org.jspdl.plan.OperationProvider;
import org.jspdl.plan.Operations;
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

/// Batches of a run that skipped what failed are the same when they are built again, whatever can be read since; or
/// they are refused with what fails now.
class SkippedItemsTest {
    private static final TypeToken<Long> NUMBER = TypeToken.of(Long.class);
    private static final int SIZE = 100;
    /// Numbers that could not be read when the run went on.
    private static final Set<Long> THEN = Set.of(3L, 17L, 40L, 41L, 42L, 77L, 99L);

    @TempDir
    Path folder;

    /// What cannot be read at this moment.
    private final Set<Long> broken = ConcurrentHashMap.newKeySet();

    /// `decode` fails for what is broken, `sum` for lists with something broken.
    private record Decoding(Set<Long> broken) implements OperationProvider {
        @Override
        public List<Operation> operations() {
            return List.of(
                    Operation.source("shuffled", NUMBER, _ -> Samplers.shuffled(SIZE, 3)),
                    Operation.source("sharded", NUMBER, _ -> shards()),
                    Operation.filter("odd", NUMBER, _ -> number -> number % 5 != 0),
                    Operation.function("decode", NUMBER, NUMBER, _ -> this::decoded),
                    Operation.function(
                            "sum", TypeToken.listOf(NUMBER), TypeToken.listOf(NUMBER), _ -> this::allDecoded));
        }

        private long decoded(long number) {
            if (broken.contains(number)) {
                throw new IllegalArgumentException("number " + number + " is broken");
            }
            return number;
        }

        private List<Long> allDecoded(List<Long> numbers) {
            numbers.forEach(this::decoded);
            return numbers;
        }

        private static Source<Long> shards() {
            List<Source<Long>> shards = new ArrayList<>();
            for (long first = 0; first < SIZE; first += 30) {
                long begin = first;
                Source<Long> whole = Sources.indexed(Math.min(30, SIZE - first), index -> begin + index);
                shards.add(Sources.map(whole, number -> number));
            }
            return ShardStream.of(shards).shuffled(5).interleaved(2).window(20);
        }
    }

    private Operations operations() {
        return Operations.of(List.of(new StandardOperations(), new Decoding(broken)));
    }

    private void breaks(Set<Long> numbers) {
        broken.clear();
        broken.addAll(numbers);
    }

    private record Ran(List<Object> batches, Checkpoint checkpoint) {}

    private Ran run(String plan, Duration interval, Optional<Checkpoint> from, int most) throws Exception {
        List<Object> batches = new ArrayList<>();
        RunNotes notes = RunNotes.ofData();
        try (CompiledPlan compiled = Plan.of("plan", plan)
                .compile(operations(), PlanContext.in(folder).offer(RunNotes.class, notes))) {
            RunOptions whole = compiled.options();
            RunOptions options = notes.follow(
                    compiled.pipeline(), from.map(whole::resumeFrom).orElse(whole));
            RunDescription description = RunDescription.of(
                    "plan", plan, folder, 0, 1, options, operations().versions(), notes);
            try (Run<?> run = compiled.pipeline().start(options);
                    RunRecorder recorder = RunRecorder.open(folder.resolve("run"), description, notes, interval)) {
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

    private static String plan(String steps) {
        return "source: " + steps + "\nepochs: 2\nfailure: {max-failures: 60}\n";
    }

    private Object again(long step) throws Exception {
        try (RebuiltBatch batch =
                RecordedRun.find(folder.resolve("run"), 0, step).rebuild(operations(), UnaryOperator.identity())) {
            assertThat(batch.wasCompared()).isTrue();
            return batch.batch();
        }
    }

    private void assertSame(List<Object> batches, String when) throws Exception {
        for (int step = 0; step < batches.size(); step++) {
            assertThat(again(step)).as("step %d, %s", step, when).isEqualTo(batches.get(step));
        }
        assertThat(rerun(0)).as(when).isEqualTo(batches);
    }

    private List<Object> rerun(long from) throws Exception {
        List<Object> rerun = new ArrayList<>();
        try (Rerun all = Rerun.open(folder.resolve("run"), 0, from, operations(), UnaryOperator.identity())) {
            for (Optional<Object> next = all.next(); next.isPresent(); next = all.next()) {
                rerun.add(next.get());
            }
        }
        return rerun;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{shuffled: {}}\nsteps: [{decode: {}, cpu: 3, order: input}, {batch: 7}]",
                "{shuffled: {}}\nsteps: [{decode: {}, io: 3, order: input}, {odd: {}}, {batch: 7}]",
                "{shuffled: {}}\nsteps: [{decode: {}}, {batch: 7}]",
                "{shuffled: {}}\nsteps: [{batch: 3}, {sum: {}, cpu: 2, order: input}]",
                "{shuffled: {}}\nsteps: [{batch: 3}, {sum: {}}]",
                "{sharded: {}}\nsteps: [{decode: {}, cpu: 3, order: input}, {batch: 7}]",
                "{round-robin: {of: [{source: {shuffled: {}}, steps: [{decode: {}, cpu: 2, order: input}]},"
                        + " {source: {sharded: {}}}]}}\nsteps: [{decode: {}, cpu: 2, order: input}, {batch: 7}]",
                "{shuffled: {}}\nsteps: [{decode: {}, cpu: 3, order: completion}, {batch: 7}]",
                "{shuffled: {}}\nsteps: [{decode: {}, cpu: 3, buffer: 1, defer: 1ms}, {batch: 7}]",
                "{shuffled: {}}\nsteps: [{batch: 3}, {sum: {}, cpu: 3, order: completion}]",
                "{sharded: {}}\nsteps: [{decode: {}, cpu: 3, order: completion}, {batch: 7}]"
            })
    void batchesWithoutWhatFailedAreTheSameWhateverCanBeReadSince(String steps) throws Exception {
        for (Duration interval : List.of(Duration.ofNanos(1), Duration.ofHours(1))) {
            breaks(THEN);
            List<Object> batches = run(plan(steps), interval, Optional.empty(), Integer.MAX_VALUE)
                    .batches();

            assertSame(batches, "as it was");
            breaks(Set.of());
            assertSame(batches, "mended");
            breaks(Set.of(17L, 42L));
            assertSame(batches, "some mended");
            Set<Long> more = new HashSet<>(THEN);
            more.add(50L);
            more.add(51L);
            breaks(more);
            assertRefusedIfAnother(batches, 50L, 51L);
            breaks(Set.of(50L, 51L));
            assertRefusedIfAnother(batches, 50L, 51L);
            try (var files = Files.list(folder.resolve("run"))) {
                for (Path file : files.toList()) {
                    Files.delete(file);
                }
            }
        }
    }

    private void assertRefusedIfAnother(List<Object> batches, long... brokenSince) throws Exception {
        int refused = 0;
        for (int step = 0; step < batches.size(); step++) {
            Object built;
            try {
                built = again(step);
            } catch (PipelineException | IllegalArgumentException failing) {
                assertThat(failing).as("step %d", step).hasMessageContaining("is broken");
                refused++;
                continue;
            }
            assertThat(built).as("step %d", step).isEqualTo(batches.get(step));
        }
        assertThat(refused).as("%d of them", brokenSince.length).isPositive();
        assertThatThrownBy(() -> rerun(0)).hasMessageContaining("is broken");
    }

    /// Some was mended before the run went on in another process, and all of it before batches are built again.
    @Test
    void eachProcessOfARunSkippedWhatItCouldNotRead() throws Exception {
        String plan = plan("{shuffled: {}}\nsteps: [{decode: {}, cpu: 3, order: input}, {batch: 7}]");
        for (int killed : new int[] {1, 4, 9, 14}) {
            breaks(THEN);
            Ran first = run(plan, Duration.ofHours(1), Optional.empty(), killed);
            breaks(Set.of(42L, 60L, 61L, 62L));
            List<Object> all = new ArrayList<>(first.batches());
            all.addAll(run(plan, Duration.ofHours(1), Optional.of(first.checkpoint()), Integer.MAX_VALUE)
                    .batches());

            breaks(Set.of());
            for (int step = 0; step < all.size(); step++) {
                assertThat(again(step)).as("step %d of %d", step, killed).isEqualTo(all.get(step));
            }
            for (int from : new int[] {0, 1, killed - 1, killed, killed + 1}) {
                assertThat(rerun(from)).as("from %d of %d", from, killed).isEqualTo(all.subList(from, all.size()));
            }
        }
    }

    /// The second process had read what the first could not, and the other way round, in steps that both had made.
    @Test
    void whatAKilledProcessSkippedInStepsThatWereMadeAgainIsNotSkipped() throws Exception {
        String plan = plan("{shuffled: {}}\nsteps: [{decode: {}, cpu: 3, order: input}, {batch: 7}]");
        breaks(Set.of(1L, 2L));
        Ran first = run(plan, Duration.ofHours(1), Optional.empty(), 2);
        breaks(THEN);
        run(plan, Duration.ofHours(1), Optional.of(first.checkpoint()), 9);
        breaks(Set.of(60L, 61L, 62L));
        List<Object> all = new ArrayList<>(first.batches());
        all.addAll(run(plan, Duration.ofHours(1), Optional.of(first.checkpoint()), Integer.MAX_VALUE)
                .batches());

        for (Set<Long> now : List.of(Set.<Long>of(), THEN, Set.of(60L))) {
            breaks(now);
            if (!now.equals(THEN)) {
                assertThat(rerun(0)).isEqualTo(all);
                assertThat(rerun(5)).isEqualTo(all.subList(5, all.size()));
            } else {
                assertThatThrownBy(() -> rerun(0)).hasMessageContaining("is broken");
            }
        }
    }

    /// A trainer asked for two epochs of a plan that says one.
    @ParameterizedTest
    @ValueSource(strings = {"input", "completion"})
    void aRerunHasTheEpochsThatTheTrainerHad(String order) throws Exception {
        String plan = plan("{shuffled: {}}\nsteps: [{decode: {}, cpu: 3, order: " + order + "}, {batch: 7}]");
        breaks(THEN);
        List<Object> batches = run(plan, Duration.ofHours(1), Optional.empty(), Integer.MAX_VALUE)
                .batches();
        Path file = folder.resolve("run").resolve("rank-0.jsonl");
        Files.writeString(file, Files.readString(file).replace("epochs: 2", "epochs: 1"));
        breaks(Set.of());

        assertThat(rerun(0)).isEqualTo(batches);
        assertThat(rerun(20)).isEqualTo(batches.subList(20, batches.size()));
    }

    /// Neither is a record of another format read, nor is one gone on with.
    @ParameterizedTest
    @ValueSource(longs = {3, 5})
    void recordsOfOtherFormatsAreRefused(long format) throws Exception {
        String plan = plan("{shuffled: {}}\nsteps: [{decode: {}, cpu: 3, order: completion}, {batch: 7}]");
        Ran ran = run(plan, Duration.ofHours(1), Optional.empty(), 4);
        Path file = folder.resolve("run").resolve("rank-0.jsonl");
        Files.writeString(file, Files.readString(file).replace("\"jspdl_run\":4", "\"jspdl_run\":" + format));
        byte[] members = Files.readAllBytes(folder.resolve("run").resolve("rank-0.members"));
        byte[] sums = Files.readAllBytes(folder.resolve("run").resolve("rank-0.sums"));

        assertThatThrownBy(() -> again(1))
                .hasMessageContaining("line 1")
                .hasMessageContaining("format " + format)
                .hasMessageContaining("format 4 only");
        for (Optional<Checkpoint> from : List.of(Optional.<Checkpoint>empty(), Optional.of(ran.checkpoint()))) {
            assertThatThrownBy(() -> run(plan, Duration.ofHours(1), from, 4))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("format " + format)
                    .hasMessageContaining("name another folder");
        }
        assertThat(folder.resolve("run").resolve("rank-0.members")).hasBinaryContent(members);
        assertThat(folder.resolve("run").resolve("rank-0.sums")).hasBinaryContent(sums);
    }

    @Test
    void aRecordThatDoesNotSayWhatWasSkippedIsComparedAlone() throws Exception {
        String plan = plan("{shuffled: {}}\nsteps: [{decode: {}, cpu: 3, order: input}, {batch: 7}]");
        breaks(THEN);
        List<Object> batches = run(plan, Duration.ofHours(1), Optional.empty(), Integer.MAX_VALUE)
                .batches();
        Path file = folder.resolve("run").resolve("rank-0.jsonl");
        List<String> lines = Files.readAllLines(file);
        assertThat(lines).anyMatch(line -> line.startsWith("{\"skipped\":[[\"decode\",0,0,"));
        Files.write(
                file,
                lines.stream().filter(line -> !line.startsWith("{\"skipped\"")).toList());

        assertThat(again(4)).isEqualTo(batches.get(4));
        breaks(Set.of());
        assertThatThrownBy(() -> again(batches.size() - 1)).hasMessageContaining("is not what the run had");
        Files.write(file, List.of(lines.getFirst(), "{\"skipped\":[[\"decode\",0,0]]}"));
        assertThatThrownBy(() -> again(4)).hasMessageContaining("line 2").hasMessageContaining("no valid 'skipped'");
    }
}
