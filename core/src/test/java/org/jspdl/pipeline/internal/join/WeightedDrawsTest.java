package org.jspdl.pipeline.internal.join;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.jspdl.pipeline.internal.recipe.LiveWeights;
import org.jspdl.pipeline.internal.recipe.MixSchedule;
import org.jspdl.pipeline.internal.recipe.MixSchedule.Change;
import org.junit.jupiter.api.Test;

class WeightedDrawsTest {
    /// 10,000 steps of 256 items.
    private static final int ITEMS = 2_560_000;

    private static final LiveWeights NO_CHANGES = new LiveWeights(List.of());
    private static final boolean[] NONE_ENDED = new boolean[3];
    private static final List<Double> FIRST = List.of(0.5, 0.3, 0.2);
    private static final List<Double> SECOND = List.of(0.1, 0.1, 0.8);

    /// 10,000 steps with some weights, and 10,000 in which they go over to others.
    @Test
    void weightsAreKeptWithinAThousandthOverTenThousandSteps() {
        MixSchedule schedule = new MixSchedule(List.of(
                new Change(0, FIRST, false), new Change(ITEMS, FIRST, false), new Change(2L * ITEMS, SECOND, true)));
        WeightedDraws draws = new WeightedDraws(3, schedule, NO_CHANGES, 3);
        for (int half = 0; half < 2; half++) {
            int[] counts = new int[3];
            for (int item = 0; item < ITEMS; item++) {
                counts[draws.choose(0, (long) half * ITEMS + item, NONE_ENDED)]++;
            }
            for (int input = 0; input < 3; input++) {
                double wanted = half == 0 ? FIRST.get(input) : (FIRST.get(input) + SECOND.get(input)) / 2;
                assertThat((double) counts[input] / ITEMS).isCloseTo(wanted, within(0.001));
            }
        }
    }

    @Test
    void anInputWithoutWeightComesOnlyIfAllOthersHaveEnded() {
        MixSchedule schedule = new MixSchedule(List.of(new Change(0, List.of(0.3, 0.0, 0.7), false)));
        WeightedDraws draws = new WeightedDraws(1, schedule, NO_CHANGES, 3);
        for (int draw = 0; draw < 1_000; draw++) {
            assertThat(draws.choose(0, draw, NONE_ENDED)).isNotEqualTo(1);
            assertThat(draws.choose(0, draw, new boolean[] {true, false, false}))
                    .isEqualTo(2);
            assertThat(draws.choose(0, draw, new boolean[] {true, false, true})).isEqualTo(1);
        }
    }

    @Test
    void anInputOfHardlyAnyWeightComesBeforeOneOfNone() {
        MixSchedule schedule = new MixSchedule(List.of(new Change(0, List.of(1.0, 0.0, 1e-12), false)));
        boolean[] ended = {true, false, false};
        assertThat(new WeightedDraws(1, schedule, NO_CHANGES, 3).choose(0, 0, ended))
                .isEqualTo(2);
    }

    @Test
    void theInputOfADrawDoesNotDependOnThoseAskedBefore() {
        MixSchedule schedule = new MixSchedule(
                List.of(new Change(0, FIRST, false), new Change(40, SECOND, true), new Change(60, FIRST, false)));
        WeightedDraws inOrder = new WeightedDraws(5, schedule, NO_CHANGES, 3);
        for (int draw = 0; draw < 100; draw++) {
            WeightedDraws alone = new WeightedDraws(5, schedule, NO_CHANGES, 3);
            assertThat(alone.choose(2, 99 - draw, NONE_ENDED)).isBetween(0, 2);
            assertThat(alone.choose(2, draw, NONE_ENDED)).isEqualTo(inOrder.choose(2, draw, NONE_ENDED));
        }
    }
}
