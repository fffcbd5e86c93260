package org.jspdl.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SamplerTest {

    @ParameterizedTest
    @CsvSource({"0, 1", "1, 1", "10, 1", "10, 2", "10, 3", "100, 7", "3, 5", "1000, 64"})
    void ranksGetEquallyManyAndNoIndexTwice(long size, int worldSize) throws Exception {
        Set<Long> seen = new HashSet<>();
        for (int rank = 0; rank < worldSize; rank++) {
            Sampler sampler = Samplers.shuffled(size, 11).shard(rank, worldSize);
            List<Long> share = read(sampler, 2, Position.START);
            assertThat(share).hasSize((int) (size / worldSize)).hasSize((int)
                    sampler.size().orElseThrow());
            assertThat(share)
                    .allSatisfy(index ->
                            assertThat(seen.add(index)).as("%d twice", index).isTrue());
        }
        assertThat(seen).hasSize((int) (size / worldSize * worldSize)).allMatch(index -> index >= 0 && index < size);
    }

    @ParameterizedTest
    @CsvSource({"0, 1", "1, 1", "10, 3", "100, 7", "3, 5", "2, 7"})
    void paddedRanksGetEquallyManyAndEveryIndexAtLeastOnce(long size, int worldSize) throws Exception {
        Set<Long> seen = new HashSet<>();
        long each = (size + worldSize - 1) / worldSize;
        for (int rank = 0; rank < worldSize; rank++) {
            Sampler sampler = Samplers.shuffled(size, 11).shard(rank, worldSize).even(Even.REPEAT);
            List<Long> share = read(sampler, 0, Position.START);
            assertThat(share).hasSize((int) each).hasSize((int) sampler.size().orElseThrow());
            seen.addAll(share);
        }
        assertThat(seen).hasSize((int) size);
    }

    @Test
    void anOrderWhosePlacesCannotBeCountedIsNotAnEmptyOne() {
        Sampler most = Samplers.sequential(Long.MAX_VALUE).shard(2, 3).even(Even.REPEAT);

        assertThatThrownBy(() -> most.open(0, Position.START)).isInstanceOf(ArithmeticException.class);
    }

    @Test
    void theLastItemIsTheOneBeforeWhereAnotherNumberOfRanksEnded() throws Exception {
        RankedSource<Boolean> lasts = Samplers.sequential(50).shard(0, 2).items("lasts", (_, _, last) -> last);

        assertThat(Read.from(lasts, 0, new Position(4, "9"))).containsExactly(false, false, true);
        assertThat(Read.from(lasts, 0, Position.at(46))).containsExactly(false, true);
    }

    @Test
    void readingGoesOnFromAnyPositionOnAnyRank() throws Exception {
        for (int rank = 0; rank < 3; rank++) {
            Sampler sampler = Samplers.shuffled(50, 5).shard(rank, 3).even(Even.REPEAT);
            List<Long> whole = read(sampler, 4, Position.START);
            Cursor<Long> cursor = sampler.open(4, Position.START);
            for (int taken = 0; cursor.advance(); ) {
                taken++;
                assertThat(read(sampler, 4, cursor.position())).isEqualTo(whole.subList(taken, whole.size()));
            }
        }
    }

    @Test
    void withoutShufflingTheOrderIsThatOfTheIndices() throws Exception {
        assertThat(read(Samplers.sequential(5), 3, Position.START)).containsExactly(0L, 1L, 2L, 3L, 4L);
        assertThat(read(Samplers.sequential(7).shard(1, 3), 0, Position.START)).containsExactly(1L, 4L);
    }

    @Test
    void shufflingDiffersByEpochAndBySeedAndRepeats() throws Exception {
        Sampler sampler = Samplers.shuffled(100, 1);
        List<Long> order = read(sampler, 0, Position.START);
        assertThat(order)
                .containsExactlyInAnyOrderElementsOf(
                        LongStream.range(0, 100).boxed().toList());
        assertThat(read(sampler, 0, Position.START)).isEqualTo(order);
        assertThat(read(sampler, 1, Position.START)).isNotEqualTo(order);
        assertThat(read(Samplers.shuffled(100, 2), 0, Position.START)).isNotEqualTo(order);
    }

    @Test
    void ranksTogetherFollowTheOrderOfOneRank() throws Exception {
        List<Long> alone = read(Samplers.shuffled(12, 9), 0, Position.START);
        for (int rank = 0; rank < 4; rank++) {
            List<Long> share = read(Samplers.shuffled(12, 9).shard(rank, 4), 0, Position.START);
            assertThat(share).containsExactly(alone.get(rank), alone.get(rank + 4), alone.get(rank + 8));
        }
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "-1, 2", "2, 2", "0, -1"})
    void ranksOutsideTheWorldAreRefused(int rank, int worldSize) {
        assertThatThrownBy(() -> Samplers.sequential(5).shard(rank, worldSize))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(String.valueOf(rank))
                .hasMessageContaining(String.valueOf(worldSize));
    }

    @Test
    void aNegativeSizeIsRefused() {
        assertThatThrownBy(() -> Samplers.shuffled(-1, 0)).hasMessageContaining("-1");
    }

    private static List<Long> read(Sampler sampler, long epoch, Position from) throws Exception {
        List<Long> items = new ArrayList<>();
        try (Cursor<Long> cursor = sampler.open(epoch, from)) {
            while (cursor.advance()) {
                items.add(cursor.item());
            }
        }
        return items;
    }
}
