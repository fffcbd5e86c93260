package org.jspdl.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.SparkConf;
import org.apache.spark.sql.SparkSession;
import org.jspdl.data.plan.PackedPlan;
import org.jspdl.data.shards.pack.PackException;
import org.jspdl.spark.internal.ClusterCheck;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Plans over a session of two threads against one machine's `pack`.
@Tag("slow")
class PlanJobTest {
    private static final int PICTURES = 90;

    @TempDir
    Path folder;

    @BeforeEach
    void paint() throws Exception {
        Pictures.paint(folder, PICTURES);
    }

    private PlanJob job(String text) {
        return PlanJob.of("plan.yaml", text).in(folder).samplesPerShard(20);
    }

    private List<String> names() throws Exception {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void theShardsAreThoseOfOneMachineByteByByte() throws Exception {
        SparkSession spark = LocalSession.get();
        Files.writeString(folder.resolve("photos/c1/0041.jpg"), "broken");

        PackedPlan.Result one = Pictures.packed(folder, Pictures.PLAN, folder.resolve("one"), 20);
        PackedPlan.Result many = job(Pictures.PLAN).run(spark, folder.resolve("many"));

        assertThat(many.samples()).isEqualTo(one.samples()).isEqualTo(PICTURES - 4);
        assertThat(many.failed()).isEqualTo(1);
        assertThat(many.dropped()).isEqualTo(3);
        assertThat(Pictures.contents(folder.resolve("many"), "many"))
                .hasSizeGreaterThan(8)
                .isEqualTo(Pictures.contents(folder.resolve("one"), "set"));
        assertThat(folder.resolve("many/quarantine.jsonl"))
                .content()
                .hasLineCount(1)
                .contains("0041.jpg");
        assertThat(names()).containsExactly("many", "one", "photos");
    }

    @Test
    void shardsBecomeTheShardsOfOneMachineByteByByte() throws Exception {
        Pictures.packed(folder, "source: {files: {path: photos}}\nsteps: []\n", folder.resolve("shards"), 13);
        String plan = """
                source: {shards: {path: shards, shuffle: true, seed: 3, window: 20}}
                steps:
                  - {load-image: {size: 24, crop: random-resized-crop, flip: 0.5, dtype: uint8}, cpu: 2}
                  - encode-image: {}
                seed: 8
                """;

        PackedPlan.Result one = Pictures.packed(folder, plan, folder.resolve("one"), 20);
        PackedPlan.Result many = job(plan).run(LocalSession.get(), folder.resolve("many"));

        assertThat(many.samples()).isEqualTo(one.samples()).isEqualTo(PICTURES);
        assertThat(Pictures.contents(folder.resolve("many"), "many"))
                .hasSizeGreaterThan(8)
                .isEqualTo(Pictures.contents(folder.resolve("one"), "set"));
    }

    @Test
    void aJobWhoseSamplesFailTooOftenSaysWhyAndLeavesNothing() throws Exception {
        for (int i = 40; i < 44; i++) {
            Files.writeString(folder.resolve("photos/c%d/%04d.jpg".formatted(i % 2, i)), "broken");
        }

        assertThatThrownBy(() -> job(Pictures.PLAN).run(LocalSession.get(), folder.resolve("many")))
                .isInstanceOf(java.io.IOException.class)
                .hasMessageContaining("stage 'load-image' failed")
                .hasMessageContaining("more than max-failures: 2 allows");

        assertThat(names()).containsExactly("photos");
    }

    @Test
    void whatIsThereStaysUnlessItIsToBeReplaced() throws Exception {
        SparkSession spark = LocalSession.get();
        Path to = Files.createDirectory(folder.resolve("many"));
        Files.writeString(to.resolve("mine.txt"), "mine");

        assertThatThrownBy(() -> job(Pictures.PLAN).run(spark, to))
                .isInstanceOf(PackException.class)
                .hasMessageContaining("is there, and not empty");
        assertThatThrownBy(() -> job(Pictures.PLAN).overwrite().run(spark, to))
                .isInstanceOf(PackException.class)
                .hasMessageContaining("it has no index of shards");
        assertThat(to.resolve("mine.txt")).exists();
        Files.delete(to.resolve("mine.txt"));
        job(Pictures.PLAN).run(spark, to);
        assertThat(to.resolve("many-000004.tar")).exists();
        job(Pictures.PLAN).shards("mds").overwrite().run(spark, to);

        assertThat(to.resolve("many-000004.tar")).doesNotExist();
        assertThat(to.resolve("many-000004.mds")).exists();
        assertThat(names()).containsExactly("many", "photos");
    }

    @Test
    void aClusterThatLacksMemoryOutsideTheHeapIsNamed() {
        SparkConf conf = new SparkConf(false).set("spark.executor.cores", "8").set("spark.executor.memory", "2g");

        ClusterCheck.checkMemory(conf, "local-cluster[2,1,1024]", 64L << 20);
        ClusterCheck.checkMemory(conf.clone().set("spark.executor.cores", "3"), "yarn", 64L << 20);
        ClusterCheck.checkMemory(conf.clone().set("spark.executor.memoryOverhead", "1g"), "k8s://host", 64L << 20);
        assertThatThrownBy(() -> ClusterCheck.checkMemory(conf, "yarn", 64L << 20))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("executors have 384 MiB outside the heap")
                .hasMessageContaining("set spark.executor.memoryOverhead=704m");
        assertThat(ClusterCheck.feature("1.8")).isEqualTo(8);
        assertThat(ClusterCheck.feature("17")).isEqualTo(17);
    }
}
