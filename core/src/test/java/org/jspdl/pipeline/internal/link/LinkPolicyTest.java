package org.jspdl.pipeline.internal.link;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LinkPolicyTest {
    private long now;
    private final LinkPolicy policy = new LinkPolicy(8, 1, () -> now);

    @Test
    void aLinkOfQuickItemsThatIsEmptiedAgainAndAgainGrowsToItsMost() {
        policy.grows(false);

        pass(64, 1_000, 8, true);
        assertThat(policy.buffer()).isEqualTo(8);
        pass(64, 1_000, 8, true);
        assertThat(policy.buffer()).isEqualTo(16);
        pass(64_000, 1_000, 8, true);
        assertThat(policy.buffer()).isEqualTo(LinkPolicy.MOST);
    }

    @Test
    void aLinkThatIsNeitherEmptiedNorFilledHasRoomEnough() {
        policy.grows(false);
        pass(64_000, 1_000, 100, true);
        assertThat(policy.buffer()).isEqualTo(8);
    }

    @Test
    void aLinkShrinksAgainWhenItemsBecomeSlowAndGrowsWhenTheyAreQuick() {
        policy.grows(false);
        pass(64_000, 1_000, 8, true);
        pass(64, 30_000, 8, true);
        assertThat(policy.buffer()).isEqualTo(LinkPolicy.MOST);
        pass(64, 30_000, 8, true);
        assertThat(policy.buffer()).isEqualTo(8);
        pass(64_000, 1_000, 8, true);
        assertThat(policy.buffer()).isEqualTo(LinkPolicy.MOST);
    }

    @Test
    void aLinkReturnsToItsSizeForGoodWithTheFirstItemThatIsNotLight() {
        policy.grows(false);
        pass(64_000, 1_000, 8, true);
        pass(1, 1_000, 8, false);
        assertThat(policy.buffer()).isEqualTo(8);
        pass(64_000, 1_000, 8, true);
        assertThat(policy.buffer()).isEqualTo(8);
    }

    @Test
    void aLinkWhoseSizeWasSetStaysSo() {
        pass(64_000, 1_000, 1, true);
        assertThat(policy.buffer()).isEqualTo(8);
        policy.grows(false);
        policy.resize(5, -1);
        pass(64_000, 1_000, 1, true);
        assertThat(policy.buffer()).isEqualTo(5);
    }

    @Test
    void anotherConcurrencyDoesNotKeepALinkFromGrowing() {
        policy.grows(false);
        policy.resize(-1, 3);
        pass(64_000, 1_000, 1, true);
        assertThat(policy.buffer()).isEqualTo(LinkPolicy.MOST);
        assertThat(policy.capacity()).isEqualTo(LinkPolicy.MOST + 3);
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

    /// Passes so many items, of which one in `endEvery` finds the link empty.
    private void pass(int items, long nanos, int endEvery, boolean light) {
        for (int i = 0; i < items; i++) {
            now += nanos;
            policy.passed(i % endEvery == 0, light ? "item" : new byte[1]);
        }
    }
}
