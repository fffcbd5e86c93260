package org.jspdl.python;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PrefetchLimitTest {
    private static final long BYTES = 10L << 20;

    private long handed;
    private long taken;

    @Test
    void anAdaptiveLimitGrowsOnlyWhenTheTrainerFindsNothingReadyThoughTheLoaderHadTime() {
        PrefetchLimit limit = PrefetchLimit.of(0, 32);
        assertThat(limit.prefetch()).isEqualTo(1);

        for (int i = 0; i < PrefetchLimit.UNEVEN; i++) {
            assertThat(limit.prefetch()).isEqualTo(1);
            fill(limit, BYTES);
            assertThat(limit.isSpent()).isTrue(); // the loader waits
            takeAll(limit);
        }
        assertThat(limit.prefetch()).isEqualTo(2);

        hand(limit, BYTES);
        takeAll(limit); // nothing is ready, but the loader has not had time either
        assertThat(limit.prefetch()).isEqualTo(2);
    }

    @Test
    void aTrainerThatIsFasterThanTheLoaderGetsNoLargerOne() {
        PrefetchLimit limit = PrefetchLimit.of(0, 32);
        for (int i = 0; i < 5000; i++) {
            assertThat(limit.isSpent()).isFalse();
            hand(limit, BYTES);
            takeAll(limit);
        }
        assertThat(limit.prefetch()).isEqualTo(1);
    }

    @Test
    void aLoaderThatIsTooSlowGetsNoLargerOneForHavingWaitedNowAndThen() {
        PrefetchLimit limit = PrefetchLimit.of(0, 32);
        for (int pause = 0; pause < 100; pause++) {
            fill(limit, BYTES); // while the trainer starts, or validates
            takeAll(limit);
            for (int i = 0; i < 10; i++) {
                assertThat(limit.isSpent()).isFalse();
                hand(limit, BYTES);
                takeAll(limit);
            }
        }
        assertThat(limit.prefetch()).isEqualTo(1);
    }

    @Test
    void aTrainerThatIsAlwaysSlowerGetsNoLargerOne() {
        PrefetchLimit limit = PrefetchLimit.of(0, 32);
        fill(limit, BYTES);
        for (int i = 0; i < 5000; i++) {
            assertThat(limit.isSpent()).isTrue();
            limit.taken(++taken);
            hand(limit, BYTES);
        }
        assertThat(limit.prefetch()).isEqualTo(1);
    }

    @Test
    void growthEndsAtItsBatchesOrBytesAndSmallBatchesHaveTheirOwnRule() {
        assertThat(grown(BYTES)).isEqualTo(PrefetchLimit.MOST - 1);
        assertThat(grown(60L << 20)).isEqualTo(4); // 5 of 60 MiB are more than 256
        assertThat(grown(1000)).isEqualTo(1);
    }

    @Test
    void aLimitThatIsNotNeededAnyMoreShrinksAgain() {
        PrefetchLimit limit = PrefetchLimit.of(0, 32);
        for (int i = 0; i < PrefetchLimit.UNEVEN; i++) {
            fill(limit, BYTES);
            takeAll(limit);
        }
        fill(limit, BYTES);
        for (int i = 0; i < PrefetchLimit.CALM; i++) {
            assertThat(limit.prefetch()).isEqualTo(2);
            limit.taken(++taken);
            hand(limit, BYTES);
        }
        assertThat(limit.prefetch()).isEqualTo(1);
    }

    @Test
    void aFixedLimitStays() {
        PrefetchLimit limit = PrefetchLimit.of(3, 32);
        for (int i = 0; i < 100; i++) {
            fill(limit, BYTES);
            takeAll(limit);
        }
        assertThat(limit.prefetch()).isEqualTo(3);
    }

    private int grown(long bytes) {
        handed = 0;
        taken = 0;
        PrefetchLimit limit = PrefetchLimit.of(0, 32);
        for (int i = 0; i < 100; i++) {
            fill(limit, bytes);
            takeAll(limit);
        }
        return limit.prefetch();
    }

    private void fill(PrefetchLimit limit, long bytes) {
        while (!limit.isSpent()) {
            hand(limit, bytes);
        }
    }

    private void hand(PrefetchLimit limit, long bytes) {
        handed++;
        var _ = limit.handOver(bytes);
    }

    private void takeAll(PrefetchLimit limit) {
        taken = handed;
        limit.taken(taken);
    }
}
