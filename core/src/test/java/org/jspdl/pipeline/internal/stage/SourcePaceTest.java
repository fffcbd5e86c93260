package org.jspdl.pipeline.internal.stage;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SourcePaceTest {
    private final SourcePace pace = new SourcePace();

    @Test
    void aQuickSourceWhoseLinkIsEmptiedAgainAndAgainWantsRoomOnce() {
        assertThat(wishes(1_000, true, 8)).isEqualTo(1);
    }

    @Test
    void aSourceBeforeSlowStagesWantsNone() {
        assertThat(wishes(1_000_000, true, 100)).isZero();
    }

    @Test
    void theFirstItemsOfARunDoNotCount() {
        assertThat(wishes(100, true, 1)).isZero();
        assertThat(wishes(1_000_000, true, 100)).isZero();
    }

    @Test
    void aSlowSourceWantsNone() {
        assertThat(wishes(1_000_000, false, 1)).isZero();
    }

    /// How often room is wanted over so many items, of which one in `emptyEvery` meets an empty link.
    private int wishes(int items, boolean quick, int emptyEvery) {
        int wishes = 0;
        for (int i = 0; i < items; i++) {
            wishes += pace.wantsRoom(quick, i % emptyEvery == 0) ? 1 : 0;
        }
        return wishes;
    }
}
