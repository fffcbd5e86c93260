package org.jspdl.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import java.util.stream.Gatherers;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspdl.pipeline.ByteBudget;
import org.jspdl.pipeline.Checkpoint;
import org.jspdl.pipeline.FailedItem;
import org.jspdl.pipeline.GathererState;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.PipelineException;
import org.jspdl.pipeline.Pipelines;
import org.jspdl.pipeline.QuarantineFile;
import org.jspdl.pipeline.Remainder;
import org.jspdl.pipeline.Run;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.pipeline.StageOptions;
import org.jspdl.pipeline.StoppingStrategy;
import org.jspdl.pipeline.TuningBudget;
import org.jspdl.source.Sources;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A plan gives what the same pipeline gives that is written by hand.
class PlanRunsTest {
    @TempDir
    Path folder;

    private List<Object> items(String plan) {
        try (CompiledPlan compiled = compile(plan);
                Run<?> run = compiled.start()) {
            return drain(run);
        }
    }

    private CompiledPlan compile(String plan) {
        return Plan.of("plan.yaml", plan).compile(TestOperations.known(), PlanContext.in(folder));
    }

    private static List<Object> items(Pipeline<?> pipeline, RunOptions options) {
        try (Run<?> run = pipeline.start(options)) {
            return drain(run);
        }
    }

    private static List<Object> drain(Run<?> run) {
        List<Object> items = new ArrayList<>();
        do {
            run.forEach(items::add);
        } while (run.nextEpoch());
        return items;
    }

    @Test
    void aStepHasThePriorityThatThePlanGivesIt() {
        try (CompiledPlan compiled = compile("""
                source: {range: {size: 1}}
                steps:
                  - {times: {by: 3}, cpu: 2, priority: -5}
                """)) {
            assertThat(Pipelines.parts(compiled.pipeline()).getFirst().options().priority())
                    .isEqualTo(-5);
        }
    }

    @Test
    void numbersMayBeLeftToTheTuner() {
        try (CompiledPlan compiled = compile("""
                source: {range: {size: 1}}
                steps:
                  - {times: {by: 3}, cpu: auto, buffer: auto}
                  - {times: {by: 3}, io: auto}
                """)) {
            assertThat(Pipelines.parts(compiled.pipeline()))
                    .extracting(part -> part.options().toString())
                    .containsExactly("cpu(auto).inputOrder().buffer(auto)", "io(auto).inputOrder()");
        }
    }

    @Test
    void aCheckpointOfAPlanWithOtherParametersIsRefusedWithBoth() {
        String plan = """
                source: {range: {size: 100}}
                steps:
                  - {times: {by: 3}, cpu: 2}
                  - {route: {by: {spell: {style: plain}}, when: {n0: []}, otherwise: [{times: {by: 2}}]}}
                """;
        Checkpoint checkpoint;
        try (CompiledPlan compiled = compile(plan);
                Run<?> run = compiled.start()) {
            run.iterator().next();
            checkpoint = run.checkpoint();
        }
        for (String[] change : new String[][] {
            {"by: 3", "by: 4", "step 3 was times {by: 3} and is times {by: 4}"},
            {"style: plain", "style: in-brackets", "was spell {style: PLAIN} and is spell {style: IN_BRACKETS}"},
            {"by: 2", "by: 5", "times {by: 5}"}
        }) {
            try (CompiledPlan changed = compile(plan.replace(change[0], change[1]))) {
                assertThatThrownBy(
                                () -> changed.pipeline().start(changed.options().resumeFrom(checkpoint)))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining(change[2]);
            }
        }
        try (CompiledPlan same = compile(plan.replace("cpu: 2", "cpu: 1, order: completion"));
                Run<?> run = same.pipeline().start(same.options().resumeFrom(checkpoint))) {
            assertThat(drain(run)).hasSize(99);
        }
    }

    @Test
    void resultsAndKeysMayComeLaterAndAnOperationMayOrderAMerge() {
        assertThat(items("""
                source:
                  merge:
                    by: {in-turns-of: {size: 2}}
                    of:
                      - source: {range: {size: 5}}
                      - source: {range: {size: 5}}
                        steps: [{times: {by: 10}}]
                steps:
                  - {later-twice: {}, async: 3, order: input}
                  - {route: {by: later-parity, when: {even: [{times: {by: 1}}], odd: [{times: {by: 3}}]}}, async: 4, failure: {max-attempts: 2}}
                  - {multiples: {by: 10}}
                """)).containsExactlyInAnyOrder(0L, 0L, 0L, 0L, 10L, 10L, 20L, 20L, 30L, 30L, 40L, 40L);
        assertThat(items("""
                source:
                  merge: {by: {in-turns-of: {size: 2}}, of: [{source: {range: {size: 3}}}, {source: {range: {size: 5}}}]}
                """)).containsExactly(0L, 1L, 0L, 1L, 2L, 2L, 3L, 4L);
    }

