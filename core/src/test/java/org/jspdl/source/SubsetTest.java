package org.jspdl.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class SubsetTest {

    @Test
    void aSplitHasEveryIndexInOnePart() throws Exception {
        Subset train = Subset.randomSplit(1_000, 5, 0, 900);
        Subset validation = Subset.randomSplit(1_000, 5, 900, 1_000);
        List<Long> both = new ArrayList<>(Read.all(Samplers.shuffled(900, 1).within(train), 0));
        both.addAll(Read.all(Samplers.sequential(100).within(validation), 0));

        assertThat(both)
                .containsExactlyInAnyOrderElementsOf(
                        LongStream.range(0, 1_000).boxed().toList());
    }

    @Test
    void listedIndicesAndRangesAreVisitedByTheirNumbers() throws Exception {
        assertThat(Read.all(Samplers.sequential(3).within(Subset.of(5, 1L << 40, 5)), 0))
                .containsExactly(5L, 1L << 40, 5L);
        assertThat(Read.all(Samplers.sequential(3).within(Subset.of(9, 2, 4)), 7))
                .containsExactly(9L, 2L, 4L);
        assertThat(Read.all(Samplers.sequential(3).within(Subset.range(10, 14)), 0))
                .containsExactly(10L, 11L, 12L);
    }

    @Test
    void passesOfARepeatedOrderDiffer() throws Exception {
        List<Long> twice = Read.all(Samplers.shuffled(50, 3).repeated(2), 1);
        assertThat(twice.subList(0, 50)).isEqualTo(Read.all(Samplers.shuffled(50, 3), 2));
        assertThat(twice.subList(50, 100)).isEqualTo(Read.all(Samplers.shuffled(50, 3), 3));
    }

    @Test
    void anOrderOfTheUsersOwnIsDealtLikeOthers() throws Exception {
        IndexOrder backwards = IndexOrder.of(10, "backwards", (epoch, place) -> 9 - place);
        assertThat(Read.all(Samplers.of(backwards).shard(1, 3), 0)).containsExactly(8L, 5L, 2L);
        assertThat(Samplers.of(backwards).shard(1, 3)).hasToString("backwards.shard(1, 3)");
    }

    @Test
    void whatDoesNotFitIsRefused() {
        assertThatThrownBy(() -> Samplers.sequential(4).within(Subset.range(0, 3)))
                .hasMessageContaining("4")
                .hasMessageContaining("3");
        assertThatThrownBy(() -> Samplers.sequential(4).limited(5)).hasMessageContaining("5");
        assertThatThrownBy(() -> Samplers.sequential(4).repeated(0)).hasMessageContaining("0");
        assertThatThrownBy(() -> Subset.range(3, 2)).hasMessageContaining("3 to 2");
        assertThatThrownBy(() -> Subset.of(1, -1)).hasMessageContaining("-1");
        assertThatThrownBy(() -> Subset.randomSplit(10, 0, 5, 11)).hasMessageContaining("11");
    }

    /// The best of some attempts, because another process may hold the processor during one.
    @Test
    void aBillionSamplesTakeNoTimeToBegin() throws Exception {
        long size = 1_000_000_000;
        long best = Long.MAX_VALUE;
        for (int attempt = 0; attempt < 50; attempt++) {
            long begun = System.nanoTime();
            Sampler sampler = Samplers.shuffled(size, attempt).shard(511, 1024);
            try (Cursor<Long> cursor = sampler.open(9, Position.at(999_999_999 - 1_023))) {
                cursor.advance();
                assertThat(cursor.item()).isBetween(0L, size - 1);
            }
            best = Math.min(best, System.nanoTime() - begun);
        }
        // What made a list of them would take seconds.
        assertThat(best).isLessThan(100_000_000);
    }
}
