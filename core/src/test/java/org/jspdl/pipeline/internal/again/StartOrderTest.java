package org.jspdl.pipeline.internal.again;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspdl.pipeline.SourcePlace;
import org.junit.jupiter.api.Test;

class StartOrderTest {
    private static List<SourcePlace> places(long... all) {
        List<SourcePlace> places = new ArrayList<>();
        for (long place : all) {
            places.add(new SourcePlace(0, place));
        }
        return places;
    }

    private static List<Long> started(List<SourcePlace> delivered, long first) {
        return StartOrder.of(delivered, first).places().stream()
                .map(SourcePlace::place)
                .toList();
    }

    @Test
    void whatOthersHadPassedIsStartedBeforeTheFirstOfThem() {
        assertThat(started(places(0, 2, 3, 4, 1, 5), 1)).containsExactly(0L, 1L, 2L, 3L, 4L, 5L);
        assertThat(started(places(7, 9, 8, 3), 0)).containsExactly(3L, 7L, 8L, 9L);
        assertThat(StartOrder.of(places(0, 2, 4, 7), 1).isAnother()).isFalse();
        assertThat(StartOrder.of(places(0, 2, 2, 1), 1).isAnother())
                .as("places that come twice have no turn of their own")
                .isFalse();
    }

    /// Item 200 was delivered behind item 500, 300 turns late: it begins 62 turns before it did, and no other
    /// moves.
    @Test
    void whoeverWasLateIsStartedALittleEarlierThanThen() {
        List<SourcePlace> delivered = new ArrayList<>();
        for (long place = 0; place < 600; place++) {
            if (place != 200) {
                delivered.add(new SourcePlace(0, place));
            }
            if (place == 500) {
                delivered.add(new SourcePlace(0, 200));
            }
        }
        List<Long> started = started(delivered, 1);
        List<Long> others = new ArrayList<>(started);
        others.remove(200L);

        assertThat(started.indexOf(200L)).isEqualTo(1 + 200 - 32 - 300 / 10); // behind item 138
        assertThat(others).isSorted();
    }

    @Test
    void whatTellsHowMuchItemsWeighIsStartedFirst() {
        assertThat(started(places(5, 6, 7, 8, 9, 0, 1), 3))
                .startsWith(5L, 6L, 7L)
                .hasSize(7);
    }

    /// No item is far from its turn, so the results that wait for one are bounded.
    @Test
    void anyOrderHasAllItemsInTurnAndNoneFarFromIt() {
        for (int seed = 0; seed < 40; seed++) {
            Random random = new Random(seed);
            int size = 1 + random.nextInt(seed % 10 == 0 ? 60_000 : 300);
            Map<Integer, Long> next = new HashMap<>();
            List<SourcePlace> delivered = new ArrayList<>();
            for (int i = 0; i < size; i++) {
                int source = random.nextInt(3);
                delivered.add(new SourcePlace(source, next.merge(source, 1L + random.nextInt(3), Long::sum)));
            }
            for (int moves = random.nextInt(20); moves > 0; moves--) {
                delivered.add(random.nextInt(size), delivered.remove(random.nextInt(size)));
            }
            if (seed % 4 == 0) {
                Collections.shuffle(delivered, random);
            }
            long first = random.nextInt(5);
            StartOrder order = StartOrder.of(delivered, first);

            long farthest = 0;
            List<SourcePlace> inTurn = new ArrayList<>(Collections.nCopies(size, new SourcePlace(9, 9)));
            for (int at = 0; at < size; at++) {
                SourcePlace place = order.places().get(at);
                int turn = Math.toIntExact(order.turns().of(place.source(), place.place()));
                inTurn.set(turn, place);
                farthest = Math.max(farthest, Math.abs(turn - at));
            }

            assertThat(order.places()).hasSize(size);
            assertThat(inTurn.equals(delivered)).as("seed %d", seed).isTrue();
            assertThat(farthest).as("seed %d", seed).isLessThanOrEqualTo(StartOrder.MOST_AHEAD);
            assertThat(order.places().subList(0, (int) Math.min(first, size)))
                    .isEqualTo(delivered.subList(0, (int) Math.min(first, size)));
        }
    }
}