    @Test
    void stepsOfEveryKindInEpochs() {
        List<Object> planned = items("""
                source: {range: {size: 100}}
                steps:
                  - multiples: {by: 3}
                  - {jitter: {share: 0.3}, io: 3, order: input, buffer: 4}
                  - {twice: {}, cpu: 2, order: input}
                  - {windows: {size: 4}}
                  - {sum: {}, dedicated: true}
                  - batch: {batch-size: 3, drop-last: true}
                  - unbatch
                  - {times: {by: 10}, cpu: processors, order: input, deadline: 1m}
                  - spell: {style: in-brackets}
                  - batch: 7
                epochs: 2
                seed: 42
                compute-threads: 2
                prefetch: 5
                """);
        Pipeline<List<String>> written = Pipeline.from(Sources.range(100))
                .filter(number -> number % 3 == 0)
                .<Long>pipeSeeded(
                        "jitter",
                        (number, random) -> random.nextDouble() < 0.3 ? -number : number,
                        StageOptions.io(3).inputOrder().buffer(4))
                .<Long>flatMap(
                        "twice",
                        number -> List.of(number, number),
                        StageOptions.cpu(2).inputOrder())
                .aggregate("windows", Gatherers.<Long>windowFixed(4), GathererState.unsaved())
                .<Long>pipe(
                        "sum",
                        numbers -> numbers.stream().mapToLong(Long::longValue).sum(),
                        StageOptions.dedicated())
                .batch(3, Remainder.DROP)
                .<Long>unbatch(batch -> batch)
                .<Long>pipe(
                        "times",
                        number -> number * 10,
                        StageOptions.cpu(2).inputOrder().deadline(Duration.ofMinutes(1)))
                .map(number -> "[" + number + "]")
                .batch(7, Remainder.KEEP);

        assertThat(planned)
                .isEqualTo(
                        items(written, RunOptions.defaults().epochs(2).seed(42).computeThreads(2)))
                .hasSizeGreaterThan(4);
    }

    @Test
    void aRouteOfItems() {
        List<Object> planned = items("""
                source: {range: {size: 10}}
                steps:
                  - route:
                      by: parity
                      when:
                        even: [{times: {by: 100}, cpu: 2}]
                      otherwise: []
                """);

        assertThat(planned).containsExactlyInAnyOrder(0L, 200L, 400L, 600L, 800L, 1L, 3L, 5L, 7L, 9L);
    }

    @Test
    void aRouteOfTheElementsOfBatches() {
        List<Object> planned = items("""
                source: {range: {size: 6}}
                steps:
                  - batch: 3
                  - route-elements:
                      by: parity
                      when:
                        even: [{times: {by: 100}, cpu: 2}, spell]
                        odd: [spell]
                    name: by-parity
                """);

        assertThat(planned).containsExactly(List.of("n0", "n1", "n200"), List.of("n3", "n400", "n5"));
    }

    @Test
    void mergesAndMixesOfFlowsWithinEachOther() {
        List<Object> planned = items("""
                source:
                  mix:
                    seed: 5
                    weights: [3, 1]
                    stopping-strategy: first-exhausted
                    of:
                      - source: {range: {size: 50}}
                        steps: [{times: {by: 2}}]
                      - source:
                          round-robin:
                            of:
                              - source: {range: {size: 5}}
                              - source: {range: {size: 9}}
                                steps: [{times: {by: -1}}]
                """);
        Pipeline<Long> written = Pipeline.mix(5, 3, 1)
                .of(
                        StoppingStrategy.FIRST_EXHAUSTED,
                        Pipeline.from(Sources.range(50)).map(number -> number * 2),
                        Pipeline.roundRobin(
                                StoppingStrategy.ALL_EXHAUSTED,
                                Pipeline.from(Sources.range(5)),
                                Pipeline.from(Sources.range(9)).map(number -> -number)));

        assertThat(planned).isEqualTo(items(written, RunOptions.defaults())).hasSizeGreaterThan(20);
        assertThat(items("""
                source: {merge: {of: [{source: {range: {size: 3}}}, {source: {range: {size: 2}}}]}}
                """)).containsExactlyInAnyOrder(0L, 1L, 2L, 0L, 1L);
    }

