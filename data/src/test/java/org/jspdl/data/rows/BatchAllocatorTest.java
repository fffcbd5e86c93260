package org.jspdl.data.rows;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Shape;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Rows of one 64-bit number, which is the sample's own.
class BatchAllocatorTest {
    private static final int ROWS = 4;
    /// The last sample of the epoch.
    private static final int LAST = 9;

    private final BufferPool pool = BufferPool.create("rows", 1 << 20);
    private final BatchAllocator allocator = BatchAllocator.of(pool, ElementType.INT64, Shape.of(1), ROWS);

    @AfterEach
    void closeThePool() {
        allocator.close();
        assertThat(pool.outstanding()).isZero();
        pool.close();
    }

    @Test
    void rowsThatCameInOrderStayWhereTheyAre() {
        List<BatchRow> rows = claim(0, ROWS);
        long address = rows.getFirst().segment().address();

        try (var tensor = stack(rows).tensor()) {
            assertThat(tensor.segment().address()).isEqualTo(address);
            assertThat(numbers(tensor)).containsExactly(0, 1, 2, 3);
        }
    }

    @Test
    void theLastBatchOfAnEpochIsAsSmallAsItsSamplesAndTheNextEpochBeginsAnew() {
        stack(claim(0, 4)).tensor().close();
        stack(claim(4, 4)).tensor().close();
        List<BatchRow> last = claim(8, 2);
        List<BatchRow> next = claim(100, 4);

        try (var tensor = stack(last).tensor();
                var first = stack(next).tensor()) {
            assertThat(tensor.shape()).isEqualTo(Shape.of(2, 1));
            assertThat(numbers(tensor)).containsExactly(8, 9);
            assertThat(numbers(first)).containsExactly(100, 101, 102, 103);
        }
    }

    @Test
    void aFailedSampleLeavesTheOthersInTheirOrderAndInTheirMemory() {
        List<BatchRow> rows = claim(0, 8);
        rows.remove(1).close();
        long address = rows.getFirst().segment().address();

        BatchAllocator.Stacked<BatchRow> first = stack(rows.subList(0, 4));
        try (var tensor = first.tensor()) {
            assertThat(tensor.segment().address()).isEqualTo(address);
            assertThat(numbers(tensor)).containsExactly(0, 2, 3, 4);
            assertThat(first.samples()).containsExactlyElementsOf(rows.subList(0, 4));
        }
        rows.addAll(claim(8, 2));
        long next = rows.get(4).segment().address() - Long.BYTES;
        try (var tensor = stack(rows.subList(4, 8)).tensor()) {
            assertThat(tensor.segment().address()).isEqualTo(next);
            assertThat(numbers(tensor)).containsExactly(5, 6, 7, 8);
        }
        rows.get(8).close();
    }

    @Test
    void samplesThatOvertookASlowOneAreCopiedAndTheSlowOneSpoilsNothing() {
        List<BatchRow> rows = claim(0, 8);
        BatchRow slow = rows.remove(0);

        try (var tensor = stack(rows.subList(0, 4)).tensor()) {
            slow.segment().set(ValueLayout.JAVA_LONG, 0, -1);
            assertThat(numbers(tensor)).containsExactly(1, 2, 3, 4);
            rows.add(0, slow);
            try (var rest =
                    stack(List.of(slow, rows.get(5), rows.get(6), rows.get(7))).tensor()) {
                assertThat(numbers(rest)).containsExactlyInAnyOrder(-1, 5, 6, 7);
            }
        }
    }

    @Test
    void aBatchOfWhichEverySampleFailedGivesItsMemoryBack() {
        claim(0, 4).forEach(BatchRow::close);

        assertThat(pool.outstanding()).isZero();
    }

    @Test
    void closingGivesBackABatchThatWasOnlyBegun() {
        List<BatchRow> begun = claim(0, 2);
        allocator.close();
        assertThat(pool.outstanding()).isOne();

        begun.forEach(BatchRow::close);
        begun.forEach(BatchRow::close);

        assertThat(pool.outstanding()).isZero();
    }

    @Test
    void aBatchOfWhichNothingIsLeftIsBegunAnewWhateverItsFormerRowsDo() {
        List<BatchRow> givenUp = claim(0, 3);
        givenUp.forEach(BatchRow::close);
        List<BatchRow> rows = claim(4, ROWS);
        long address = rows.getFirst().segment().address();
        givenUp.forEach(BatchRow::close);

        assertThat(address).isEqualTo(givenUp.getFirst().segment().address());
        try (var tensor = stack(rows).tensor()) {
            assertThat(tensor.segment().address()).isEqualTo(address);
            assertThat(numbers(tensor)).containsExactly(4, 5, 6, 7);
        }
    }

    private BatchAllocator.Stacked<BatchRow> stack(List<BatchRow> rows) {
        return allocator.stack(rows, row -> row);
    }

    private List<BatchRow> claim(int first, int count) {
        List<BatchRow> rows = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            BatchRow row = allocator.claim(0, first + i == LAST);
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
