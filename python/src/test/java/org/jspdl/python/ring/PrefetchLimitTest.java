package org.jspdl.python.ring;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
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
    void theRunIsToldOfTheRoomThatBatchesLeaveAndOfNoLimitWhenTheTrainerWaits() {
        PrefetchLimit limit = PrefetchLimit.of(0, 32);
        List<Integer> room = new ArrayList<>();
        limit.confines((most, handedOver) -> room.add(most));

        hand(limit, BYTES);
        hand(limit, BYTES);
        limit.taken(1);
        takeAll(limit);
        assertThat(room).containsExactly(1, 0, 1, Integer.MAX_VALUE);
    }

    @Test
    void anEpochsEndTakesNoRoomAndTheTrainerDoesNotWaitBeforeItHasAskedAgain() {
        PrefetchLimit limit = PrefetchLimit.of(0, 32);
        List<Integer> room = new ArrayList<>();
        limit.confines((most, handedOver) -> room.add(most));

        hand(limit, BYTES);
        handed++;
        limit.endEpoch();
        limit.taken(1);
        takeAll(limit);
        assertThat(room).containsExactly(1, 1, 2, Integer.MAX_VALUE);
    }

    /// Three short steps and a long one, with a loader that is fast enough on average.
    @Test
    void aTrainerWhoseStepsDifferGetsAsManyAsARunHoldsBesideThoughItOutrunsTheLoaderMostOfTheTime() {
        PrefetchLimit confining = PrefetchLimit.of(0, 32);
        confining.confines((most, handedOver) -> {});
        PrefetchLimit beside = PrefetchLimit.of(0, 32);
        for (PrefetchLimit limit : List.of(confining, beside)) {
            handed = 0;
            for (int cycle = 0; cycle < 100; cycle++) {
                fill(limit, BYTES);
                takeAll(limit);
                for (int step = 0; step < 3; step++) {
                    hand(limit, BYTES);
                    takeAll(limit);
                }
            }
        }
        assertThat(confining.prefetch()).isEqualTo(PrefetchLimit.AS_BESIDE - 1);
        assertThat(beside.prefetch()).isEqualTo(1);
    }

    /// A loader that makes a batch in 50 ms, and a trainer whose clock is moved by hand.
    private static final class Played {
        static final long MAKING = 50;
        static final long STEP = 20;

        final List<Integer> room = new ArrayList<>();
        final PrefetchLimit limit;
        private long now;
        private long begun; // the batch that the loader makes
        private long made;
        private long got;

        Played() {
            limit = PrefetchLimit.of(0, 32, () -> now);
            limit.confines((most, handedOver) -> room.add(most));
            until(MAKING);
        }

        /// The loader goes on until then, as far as it may.
        private void until(long then) {
            while (!limit.isSpent() && begun + MAKING <= then) {
                begun += MAKING;
                now = begun;
                var _ = limit.handOver(BYTES);
                made++;
            }
            now = then;
            begun = limit.isSpent() ? now : begun;
        }

        /// The trainer works at a batch so long, and takes the next; whether it had to wait for it.
        boolean step(long duration) {
            until(now + duration);
            limit.taken(++got);
            boolean waits = got == made;
            if (waits) {
                until(begun + MAKING);
            }
            return waits;
        }
    }

    @Test
    void aTrainerThatWaitsByHabitIsSparedThatFromTheSecondTimeOn() {
        Played played = new Played();
        for (int cycle = 0; cycle < 2; cycle++) {
            assertThat(played.limit.prefetch()).isEqualTo(1);
            assertThat(played.step(160)).isFalse();
            assertThat(played.step(Played.STEP)).isTrue();
            assertThat(played.step(Played.STEP)).isTrue();
            assertThat(played.step(Played.STEP)).isTrue();
        }
        // 110 ms of a long step were left, for two batches more.
        assertThat(played.limit.prefetch()).isEqualTo(PrefetchLimit.AS_BESIDE - 1);

        assertThat(played.step(160)).isFalse();
        assertThat(played.step(Played.STEP)).isFalse();
        assertThat(played.step(Played.STEP)).isFalse();
        assertThat(played.room).contains(PrefetchLimit.AS_BESIDE - 1);
    }

    @Test
    void aTrainerThatWaitsRarelyIsNot() {
        Played played = new Played();
        for (int cycle = 0; cycle < 20; cycle++) {
            assertThat(played.step(1_000)).isFalse();
            for (int step = 0; step <= StandStills.NEAR; step++) {
                assertThat(played.step(Played.STEP)).isTrue();
            }
        }
        assertThat(played.limit.prefetch()).isEqualTo(1);
    }

    @Test
    void aLoaderThatStoodStillForLessThanABatchTakesIsAllowedOneMoreTheThirdTimeOnly() {
        Played played = new Played();
        for (int cycle = 0; cycle < PrefetchLimit.UNEVEN; cycle++) {
            assertThat(played.limit.prefetch()).isEqualTo(1);
            assertThat(played.step(Played.MAKING + 40)).isFalse();
            assertThat(played.step(Played.STEP)).isTrue();
        }
        assertThat(played.limit.prefetch()).isEqualTo(2);
    }

    @Test
    void aLoaderThatIsTooSlowConfinesNoLessForHavingWaitedBetweenEpochs() {
        PrefetchLimit limit = PrefetchLimit.of(0, 32);
        limit.confines((most, handedOver) -> {});
        for (int epoch = 0; epoch < 100; epoch++) {
            fill(limit, BYTES); // while the trainer validates
            takeAll(limit);
            for (int i = 0; i < 30; i++) {
                hand(limit, BYTES);
                takeAll(limit);
            }
            hand(limit, BYTES);
            handed++;
            limit.endEpoch();
            assertThat(limit.isSpent()).isTrue();
            takeAll(limit);
        }
        assertThat(limit.prefetch()).isEqualTo(1);
    }

    @Test
    void smallBatchesAndFixedLimitsConfineNothing() {
        List<Integer> room = new ArrayList<>();
        PrefetchLimit small = PrefetchLimit.of(0, 32);
        small.confines((most, handedOver) -> room.add(most));
        hand(small, 1000);
        assertThat(room).containsExactly(Integer.MAX_VALUE);

        PrefetchLimit fixed = PrefetchLimit.of(1, 32);
        fixed.confines((most, handedOver) -> room.add(most));
        hand(fixed, BYTES);
        assertThat(room).hasSize(1);
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
