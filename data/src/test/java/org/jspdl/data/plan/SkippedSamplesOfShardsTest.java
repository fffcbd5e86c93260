package org.jspdl.data.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jspdl.data.plan.PlanRuns.batches;
import static org.jspdl.data.plan.PlanRuns.listed;

import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspdl.archive.TarWriter;
import org.jspdl.data.loader.TensorBatch;
import org.jspdl.pipeline.Checkpoint;
import org.jspdl.pipeline.Run;
import org.jspdl.plan.CompiledPlan;
import org.jspdl.plan.record.SkipList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `skip` of shards: three of the forty samples in four tars.
class SkippedSamplesOfShardsTest {
    private static final List<String> REST = IntStream.range(0, 40)
            .filter(i -> i != 0 && i != 17 && i != 39)
            .mapToObj(Integer::toString)
            .toList();

    @TempDir
    Path folder;

    private Path list;

    @BeforeEach
    void writeShards() throws Exception {
        for (int shard = 0; shard < 4; shard++) {
            try (TarWriter tar = TarWriter.create(folder.resolve("t-" + shard + ".tar"))) {
                for (int i = shard * 10; i < shard * 10 + 10; i++) {
                    tar.add(i + ".bin", MemorySegment.ofArray(new byte[] {(byte) i}));
                }
            }
        }
        list = folder.resolve("bad.txt");
        for (int bad : new int[] {0, 17, 39}) {
            SkipList.add(list, folder.resolve("t-" + bad / 10 + ".tar") + "/" + bad, "broken");
        }
    }

    private static String plan(String said) {
        return """
                source: {shards: {path: 't-{0..3}.tar', skip: bad.txt%s}}
                steps: [{batch: 4}, {collate: {}}]
                epochs: 2
                """.formatted(said);
    }

    private List<String> keys(String said) {
        return listed(batches(folder, plan(said)), "key").stream()
                .map(String::valueOf)
                .toList();
    }

    @Test
    void oneRankReadsAllOthersInTheirOrderOrShuffled() {
        assertThat(keys("").subList(0, 37)).isEqualTo(REST);
        List<String> shuffled = keys(", shuffle: true, seed: 3, window: 8");
        assertThat(shuffled.subList(0, 37)).containsExactlyInAnyOrderElementsOf(REST);
        assertThat(shuffled.subList(37, 74)).containsExactlyInAnyOrderElementsOf(REST);
    }

    @Test
    void ranksGetEquallyManyInEveryWayThatPromisesIt() {
        for (String even : List.of("count", "stop-together", "repeat", "uneven")) {
            for (int ranks = 2; ranks <= 5; ranks++) {
                List<Integer> sizes = new ArrayList<>();
                List<String> together = new ArrayList<>();
                for (int rank = 0; rank < ranks; rank++) {
                    List<String> share =
                            keys(", shuffle: true, even: %s, rank: %d, world-size: %d".formatted(even, rank, ranks));
                    sizes.add(share.size());
                    together.addAll(share);
                }
                assertThat(together).as("%s, %d", even, ranks).isSubsetOf(REST);
                switch (even) {
                    case "uneven" -> assertThat(together).hasSize(74).containsAll(REST);
                    case "repeat" ->
                        assertThat(sizes).as("%s, %d", even, ranks).containsOnly(2 * Math.ceilDiv(37, ranks));
                    default -> assertThat(sizes).as("%s, %d", even, ranks).containsOnly(2 * (37 / ranks));
                }
            }
        }
    }

    @Test
    void aKeyOrShardThatIsNotThereIsNamedAndNotLoadedAfterAll() throws Exception {
        SkipList.add(list, folder.resolve("t-2.tar") + "/nobody", "a guess");
        assertThatThrownBy(() -> keys(""))
                .hasStackTraceContaining("t-2.tar/nobody' that is to be left out is not there");
        assertThatThrownBy(() -> keys(", rank: 0, world-size: 4"))
                .hasStackTraceContaining("t-2.tar/nobody' that is to be left out is not there");
        Files.delete(list);
        SkipList.add(list, folder.resolve("t-7.tar") + "/1", "a guess");
        assertThatThrownBy(() -> keys("")).hasMessageContaining("t-7.tar/1' that is to be left out is not there");
    }

    @Test
    void aCheckpointGoesOnAndIsRefusedWithAnotherList() throws Exception {
        Checkpoint half;
        List<String> before = new ArrayList<>();
        String plan = plan(", shuffle: true, window: 8");
        try (CompiledPlan compiled = PlanRuns.compile(folder, plan);
                Run<?> run = compiled.start()) {
            var batches = run.iterator();
            for (int i = 0; i < 5; i++) {
                before.addAll(keys(batches.next()));
            }
            half = run.checkpoint();
        }
        try (CompiledPlan compiled = PlanRuns.compile(folder, plan);
                Run<?> run = compiled.pipeline().start(compiled.options().resumeFrom(half))) {
            run.forEach(batch -> before.addAll(keys(batch)));
        }
        assertThat(before).containsExactlyInAnyOrderElementsOf(REST);
        SkipList.add(list, folder.resolve("t-1.tar") + "/11", "one more");
        try (CompiledPlan compiled = PlanRuns.compile(folder, plan)) {
            assertThatThrownBy(
                            () -> compiled.pipeline().start(compiled.options().resumeFrom(half)))
                    .hasMessageContaining("recipe has changed")
                    .hasMessageContaining("t-1.tar/11");
        }
    }

    private static List<String> keys(Object batch) {
        return listed(List.of(PlanRuns.held((TensorBatch) batch)), "key").stream()
                .map(String::valueOf)
                .toList();
    }
}
