package org.jspdl.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.sql.SparkSession;
import org.jspdl.data.image.ImageBatch;
import org.jspdl.pipeline.Run;
import org.jspdl.plan.CompiledPlan;
import org.jspdl.plan.Operations;
import org.jspdl.plan.Plan;
import org.jspdl.plan.PlanContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Workers of the data service that run as a job of Spark.
@Tag("slow")
class ServeJobTest {
    private static final int WORKERS = 2;

    @TempDir
    Path folder;

    private static String plan(String service) {
        return """
                source: {images: {path: photos, shuffle: true, seed: 5%s}}
                steps:
                  - allocate-batch: {batch-size: 8, size: 24, crop: random-resized-crop, flip: 0.5}
                  - read-image: {}
                  - {decode-image: {}, cpu: 1, order: input}
                  - batch: 8
                  - stack-images: {}
                seed: 5
                """.formatted(service);
    }

    /// What a run over a plan delivers.
    private List<String> load(String text) throws Exception {
        List<String> lines = new ArrayList<>();
        try (CompiledPlan plan = Plan.of("plan.yaml", text).compile(Operations.installed(), PlanContext.in(folder));
                Run<?> run = plan.start()) {
            for (Object item : run) {
                try (ImageBatch batch = (ImageBatch) item) {
                    lines.add(java.util.Arrays.toString(
                            batch.images().segment().toArray(java.lang.foreign.ValueLayout.JAVA_BYTE)));
                }
            }
        }
        return lines;
    }

    private List<Path> addresses() throws Exception {
        try (Stream<Path> files = Files.list(folder.resolve("workers"))) {
            return files.sorted().toList();
        }
    }

    @Test
    @Timeout(120)
    void trainersGetFromTheWorkersOfAJobWhatALocalRunGives() throws Exception {
        Pictures.paint(folder, 40);
        List<String> local = load(plan(""));
        SparkSession spark = LocalSession.get();
        Path addresses = folder.resolve("workers");
        ServeJob job = ServeJob.of("plan.yaml", plan(""), addresses).in(folder).workers(WORKERS);
        CountDownLatch tasks = new CountDownLatch(WORKERS);
        SparkListener listener = new SparkListener() {
            @Override
            public void onTaskEnd(SparkListenerTaskEnd end) {
                if ("KILLED".equals(end.taskInfo().status())) {
                    tasks.countDown();
                }
            }
        };
        spark.sparkContext().addSparkListener(listener);
        CompletableFuture<String> ended = new CompletableFuture<>();
        Thread driver = Thread.ofPlatform().start(() -> {
            try {
                job.run(spark);
                ended.complete("ended");
            } catch (Exception canceled) {
                ended.complete(String.valueOf(canceled.getMessage()));
            }
        });
        try {
            Files.createDirectories(addresses);
            List<String> served = load(plan(", service: ['" + addresses.toUri() + "']"));

            assertThat(served).isEqualTo(local).hasSize(5);
            assertThat(addresses())
                    .isNotEmpty()
                    .allSatisfy(file -> assertThat(file).content().startsWith("http://127.0.0.1:"));
        } finally {
            spark.sparkContext().cancelAllJobs();
        }
        assertThat(ended.get(60, TimeUnit.SECONDS)).contains("cancelled");
        driver.join();
        assertThat(tasks.await(60, TimeUnit.SECONDS)).as("the workers ended").isTrue();
        spark.sparkContext().removeSparkListener(listener);
        assertThat(addresses()).isEmpty();
    }
}
