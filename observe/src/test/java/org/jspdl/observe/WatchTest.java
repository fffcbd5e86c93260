package org.jspdl.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jspdl.pipeline.StageOptions.cpu;
import static org.jspdl.pipeline.StageOptions.io;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.Remainder;
import org.jspdl.pipeline.Run;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.source.Sources;
import org.junit.jupiter.api.Test;

class WatchTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @Test
    void theIntervalsAddUpToTheRun() throws Exception {
        StringWriter lines = new StringWriter();
        Watch watch = Watch.every(Duration.ofMillis(20)).onInterval(JsonLines.to(lines));
        run(watch, 200);

        long delivered = 0;
        long read = 0;
        for (String line : lines.toString().lines().toList()) {
            JsonNode interval = JSON.readTree(line);
            delivered += interval.get("delivered").asLong();
            read += interval.get("stages").get(1).get("completed").asLong();
            assertThat(interval.get("processors_used").asDouble()).isGreaterThanOrEqualTo(0);
        }
        assertThat(delivered).isEqualTo(20);
        assertThat(read).isEqualTo(200);
        assertThat(lines.toString().lines().count()).isGreaterThan(3);
    }

    @Test
    void theReportHasTheWholeRunInThreeForms() throws Exception {
        Watch watch = Watch.every(Duration.ofMillis(20)).explainWaits();
        run(watch, 200);
        Report report = watch.report();

        assertThat(report.stats().delivered()).isEqualTo(20);
        assertThat(report.stats().stage("read").completed()).isEqualTo(200);
        assertThat(report.usage().cpu()).isPositive();
        assertThat(report.usage().memory().heap()).isPositive();
        assertThat(report.text()).contains("read", "decode", "batch(10)", "consumer", "Limited by ");
        JsonNode json = JSON.readTree(report.json());
        assertThat(json.get("deliveries").asLong()).isEqualTo(20);
        assertThat(json.get("stages")).hasSize(4);
        assertThat(json.get("links")).hasSize(4);
        assertThat(json.get("links").get(3).get("to").asText()).isEmpty();
        assertThat(json.get("diagnosis").get(0).get("remedies")).isNotEmpty();
        assertThat(json.get("series").get("heap_bytes"))
                .hasSameSizeAs(json.get("series").get("end_seconds"));
        assertThat(report.html())
                .startsWith("<!doctype html>")
                .contains("<svg", "decode")
                .doesNotContain("http://", "https://");
    }

    @Test
    void whatTheFunctionsDoIsSeen() {
        Watch watch = Watch.create();
        run(watch, 300);
        Report report = watch.report();

        assertThat(report.work("read").mostly()).isEqualTo(Activity.WAITING);
        assertThat(report.work("read").place()).startsWith("Pauses.");
        assertThat(report.work("decode").processorShare()).isGreaterThan(0.2);
        assertThat(report.work("source")).isEqualTo(StageWork.NONE);
    }

    @Test
    void theCausesOfAWaitAddUpToIt() {
        Watch watch = Watch.create().explainWaits();
        run(watch, 100);

        List<Wait> waits = watch.report().waits();

        assertThat(waits)
                .isNotEmpty()
                .allSatisfy(wait -> assertThat(
                                wait.causes().stream().map(Wait.Cause::time).reduce(Duration.ZERO, Duration::plus))
                        .isEqualTo(wait.waited()));
        assertThat(waits.getFirst().causes()).extracting(Wait.Cause::stage).containsAnyOf("read", "decode");
        assertThat(watch.lastWait()).isPresent();
    }

    @Test
    void aReportWithoutARunSaysHowToGetOne() {
        assertThatThrownBy(Watch.create()::report).hasMessageContaining("watch.on(options)");
    }

    @Test
    void anEndedRunWithoutDeliveriesIsReportedToo() {
        Watch watch = Watch.create();
        run(watch, 0);

        assertThat(watch.report().diagnosis().first().evidence()).contains("too little");
        assertThat(watch.report().html()).contains("unknown");
    }

    static void run(Watch watch, int items) {
        Pipeline<List<Long>> pipeline = Pipeline.from(Sources.range(items))
                .pipe(
                        "read",
                        item -> {
                            Pauses.micros(2_000);
                            return item;
                        },
                        io(2))
                .pipe("decode", WatchTest::compute, cpu(1))
                .batch(10, Remainder.KEEP_REMAINDER);
        try (Run<List<Long>> run = pipeline.start(watch.on(RunOptions.defaults()))) {
            run.forEach(batch -> {});
        }
    }

    private static Long compute(Long item) {
        long end = System.nanoTime() + 300_000;
        while (System.nanoTime() < end) {
            Thread.onSpinWait();
        }
        return item;
    }
}
