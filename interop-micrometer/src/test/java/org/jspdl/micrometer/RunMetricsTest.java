package org.jspdl.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import org.jspdl.pipeline.FailurePolicy;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.Remainder;
import org.jspdl.pipeline.Run;
import org.jspdl.pipeline.StageOptions;
import org.jspdl.source.Sources;
import org.junit.jupiter.api.Test;

class RunMetricsTest {
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    @Test
    void metersCountWhatTheRunDid() {
        try (Run<List<Long>> run = pipeline().start()) {
            run.forEach(batch -> {});
            try (RunMetrics metrics = RunMetrics.bind(run, registry)) {
                assertThat(metrics).isNotNull();
                assertThat(counted("jspdl.batches")).isEqualTo(9);
                assertThat(counted("jspdl.stage.items", "stage", "work", "outcome", "completed"))
                        .isEqualTo(90);
                assertThat(counted("jspdl.stage.items", "stage", "work", "outcome", "failed"))
                        .isEqualTo(10);
                assertThat(counted("jspdl.stage.time", "stage", "work", "state", "busy"))
                        .isPositive();
                assertThat(counted("jspdl.queue.passed", "from", "batch(10)", "to", "consumer"))
                        .isEqualTo(9);
                assertThat(registry.get("jspdl.stage.workers")
                                .tag("stage", "work")
                                .gauge()
                                .value())
                        .isEqualTo(3);
                assertThat(registry.get("jspdl.stage.latency")
                                .tags("stage", "work", "quantile", "0.5")
                                .gauge()
                                .value())
                        .isPositive();
                assertThat(registry.getMeters())
                        .allSatisfy(meter ->
                                assertThat(meter.getId().getTag("pipeline")).isEqualTo("metered"));
            }
        }
    }

    @Test
    void closingRemovesEveryMeter() {
        try (Run<List<Long>> run = pipeline().start()) {
            RunMetrics metrics = RunMetrics.bind(run, registry);
            assertThat(registry.getMeters()).isNotEmpty();

            metrics.close();
            metrics.close();

            assertThat(registry.getMeters()).isEmpty();
        }
    }

    @Test
    void aSecondRunOfTheSameNameIsRefusedUntilTheFirstIsClosed() {
        try (Run<List<Long>> first = pipeline().start();
                Run<List<Long>> second = pipeline().start()) {
            RunMetrics metrics = RunMetrics.bind(first, registry);

            assertThatThrownBy(() -> RunMetrics.bind(second, registry))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("named 'metered'");

            metrics.close();
            RunMetrics.bind(second, registry).close();
        }
    }

    private static Pipeline<List<Long>> pipeline() {
        return Pipeline.from(Sources.range(100))
                .pipe(
                        "work",
                        item -> {
                            if (item % 10 == 3) {
                                throw new IllegalStateException("bad item");
                            }
                            return item;
                        },
                        StageOptions.cpu(3).failures(FailurePolicy.skip(100)))
                .batch(10, Remainder.KEEP)
                .named("metered");
    }

    private double counted(String name, String... tags) {
        return registry.get(name).tags(tags).functionCounter().count();
    }
}
