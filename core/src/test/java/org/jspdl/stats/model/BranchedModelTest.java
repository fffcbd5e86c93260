package org.jspdl.stats.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.jspdl.pipeline.StageOptions.cpu;
import static org.jspdl.pipeline.StageOptions.io;

import java.util.Map;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.Run;
import org.jspdl.source.Sources;
import org.jspdl.stats.PipelineStats;
import org.junit.jupiter.api.Test;

/// The model of pipelines that branch, which the tuner and the diagnosis ask.
class BranchedModelTest {
    private static PipelineModel model(Pipeline<Long> pipeline) {
        PipelineStats stats;
        try (Run<Long> run = pipeline.start()) {
            run.forEach(item -> {});
            stats = run.stats();
        }
        return PipelineModel.of(stats, new PipelineModel.Processors(2, 1, Map.of()));
    }

    @Test
    void aRouteHasTheLinksOfItsBranchesBehindIt() {
        PipelineModel model = model(Pipeline.from(Sources.range(90))
                .route("kind", item -> item % 3)
                .<Long>when(0L, way -> way.pipe("rare", item -> item, io(3)))
                .otherwise(way -> way.pipe("usual", item -> item, cpu(2)))
                .merge());

        assertThat(model.chain()).isFalse();
        assertThat(model.rate()).isPositive();
        assertThat(model.stage("kind").calls()).isEqualTo(1);
        assertThat(model.stage("rare").calls()).isBetween(0.33, 0.34);
        assertThat(model.stage("usual").calls()).isBetween(0.66, 0.67);
        assertThat(model.stage("kind.merge").parts()).isEqualTo(1);
    }

    @Test
    void sourcesBeforeAMergeAreNotTakenForOneAnother() {
        PipelineModel model = model(Pipeline.merge(
                Pipeline.from(Sources.range(10)),
                Pipeline.from(Sources.range(90)).pipe("work", item -> item, cpu(2))));

        assertThat(model.stage("work").calls()).isBetween(0.89, 0.91);
        assertThat(model.stage("work").parts()).isEqualTo(1);
        assertThat(model.rate()).isPositive();
    }
}
