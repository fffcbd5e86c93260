package org.jspdl.pipeline.mixture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspdl.leakcheck.LeakCheck;
import org.jspdl.pipeline.Checkpoint;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.Remainder;
import org.jspdl.pipeline.Run;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.pipeline.StoppingStrategy;
import org.jspdl.source.Samplers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// Changes of weights that are read from a file.
@ExtendWith(LeakCheck.class)
class WeightFileTest {
    @TempDir
    Path folder;

    private Pipeline<List<Long>> mixed(int rank, int worldSize) {
        return Pipeline.mix(3, 1, 0)
                .live(folder.resolve("weights.jsonl"))
                .of(
                        StoppingStrategy.ALL_EXHAUSTED,
                        Pipeline.from(Samplers.shuffled(90_000, 1).shard(rank, worldSize)),
                        Pipeline.from(Samplers.shuffled(90_000, 2).shard(rank, worldSize))
                                .map(item -> 100_000 + item))
                .batch(10, Remainder.DROP);
    }

    private void add(String line) throws Exception {
        Files.writeString(folder.resolve("weights.jsonl"), line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    private static boolean isOfSecond(List<Long> batch) {
        return batch.stream().allMatch(item -> item >= 100_000);
    }

    @Test
    void linesThatComeWhileTheRunGoesOnChangeItsWeights() throws Exception {
        List<List<Long>> first = new ArrayList<>();
        List<Checkpoint> middle = new ArrayList<>();
        try (Run<List<Long>> run = mixed(0, 1).start()) {
            LiveMixture.watch(run);
            Iterator<List<Long>> items = run.iterator();
            for (int step = 0; step < 30; step++) {
                if (step == 3) {
                    add("{\"step\": 10, \"weights\": [0, 1]}\n{\"step\": 2");
                }
                if (step == 12) {
                    add("0, \"weights\": [1, 0]}\n");
                }
                if (step == 15) {
                    middle.add(run.checkpoint());
                }
                first.add(items.next());
                assertThat(isOfSecond(first.getLast())).as("step %d", step).isEqualTo(step >= 10 && step < 20);
            }
        }
        try (Run<List<Long>> run = mixed(0, 1).start(RunOptions.defaults().resumeFrom(middle.getFirst()))) {
            LiveMixture.watch(run);
            Iterator<List<Long>> items = run.iterator();
            for (int step = 15; step < 30; step++) {
                assertThat(items.next()).as("step %d", step).isEqualTo(first.get(step));
            }
        }
    }

    @Test
    void ranksAgreeOnTheStepOfALineWithoutOne() throws Exception {
        int ranks = 3;
        CyclicBarrier barrier = new CyclicBarrier(ranks);
        List<Future<List<WeightChange>>> results = new ArrayList<>();
        try (ExecutorService trainers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int each = 0; each < ranks; each++) {
                int rank = each;
                results.add(trainers.submit(() -> train(rank, ranks, barrier)));
            }
            List<WeightChange> common = results.getFirst().get();
            assertThat(common).hasSize(2);
            for (Future<List<WeightChange>> result : results) {
                assertThat(result.get()).isEqualTo(common);
            }
        }
    }

    /// Ranks that wait for each other at each step, as trainers do.
    private List<WeightChange> train(int rank, int ranks, CyclicBarrier barrier) throws Exception {
        try (Run<List<Long>> run = mixed(rank, ranks).start()) {
            LiveMixture.watch(run);
            Iterator<List<Long>> items = run.iterator();
            for (int step = 0; step < 60; step++) {
                List<Long> batch = items.next();
                List<WeightChange> changes = LiveMixture.of(run).changes();
                assertThat(isOfSecond(batch)).isEqualTo(changes.size() == 1);
                if (rank == 1 && step == 5) {
                    add("{\"weights\": [0, 1]}\n");
                }
                if (rank == 2 && step == 30) {
                    add("{\"weights\": [1, 0]}\n");
                }
                barrier.await();
            }
            return LiveMixture.of(run).changes();
        }
    }

    @Test
    void whatAnEarlierRunOfOneRankHasLeftDecidesNothing() throws Exception {
        Files.writeString(folder.resolve("weights.jsonl.1.rank-0-of-1"), "{\"step\": 25, \"weights\": [0, 1]}\n");
        add("{\"weights\": [0, 1]}\n");
        try (Run<List<Long>> run = mixed(0, 1).start()) {
            LiveMixture.watch(run);

            assertThat(isOfSecond(run.iterator().next())).isTrue();
        }
    }

    @Test
    void whatAnEarlierRunOfSeveralRanksHasLeftIsRefusedByName() throws Exception {
        Path left = folder.resolve("weights.jsonl.7.rank-1-of-2");
        Files.writeString(left, "{\"step\": 25, \"weights\": [0, 1]}\n");
        try (Run<List<Long>> run = mixed(1, 2).start()) {
            LiveMixture.watch(run);
            assertThatThrownBy(() -> run.iterator().next())
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining(left + " is of an earlier run")
                    .hasMessageContaining("remove weights.jsonl.*.rank-*");
        }
        try (Run<List<Long>> run = mixed(0, 2).start()) { // whose own are gone, or were never written
            LiveMixture.watch(run);
            assertThat(run.iterator().next()).isNotEmpty();
        }
    }

    @Test
    void aRunThatResumesBeforeTheAgreedStepChangesAtIt() throws Exception {
        List<List<Long>> first = new ArrayList<>();
        Checkpoint before = null;
        Files.writeString(folder.resolve("weights.jsonl.1.rank-0-of-2"), "{\"step\": 20, \"weights\": [0, 1.0]}\n");
        try (Run<List<Long>> run = mixed(1, 2).start()) {
            LiveMixture.watch(run);
            Iterator<List<Long>> items = run.iterator();
            for (int step = 0; step < 30; step++) {
                if (step == 5) {
                    add("{\"weights\": [0, 1]}\n");
                }
                if (step == 10) {
                    before = run.checkpoint();
                }
                first.add(items.next());
                assertThat(isOfSecond(first.getLast())).as("step %d", step).isEqualTo(step >= 20);
            }
        }
        try (Run<List<Long>> run =
                mixed(1, 2).start(RunOptions.defaults().resumeFrom(Objects.requireNonNull(before)))) {
            LiveMixture.watch(run);
            Iterator<List<Long>> items = run.iterator();
            for (int step = 10; step < 30; step++) {
                assertThat(items.next()).as("step %d", step).isEqualTo(first.get(step));
            }
        }
    }

    @Test
    void proposalsForOtherWeightsAreRefused() throws Exception {
        for (String other : List.of("{\"step\": 20, \"weights\": [1, 0]}", "20", "{\"step\"")) {
            Path proposal = folder.resolve("weights.jsonl.1.rank-0-of-2");
            Files.writeString(proposal, other + "\n");
            Files.deleteIfExists(folder.resolve("weights.jsonl"));
            Files.deleteIfExists(folder.resolve("weights.jsonl.1.rank-1-of-2"));
            add("{\"weights\": [0, 1]}\n");
            try (Run<List<Long>> run = mixed(1, 2).start()) {
                LiveMixture.watch(run);
                assertThatThrownBy(() -> run.iterator().next())
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining(proposal + " is ");
            }
        }
    }

    @Test
    void aPipeOfWhichNothingWouldBeSeenIsRefused() throws Exception {
        Path pipe = folder.resolve("weights.jsonl");
        new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor();

        try (Run<List<Long>> run = mixed(0, 1).start()) {
            LiveMixture.watch(run);
            assertThatThrownBy(() -> run.iterator().next())
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining(pipe + " is no file");
        }
    }

    @Test
    void aLineThatIsWrongOrLateIsNamed() throws Exception {
        add("{\"step\": 5, \"weights\": [0, 1]}\n");
        try (Run<List<Long>> run = mixed(0, 1).start()) {
            LiveMixture.watch(run);
            Iterator<List<Long>> items = run.iterator();
            items.next();
            add("{\"step\": 0, \"weights\": [1, 0]}\n");
            assertThatThrownBy(items::next)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("weights.jsonl, line 2")
                    .hasMessageContaining("come to step 1");
        }
        for (String wrong : List.of("5", "{}", "{\"weights\": [1, \"x\"]}", "{\"step\": -1, \"weights\": [1, 1]}")) {
            Files.delete(folder.resolve("weights.jsonl"));
            add(wrong + "\n");
            try (Run<List<Long>> run = mixed(0, 1).start()) {
                LiveMixture.watch(run);
                assertThatThrownBy(() -> run.iterator().next())
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("line 1");
            }
        }
    }
}
