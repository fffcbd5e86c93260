package org.jspdl.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspdl.pipeline.Run;
import org.jspdl.source.Samplers;
import org.junit.jupiter.api.Test;

/// Plans that several processes share.
class PlanRankTest {
    private static final TypeToken<Long> NUMBER = TypeToken.of(Long.class);
    private static final Parameter<Integer> RANK =
            Parameter.count("rank", 0, 100).orElse(0);
    private static final Parameter<Integer> WORLD_SIZE =
            Parameter.count("world-size", 1, 100).orElse(1);

    private static final OperationProvider SPLIT = () -> List.of(Operation.source(
            "split",
            NUMBER,
            given -> Samplers.sequential(6)
                    .shard(given.get(RANK), given.get(WORLD_SIZE))
                    .items("numbers", (_, index, _) -> index),
            RANK,
            WORLD_SIZE));

    private static List<Object> items(String plan, PlanContext context) {
        Operations operations = Operations.of(List.of(new StandardOperations(), SPLIT));
        try (CompiledPlan compiled = Plan.of("plan.yaml", plan).compile(operations, context);
                Run<?> run = compiled.start()) {
            return new ArrayList<>(run.stream().toList());
        }
    }

    private static PlanContext rank(int rank, int worldSize) {
        return PlanContext.in(Path.of("")).rank(rank, worldSize);
    }

    @Test
    void eachRankLoadsItsPartOfASourceThatNamesNone() {
        assertThat(items("source: split", rank(0, 2)))
                .hasSize(3)
                .doesNotContainAnyElementsOf(items("source: split", rank(1, 2)));
        assertThat(items("source: split", rank(0, 1))).hasSize(6);
    }

    @Test
    void aSourceThatTakesNoRankIsRefusedForSeveralBesideOthersToo() {
        String merged = "source: {merge: {of: [{source: %s}, {source: {range: {size: 2}}}]}}";

        assertThatThrownBy(() -> items(merged.formatted("split"), rank(1, 3)))
                .isInstanceOf(PlanException.class)
                .hasMessageContaining("'range' does not take 'rank' and 'world-size'")
                .hasMessageContaining("every rank would load everything of it");
        assertThat(items(merged.formatted("{split: {rank: 1, world-size: 3}}"), rank(0, 1)))
                .hasSize(4);
    }

    @Test
    void oneOfRankAndNumberOfRanksAloneIsRefusedForSeveral() {
        for (String one : List.of("rank: 1", "world-size: 3")) {
            assertThatThrownBy(() -> items("source: {split: {" + one + "}}", rank(1, 3)))
                    .isInstanceOf(PlanException.class)
                    .hasMessageContaining("'split' names one of 'rank' and 'world-size' alone");
        }
    }

    @Test
    void theRankThatAPlanNamesPrevails() {
        String plan = "source: {split: {rank: 1, world-size: 3}}";

        assertThat(items(plan, rank(0, 2))).isEqualTo(items(plan, rank(0, 1))).hasSize(2);
    }

    @Test
    void aPlanWhoseSourcesTakeNoRankIsRefusedForSeveral() {
        assertThatThrownBy(() -> items("source: {range: {size: 3}}", rank(0, 2)))
                .isInstanceOf(PlanException.class)
                .hasMessageContaining("this is rank 0 of 2")
                .hasMessageContaining("every rank would load everything");
        assertThat(items("source: {range: {size: 3}}", rank(0, 1))).hasSize(3);
    }

    @Test
    void aRankBeyondTheLastIsRefused() {
        assertThatThrownBy(() -> rank(2, 2)).hasMessage("rank must be at least 0 and below worldSize but was 2 of 2");
        assertThatThrownBy(() -> rank(-1, 2)).hasMessageContaining("was -1 of 2");
    }
}
