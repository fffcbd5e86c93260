package org.jspdl.pipeline.internal.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.pipeline.StageOptions;
import org.jspdl.pipeline.Tuning;
import org.jspdl.pipeline.internal.recipe.Recipe;
import org.jspdl.source.Sources;
import org.jspdl.stats.BudgetStats;
import org.jspdl.stats.Change;
import org.jspdl.stats.Latency;
import org.jspdl.stats.PipelineStats;
import org.jspdl.stats.TuningStats;
import org.jspdl.stats.TuningStep;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a tuner's decisions do to a run, without a tuner that has to make them in time.
class RunTuningTest {
    /// A run with an `auto` stage, whose tuner was not started.
    private static RunCore started() {
        RunCore core = new RunCore("tuned", RunOptions.defaults());
        core.recordedBy(RunTuningTest::stats);
        Recipe.Site here = Recipe.Site.capture();
        Recipe recipe = new Recipe.Pipe(
                new Recipe.From(Sources.range(10), "source", here),
                "wait",
                new Recipe.Body.Plain(item -> item),
                StageOptions.io(StageOptions.auto().startingAt(1).atMost(16)),
                here);
        Planner planner = new Planner(core, null);
        planner.plan(recipe, 2);
        core.start(
                planner.stages(),
                planner.links(),
                planner.knobs(),
                planner.computing().release());
        return core;
    }

    private static PipelineStats stats() {
        return new PipelineStats(
                "tuned",
                Duration.ZERO,
                0,
                0,
                0,
                Duration.ZERO,
                Duration.ZERO,
                Latency.NONE,
                1,
                BudgetStats.NONE,
                List.of(),
                TuningStats.OFF,
                List.of(),
                List.of());
    }

    @Test
    void aDecisionOfTheTunerChangesTheStageAndIsListed() {
        RunCore core = started();
        try {
            core.tuning().tuneUnlessTaken(Tuning.concurrency("wait", 4));

            assertThat(core.stages().getLast().concurrency()).isEqualTo(4);
            assertThat(core.tuning().changes()).hasToString("[concurrency of 'wait' from 1 to 4]");
        } finally {
            core.close();
        }
    }

    @Test
    void whatTheUserHasChangedStaysAsItIs() {
        RunCore core = started();
        try {
            Change change = core.tuning().tune(Tuning.concurrency("wait", 3));

            core.tuning().tuneUnlessTaken(Tuning.concurrency("wait", 8));

            assertThat(core.stages().getLast().concurrency()).isEqualTo(3);
            assertThat(core.tuning().changes()).containsExactly(change);
        } finally {
            core.close();
        }
    }

    @Test
    void aDecisionIsAnEvent(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("events.jfr");
        RunCore core = started();
        try (Recording recording = new Recording()) {
            recording.enable("jspdl.Tuning");
            recording.start();
            core.tuning()
                    .record(new TuningStep(
                            Duration.ofSeconds(2),
                            TuningStep.Kind.TRIED,
                            "wait",
                            "concurrency",
                            1,
                            4,
                            3.5,
                            0,
                            "the model expects +250 % throughput"));
            recording.stop();
            recording.dump(file);
        } finally {
            core.close();
        }

        // What recordings of tests beside this one ask for is in all recordings.
        List<RecordedEvent> events = RecordingFile.readAllEvents(file).stream()
                .filter(event -> event.getEventType().getName().equals("jspdl.Tuning"))
                .toList();
        assertThat(events).singleElement().satisfies(event -> {
            assertThat(event.getString("decision")).isEqualTo("tried");
            assertThat(event.getString("stage")).isEqualTo("wait");
            assertThat(event.getInt("from")).isEqualTo(1);
            assertThat(event.getInt("to")).isEqualTo(4);
            assertThat(event.getDouble("predicted")).isEqualTo(3.5);
        });
    }
}
