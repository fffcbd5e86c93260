package org.jspdl.pipeline.internal.link;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LinkPolicyTest {
    private final LinkPolicy policy = new LinkPolicy(8, 1);

    @Test
    void aQuickProducerWhoseLinkIsEmptiedAgainAndAgainWantsRoomOnce() {
        assertThat(wishes(1_000, true, 8)).isEqualTo(1);
    }

    @Test
    void aProducerBeforeSlowStagesWantsNone() {
        assertThat(wishes(1_000_000, true, 100)).isZero();
    }

    @Test
    void theFirstItemsOfARunDoNotCount() {
        assertThat(wishes(100, true, 1)).isZero();
        assertThat(wishes(1_000_000, true, 100)).isZero();
    }

    @Test
    void aSlowProducerWantsNone() {
        assertThat(wishes(1_000_000, false, 1)).isZero();
    }

    @Test
    void aSingleProducerSleepsUntilHalfOfTheCapacityIsFree() {
        assertThat(policy.producersToWake(3)).isZero();
        assertThat(policy.producersToWake(4)).isEqualTo(4);
        assertThat(new LinkPolicy(8, 2).producersToWake(1)).isEqualTo(1);
        assertThat(new LinkPolicy(0, 1).producersToWake(1)).isEqualTo(1);
    }

    @Test
    void aConsumerOfGroupsWakesForWhatItLacksOrForHalfOfTheBuffer() {
        assertThat(policy.consumerWakesAt(3)).isEqualTo(3);
        assertThat(policy.consumerWakesAt(100)).isEqualTo(4);
        assertThat(new LinkPolicy(1, 1).consumerWakesAt(100)).isEqualTo(1);
    }

    @Test
    void itemsAreAnnouncedBetweenCallsWhenTheConsumerWouldWakeForThem() {
        assertThat(policy.isWorthAnnouncing(1)).isTrue();
        policy.gathers(64);
        assertThat(policy.isWorthAnnouncing(3)).isFalse();
        assertThat(policy.isWorthAnnouncing(4)).isTrue();
        policy.resize(2, -1);
        assertThat(policy.isWorthAnnouncing(1)).isTrue();
    }

    /// How often room is wanted over so many items, of which one in `emptyEvery` meets an empty link.
    private int wishes(int items, boolean quick, int emptyEvery) {
        int wishes = 0;
        for (int i = 0; i < items; i++) {
            wishes += policy.produced(quick ? 100 : 1_000_000, i % emptyEvery == 0) ? 1 : 0;
        }
        return wishes;
    }
}