    @Test
    void weightsOfAMixChangeWhereThePlanSays() {
        List<Object> planned = items("""
                source:
                  mix:
                    weights: [1, 0]
                    schedule:
                      - {from: 30, weights: [0, 1]}
                      - {from: 50, weights: [1, 1], ramp: true}
                    of:
                      - source: {range: {size: 100}}
                      - source: {range: {size: 100}}
                        steps: [{times: {by: -1}}]
                """);
        Pipeline<Long> written = Pipeline.mix(0, 1, 0)
                .then(30, 0, 1)
                .rampTo(50, 1, 1)
                .of(
                        StoppingStrategy.ALL_EXHAUSTED,
                        Pipeline.from(Sources.range(100)),
                        Pipeline.from(Sources.range(100)).map(number -> -number));

        assertThat(planned).isEqualTo(items(written, RunOptions.defaults()));
        assertThat(planned.subList(28, 33)).containsExactly(28L, 29L, 0L, -1L, -2L);
    }

    @Test
    void failuresAreSkippedAsThePlanSaysAndToldToTheQuarantine() {
        ConcurrentLinkedQueue<FailedItem> skipped = new ConcurrentLinkedQueue<>();
        String plan = """
                source: {range: {size: 20}}
                steps:
                  - {refuse: {at: 3}, name: careful, io: 1, failure: {max-failures: 1, max-attempts: 2, backoff: 1ms}}
                  - {refuse: {at: 5}, cpu: 1}
                failure: {max-failure-rate: 0.5, min-calls: 10}
                """;

        try (CompiledPlan compiled = Plan.of("plan.yaml", plan)
                        .compile(TestOperations.known(), PlanContext.in(folder).quarantine(skipped::add));
                Run<?> run = compiled.start()) {
            assertThat(drain(run)).hasSize(18).doesNotContain(3L, 5L);
        }
        assertThat(skipped).extracting(FailedItem::stage).containsExactlyInAnyOrder("careful", "refuse");
    }

    @Test
    void skippedItemsAreRecordedInTheFileThatThePlanNames() throws Exception {
        assertThat(items("""
                source: {range: {size: 5}}
                steps: [{refuse: {at: 3}, cpu: 1, failure: {max-failures: 1}}]
                quarantine: bad.jsonl
                """)).containsExactly(0L, 1L, 2L, 4L);

        assertThat(QuarantineFile.read(folder.resolve("bad.jsonl")))
                .extracting(
                        FailedItem::stage,
                        item -> item.places().getFirst().position().index())
                .containsExactly(tuple("refuse", 3L));
    }

    @Test
    void aQuarantineThatCannotBeWrittenIsSaidAtItsPlace() {
        assertThatThrownBy(() -> compile("source: {range: {size: 5}}\nquarantine: no-such-folder/bad.jsonl"))
                .hasMessageStartingWith("plan.yaml:2:13: the quarantine cannot be written: ");
    }

    private static final String SKIPPING = """
            source: {range: {size: 5}}
            steps: [{refuse: {at: 3}, cpu: 1, failure: {max-failures: 1}}]
            quarantine: '%s'
            """;

