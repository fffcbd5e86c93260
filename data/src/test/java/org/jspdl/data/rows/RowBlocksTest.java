package org.jspdl.data.rows;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Shape;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Rows of one 64-bit number, which is the sample's own.
class RowBlocksTest {
    private static final int ROWS = 4;

    private final BufferPool pool = BufferPool.create("rows", 1 << 20);
    private final RowBlocks blocks = RowBlocks.of(pool, ElementType.INT64, Shape.of(1), ROWS, 10);

    @AfterEach
    void closeThePool() {
        blocks.close();
        assertThat(pool.outstanding()).isZero();
        pool.close();
    }

    @Test
    void rowsThatCameInOrderStayWhereTheyAre() {
        List<Row> rows = claim(0, ROWS);
        long address = rows.getFirst().segment().address();

        try (var tensor = blocks.gather(rows).tensor()) {
            assertThat(tensor.segment().address()).isEqualTo(address);
            assertThat(numbers(tensor)).containsExactly(0, 1, 2, 3);
        }
    }

    @Test
    void theLastBatchOfAnEpochIsAsSmallAsItsSamplesAndTheNextEpochBeginsAnew() {
        blocks.gather(claim(0, 4)).tensor().close();
        blocks.gather(claim(4, 4)).tensor().close();
        List<Row> last = claim(8, 2);
        List<Row> next = claim(100, 4);

        try (var tensor = blocks.gather(last).tensor();
                var first = blocks.gather(next).tensor()) {
            assertThat(tensor.shape()).isEqualTo(Shape.of(2, 1));
            assertThat(numbers(tensor)).containsExactly(8, 9);
            assertThat(numbers(first)).containsExactly(100, 101, 102, 103);
        }
    }

    @Test
    void aFailedSamplesPlaceIsFilledFromTheNextBatchAndTheOrderSaysSo() {
        List<Row> rows = claim(0, 8);
        rows.remove(1).close();
        long address = rows.getFirst().segment().address();

        RowBlocks.Gathered first = blocks.gather(rows.subList(0, 4));
        try (var tensor = first.tensor()) {
            assertThat(tensor.segment().address()).isEqualTo(address);
            assertThat(numbers(tensor)).containsExactly(0, 4, 2, 3);
            assertThat(first.order()).containsExactly(0, 3, 1, 2);
        }
        rows.addAll(claim(8, 2));
        RowBlocks.Gathered second = blocks.gather(rows.subList(4, 8));
        try (var tensor = second.tensor()) {
            assertThat(numbers(tensor)).containsExactlyInAnyOrder(5, 6, 7, 8);
            assertThat(IntStream.of(second.order()).mapToLong(i -> i + 5).toArray())
                    .containsExactly(numbers(tensor));
        }
        rows.get(8).close();
    }

    @Test
    void samplesThatOvertookASlowOneAreCopiedAndTheSlowOneSpoilsNothing() {
        List<Row> rows = claim(0, 8);
        Row slow = rows.remove(0);

        try (var tensor = blocks.gather(rows.subList(0, 4)).tensor()) {
            slow.segment().set(ValueLayout.JAVA_LONG, 0, -1);
            assertThat(numbers(tensor)).containsExactly(1, 2, 3, 4);
            rows.add(0, slow);
            try (var rest = blocks.gather(List.of(slow, rows.get(5), rows.get(6), rows.get(7)))
                    .tensor()) {
                assertThat(numbers(rest)).containsExactlyInAnyOrder(-1, 5, 6, 7);
            }
        }
    }

    @Test
    void aBatchOfWhichEverySampleFailedGivesItsMemoryBack() {
        claim(0, 4).forEach(Row::close);

        assertThat(pool.outstanding()).isZero();
    }

    @Test
    void closingGivesBackABatchThatWasOnlyBegun() {
        List<Row> begun = claim(0, 2);
        blocks.close();
        assertThat(pool.outstanding()).isOne();

        begun.forEach(Row::close);
        begun.forEach(Row::close);

        assertThat(pool.outstanding()).isZero();
    }

    @Test
    void aBatchOfWhichNothingIsLeftIsBegunAnewWhateverItsFormerRowsDo() {
        List<Row> givenUp = claim(0, 3);
        givenUp.forEach(Row::close);
        List<Row> rows = claim(4, ROWS);
        long address = rows.getFirst().segment().address();
        givenUp.forEach(Row::close);

        assertThat(address).isEqualTo(givenUp.getFirst().segment().address());
        try (var tensor = blocks.gather(rows).tensor()) {
            assertThat(tensor.segment().address()).isEqualTo(address);
            assertThat(numbers(tensor)).containsExactly(4, 5, 6, 7);
        }
    }

    private List<Row> claim(int first, int count) {
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Row row = blocks.claim();
            row.segment().set(ValueLayout.JAVA_LONG, 0, first + i);
            rows.add(row);
        }
        return rows;
    }

    private static long[] numbers(org.jspdl.memory.Tensor tensor) {
        return LongStream.range(0, tensor.shape().extent(0))
                .map(i -> tensor.row(i).get(ValueLayout.JAVA_LONG, 0))
                .toArray();
    }
}
