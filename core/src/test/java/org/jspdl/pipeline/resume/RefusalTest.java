package org.jspdl.pipeline.resume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jspdl.pipeline.StageOptions.cpu;

import java.util.List;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Gatherers;
import java.util.stream.Stream;
import org.jspdl.pipeline.Checkpoint;
import org.jspdl.pipeline.GathererState;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.ProvenanceChange;
import org.jspdl.pipeline.Remainder;
import org.jspdl.pipeline.Run;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.pipeline.StageOptions;
import org.jspdl.source.Samplers;
import org.jspdl.source.Sources;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class RefusalTest {

    static Stream<Arguments> changes() {
        return Stream.of(
                Arguments.of(recipe(101, 7, "work"), "step 1 was source shuffled(100, seed 1)"),
                Arguments.of(recipe(100, 8, "work"), "step 3 was batch(7) KEEP and is batch(8)"),
                Arguments.of(recipe(100, 7, "renamed"), "step 2 was pipe work and is pipe renamed"),
                Arguments.of(recipe(100, 7, "work").map(batch -> batch), "step 4 was nothing and is map"),
                Arguments.of(
                        recipe(100, 7, "work").identifiedBy("stack {pad: 3}"),
                        "step 4 was nothing and is stack {pad: 3}"),
                Arguments.of(
                        Pipeline.from(Samplers.shuffled(100, 1)).pipe("work", item -> item, cpu(2)),
                        "step 3 was batch(7) KEEP and is nothing"),
                Arguments.of(
                        Pipeline.from(Samplers.shuffled(100, 2))
                                .pipe("work", item -> item, cpu(2))
                                .batch(7, Remainder.KEEP),
                        "is source shuffled(100, seed 2)"));
    }

    @ParameterizedTest
    @MethodSource("changes")
    void aChangedRecipeIsRefusedWithTheStepThatChanged(Pipeline<?> changed, String difference) {
        Checkpoint checkpoint = checkpointOf(recipe(100, 7, "work"));
        assertThatThrownBy(() -> changed.start(RunOptions.defaults().resumeFrom(checkpoint)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("recipe has changed")
                .hasMessageContaining(difference);
    }

    @Test
    void anotherSeedIsRefusedWithBothSeeds() {
        Checkpoint checkpoint = checkpointOf(recipe(100, 7, "work"));
        assertThatThrownBy(() -> recipe(100, 7, "work")
                        .start(RunOptions.defaults().seed(5).resumeFrom(checkpoint)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("the seed has changed: it was 0 and is 5");
    }

    @Test
    void anotherProvenanceIsRecordedAndRefusedIfTheRunIsStrict() {
        RunOptions first = RunOptions.defaults().provenance("jpeg", "3.0").provenance("data", "r1");
        RunOptions second = RunOptions.defaults().provenance("jpeg", "3.1").provenance("host", "b");
        Checkpoint checkpoint = checkpointOf(recipe(100, 7, "work"), first);
        assertThat(checkpoint.provenance()).isEqualTo(Map.of("jpeg", "3.0", "data", "r1"));
        assertThat(checkpoint.provenanceChanges()).isEmpty();

        Checkpoint later = checkpointOf(recipe(100, 7, "work"), second.resumeFrom(checkpoint));
        Checkpoint latest = checkpointOf(recipe(100, 7, "work"), second.resumeFrom(later));

        assertThat(latest.provenanceChanges())
                .containsExactly(
                        new ProvenanceChange(0, "data", "r1", ""),
                        new ProvenanceChange(0, "host", "", "b"),
                        new ProvenanceChange(0, "jpeg", "3.0", "3.1"));
        assertThatThrownBy(() -> checkpointOf(
                        recipe(100, 7, "work"), second.strictProvenance().resumeFrom(checkpoint)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("jpeg was '3.0' and is '3.1'")
                .hasMessageContaining("data was 'r1' and is not given");
        checkpointOf(recipe(100, 7, "work"), second.strictProvenance().resumeFrom(later));
    }

    @Test
    void anIteratorThatCanBeHadOnlyOnceIsNamed() {
        assertRefused(
                Pipeline.from(Sources.once(() -> List.of(1, 2, 3).iterator())), "source 'source' can't be repeated");
    }

    @Test
    void aQueueIsNamed() {
        assertRefused(
                Pipeline.from(Sources.queue(new LinkedBlockingQueue<>(List.of(1, 2, 3)))),
                "source 'source' can't be repeated");
    }

    @Test
    void aGathererThatDeclaresNothingIsNamed() {
        assertRefused(
                Pipeline.from(Sources.range(10)).aggregate("window", Gatherers.windowFixed(3), GathererState.unsaved()),
                "stage 'window' keeps state");
    }

    @Test
    void everyReasonIsNamed() {
        assertThatThrownBy(() -> checkpointOf(Pipeline.merge(
                        Pipeline.from(Sources.range(10))
                                .aggregate("pack", Gatherers.windowFixed(3), GathererState.unsaved()),
                        Pipeline.from(Sources.once(() -> List.of(List.of(1L)).iterator())))))
                .hasMessageContaining("stage 'pack'")
                .hasMessageContaining("source 'source-2'");
    }

    private static Pipeline<List<Long>> recipe(int size, int batch, String name) {
        return Pipeline.from(Samplers.shuffled(size, 1))
                .pipe(name, item -> item, cpu(2))
                .batch(batch, Remainder.KEEP);
    }

    private static void assertRefused(Pipeline<?> pipeline, String reason) {
        assertThatThrownBy(() -> checkpointOf(pipeline))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("can't be checkpointed")
                .hasMessageContaining(reason);
    }

    private static Checkpoint checkpointOf(Pipeline<?> pipeline) {
        return checkpointOf(pipeline, RunOptions.defaults());
    }

    private static Checkpoint checkpointOf(Pipeline<?> pipeline, RunOptions options) {
        try (Run<?> run = pipeline.start(options)) {
            assertThat(run.iterator().next()).isNotNull();
            return run.checkpoint();
        }
    }
}