    /// Where a shell looks for commands, another program for settings, and everybody for their own files.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/etc/profile.d/jspdl.jsonl",
                "../outside.jsonl",
                "inside/../../outside.jsonl",
                "linked/bad.jsonl",
                "link.jsonl",
                "notes.jsonl",
                ".bashrc",
                ".bad.jsonl",
                "bad.sh",
                "bad",
                "..",
                ""
            })
    void aPlanWritesNoFileButAQuarantineBeneathItsFolder(String name) throws Exception {
        Path outside = Files.createDirectory(folder.resolve("outside"));
        Path plans = Files.createDirectory(folder.resolve("plans"));
        Files.createDirectory(plans.resolve("inside"));
        Path notes = Files.writeString(plans.resolve("notes.jsonl"), "{\"mine\": true}\n");
        Files.createSymbolicLink(plans.resolve("linked"), outside);
        Files.createSymbolicLink(plans.resolve("link.jsonl"), outside.resolve("bad.jsonl"));
        Set<Path> before = files();

        assertThatThrownBy(() -> Plan.of("plan.yaml", SKIPPING.formatted(name))
                        .compile(TestOperations.known(), PlanContext.in(plans)))
                .isInstanceOf(PlanException.class);

        assertThat(files()).isEqualTo(before);
        assertThat(notes).hasContent("{\"mine\": true}");
    }

    private Set<Path> files() throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.collect(Collectors.toSet());
        }
    }

    @Test
    void whoRunsAPlanMaySayWhereItsQuarantineLies() throws Exception {
        Path records = Files.createDirectory(folder.resolve("records"));
        for (String name : List.of("bad.jsonl", records.resolve("bad.jsonl").toString())) {
            try (CompiledPlan compiled = Plan.of("plan.yaml", SKIPPING.formatted(name))
                            .compile(
                                    TestOperations.known(),
                                    PlanContext.in(folder).quarantineFolder(records));
                    Run<?> run = compiled.start()) {
                assertThat(drain(run)).containsExactly(0L, 1L, 2L, 4L);
            }
        }
        assertThat(QuarantineFile.read(records.resolve("bad.jsonl"))).hasSize(2);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(records.resolve("bad.jsonl"))))
                .isEqualTo("rw-------");
    }

    @Test
    void asynchronousStepsHaveAsManyCallsUnderWayAsTheyState() {
        assertThat(items("""
                source: {range: {size: 10}}
                steps: [{later: {by: 100}, async: 4}]
                """)).isEqualTo(LongStream.range(100, 110).boxed().toList());
    }

    @Test
    void theMemoryBudgetIsTheRuns() {
        try (CompiledPlan compiled = compile("source: {range: {size: 5}}\nmemory-budget: {bytes: 1MiB, item: 2kB}")) {
            assertThat(compiled.options().byteBudget()).contains(new ByteBudget(1 << 20, 2_000));
        }
    }

    @Test
    void theTuningBudgetIsTheRuns() {
        try (CompiledPlan compiled =
                compile("source: {range: {size: 5}}\ntuning-budget: {processors: 1.5, memory: 1GiB}")) {
            assertThat(compiled.options().tuning())
                    .isEqualTo(TuningBudget.MACHINE.processors(1.5).memoryBytes(1L << 30));
        }
        try (CompiledPlan compiled = compile("source: {range: {size: 5}}\ntuning-budget: {processors: 2}")) {
            assertThat(compiled.options().tuning()).isEqualTo(TuningBudget.MACHINE.processors(2));
        }
        try (CompiledPlan compiled = compile("source: {range: {size: 5}}")) {
            assertThat(compiled.options().tuning()).isEqualTo(TuningBudget.MACHINE);
        }
    }

    @Test
    void gatherersThatAreDeclaredCanBeCheckpointed() {
        String plan = """
                source: {range: {size: 10}}
                steps: [running-sum, {packs: {size: 2}}]
                """;
        List<Object> delivered = new ArrayList<>();
        Checkpoint checkpoint;
        try (CompiledPlan compiled = compile(plan);
                Run<?> run = compiled.start()) {
            run.stream().limit(2).forEach(delivered::add);
            checkpoint = run.checkpoint();
        }
        try (CompiledPlan compiled = compile(plan);
                Run<?> run = compiled.pipeline().start(RunOptions.defaults().resumeFrom(checkpoint))) {
            delivered.addAll(drain(run));
        }
        assertThat(delivered)
                .containsExactly(
                        List.of(0L, 1L), List.of(3L, 6L), List.of(10L, 15L), List.of(21L, 28L), List.of(36L, 45L));
    }

    @Test
    void aFailureStopsTheRunUnlessThePlanSaysOtherwise() {
        assertThatThrownBy(() -> items("source: {range: {size: 20}}\nsteps: [{refuse: {at: 3}, cpu: 1, name: strict}]"))
                .isInstanceOf(PipelineException.class)
                .hasMessageContaining("strict");
    }

    @Test
    void pathsBeginAtTheFolderThatTheContextNames() throws Exception {
        Files.writeString(folder.resolve("words.txt"), "one\ntwo\n");

        assertThat(items("source: {lines: {path: words.txt}}\nepochs: 2")).containsExactly("one", "two", "one", "two");
        Files.writeString(folder.resolve("marked.txt"), "\uFEFFone\r\n\r\ntwo");
        assertThat(items("source: {lines: {path: marked.txt}}")).containsExactly("one", "", "two");
        assertThatThrownBy(() -> compile("source: {lines: {path: nowhere.txt}}"))
                .hasMessageStartingWith("plan.yaml:1:10: there is no file to read at " + folder.resolve("nowhere.txt"));
    }

    @Test
    void whatAnOperationKeepsIsClosedWithThePlan() {
        TestOperations operations = new TestOperations();
        Plan held = Plan.of("plan.yaml", "source: {range: {size: 2}}\nsteps: [held, {held: {}, cpu: 1}]");

        try (CompiledPlan compiled = held.compile(operations.withStandard(), PlanContext.in(folder))) {
            assertThat(operations.opened()).isEqualTo(2);
            assertThat(compiled.output()).hasToString("Long");
        }

        assertThat(operations.opened()).isZero();
    }
}
