package org.jspdl.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.jspdl.pipeline.StageOptions.dedicated;
import static org.jspdl.pipeline.StageOptions.io;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.Remainder;
import org.jspdl.source.Sources;
import org.junit.jupiter.api.Test;

class ProfilerTest {
    private final AtomicInteger open = new AtomicInteger();

    /// Closed by the stage that takes it.
    private final class Resource implements AutoCloseable {
        Resource() {
            open.incrementAndGet();
        }

        @Override
        public void close() {
            open.decrementAndGet();
        }
    }

    @Test
    void aStageThatWaitsIsRecommendedMoreSlotsUntilItKeepsUp() {
        Pipeline<List<Resource>> pipeline = Pipeline.from(Sources.range(100_000))
                .pipe("open", item -> new Resource(), io(2))
                .pipe("slow", ProfilerTest::slowly, io(1))
                .map(resource -> resource)
                .pipe("last", resource -> resource, dedicated())
                .batch(4, Remainder.KEEP_REMAINDER)
                .named("profiled");

        ProfileReport report = Profiler.create().items(100).concurrencies(1, 4).profile(pipeline);

        assertThat(report.stages()).extracting(StageProfile::name).containsExactly("open", "slow", "last");
        StageProfile slow = report.stages().get(1);
        assertThat(slow.calls()).isBetween(3.5, 4.5);
        assertThat(slow.levels().getLast().rate())
                .isGreaterThan(2 * slow.levels().getFirst().rate());
        assertThat(slow.recommended(report.predicted())).isEqualTo(4);
        assertThat(report.slowest()).isEqualTo(slow);
        assertThat(report.predicted()).isGreaterThan(2 * report.rate());
        assertThat(report.text()).contains("'slow': 4 at once instead of 1.", "With these the whole should deliver");
        assertThat(report.stages().getLast().levels()).hasSize(1);
        assertThat(open).as("what was captured was closed").hasValue(0);
    }

    @Test
    void headSpaceIsWhatTheConsumerWaits() {
        Pipeline<Resource> pipeline =
                Pipeline.from(Sources.range(1_000)).pipe("open", item -> slowly(new Resource()), io(1));

        HeadSpace loaded = Profiler.create().headSpace(pipeline, resource -> Pauses.micros(1_000), 60);

        assertThat(loaded.share()).isBetween(0.3, 0.95);
        assertThat(loaded.toString()).contains("worth the work");
        assertThat(open).hasValue(0);
    }

    private static Resource slowly(Resource resource) {
        Pauses.micros(3_000);
        return resource;
    }
}
