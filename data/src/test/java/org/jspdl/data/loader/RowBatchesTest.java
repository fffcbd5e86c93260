package org.jspdl.data.loader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.jspdl.data.dataset.Dataset;
import org.jspdl.data.dataset.IterableDataset;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Shape;
import org.jspdl.memory.Tensor;
import org.jspdl.pipeline.Checkpoint;
import org.jspdl.pipeline.PipelineException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Batches whose rows are written where they stay: a row that was copied lies where another number was written, or
/// none.
class RowBatchesTest {
    private static final int SIZE = 100;
    private static final int BATCH = 16; // which leaves a rest

    private final Map<Long, Long> writtenAt = new ConcurrentHashMap<>();
    private final AtomicInteger written = new AtomicInteger();

    private record Numbers(long size) implements Dataset<Long> {
        @Override
        public Long get(long index) {
            return index;
        }
    }

    private DataLoader<RowBatch<Long>> loader(LoaderItems<Long> items) {
        return items.batchRows(BATCH, ElementType.INT64, Shape.of(2), 1 << 20, (number, row) -> {
                    row.set(ValueLayout.JAVA_LONG, 0, number);
                    row.set(ValueLayout.JAVA_LONG, 8, -number);
                    writtenAt.put(row.address(), number);
                    written.incrementAndGet();
                })
                .prefetch(8)
                .build();
    }

    private DataLoader<RowBatch<Long>> shuffled(int workers) {
        return loader(DataLoader.of(new Numbers(SIZE)).shuffle(5).numWorkers(workers));
    }

    /// The numbers of a batch, which must lie where they were written.
    private List<Long> inPlace(RowBatch<Long> batch) {
        try (batch) {
            for (int i = 0; i < batch.size(); i++) {
                var row = batch.tensor().row(i);
                long number = row.get(ValueLayout.JAVA_LONG, 0);
                assertThat(number).isEqualTo(batch.items().get(i));
                assertThat(row.get(ValueLayout.JAVA_LONG, 8)).isEqualTo(-number);
                assertThat(writtenAt).as("row %d of %s", i, batch.items()).containsEntry(row.address(), number);
            }
            return batch.items();
        }
    }

    private List<Long> epoch(DataLoader<RowBatch<Long>> loader) {
        List<Long> numbers = new ArrayList<>();
        for (RowBatch<Long> batch : loader) {
            numbers.addAll(inPlace(batch));
        }
        return numbers;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5})
    void nothingIsCopiedAlsoAfterAResume(int workers) {
        Set<Long> delivered = new HashSet<>();
        Checkpoint state;
        try (DataLoader<RowBatch<Long>> loader = shuffled(workers)) {
            Iterator<RowBatch<Long>> epoch = loader.iterator();
            for (int i = 0; i < 3; i++) {
                delivered.addAll(inPlace(epoch.next()));
            }
            state = loader.state();
        }
        try (DataLoader<RowBatch<Long>> loader = shuffled(workers)) {
            loader.restore(state);
            delivered.addAll(epoch(loader));
            assertThat(delivered).hasSize(SIZE);
            assertThat(epoch(loader)).hasSize(SIZE).doesNotHaveDuplicates();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5})
    void nothingIsCopiedWhereAnEpochHadBeenReadToItsEndBeforeTheResume(int workers) {
        Checkpoint state;
        try (DataLoader<RowBatch<Long>> loader = shuffled(workers)) {
            inPlace(loader.iterator().next());
            while (written.get() < SIZE) {
                Thread.onSpinWait();
            }
            state = Checkpoint.parse(loader.state().toJson());
        }
        try (DataLoader<RowBatch<Long>> loader = shuffled(workers)) {
            loader.restore(state);
            assertThat(epoch(loader)).hasSize(SIZE - BATCH).doesNotHaveDuplicates();
            assertThat(epoch(loader)).hasSize(SIZE).doesNotHaveDuplicates();
        }
    }

    @Test
    void aLoaderThatIsSetBackBeginsWithABatchOfItsOwn() {
        try (DataLoader<RowBatch<Long>> loader = shuffled(2)) {
            Iterator<RowBatch<Long>> first = loader.iterator();
            inPlace(first.next());
            Checkpoint state = loader.state();
            inPlace(first.next());

            loader.restore(state);

            assertThat(epoch(loader)).hasSize(SIZE - BATCH);
        }
    }

    @Test
    void theRanksOfADatasetKeepTheirBatchesApartToo() {
        Set<Long> seen = new HashSet<>();
        for (int rank = 0; rank < 3; rank++) {
            try (DataLoader<RowBatch<Long>> loader =
                    loader(DataLoader.of(new Numbers(SIZE)).shuffle(5).shard(rank, 3))) {
                assertThat(epoch(loader)).hasSize(33);
                seen.addAll(epoch(loader));
            }
        }
        assertThat(seen).hasSize(99);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5})
    void streamsKeepTheirOrderWhateverTheWorkersAndNothingIsCopied(int workers) {
        IterableDataset<Long> stream = epoch -> LongStream.range(0, SIZE).iterator();
        try (DataLoader<RowBatch<Long>> loader = loader(DataLoader.of(stream)
                .preprocess(number -> number * 2)
                .preprocess(number -> number + 1)
                .numWorkers(workers))) {
            for (int epoch = 0; epoch < 3; epoch++) {
                assertThat(epoch(loader))
                        .isEqualTo(LongStream.range(0, SIZE)
                                .map(number -> number * 2 + 1)
                                .boxed()
                                .toList());
            }
        }
    }

    @Test
    void aBatchClosesItsItemsOnceAndALentOneClosesNothing() {
        List<String> closed = new ArrayList<>();
        record Item(String name, List<String> closed) implements AutoCloseable {
            @Override
            public void close() throws IOException {
                closed.add(name);
                if (name.equals("a")) {
                    throw new IOException("stuck");
                }
            }
        }
        try (BufferPool pool = BufferPool.create("rows", 1 << 10)) {
            RowBatch<Item> batch = RowBatch.owning(
                    Tensor.allocate(ElementType.UINT8, Shape.of(2, 1), pool),
                    List.of(new Item("a", closed), new Item("b", closed)));
            batch.view().close();
            assertThat(closed).isEmpty();
            assertThat(pool.outstanding()).isEqualTo(1);

            assertThatThrownBy(batch::close).hasRootCauseMessage("stuck");
            batch.close();

            assertThat(closed).containsExactly("a", "b");
            assertThat(pool.outstanding()).isZero();
        }
    }

    @Test
    void whatAStreamsStepsLeaveBehindWhenTheyFailIsClosed() {
        AtomicInteger open = new AtomicInteger();
        record Item(long number, AtomicInteger open) implements AutoCloseable {
            @Override
            public void close() {
                open.decrementAndGet();
            }
        }
        IterableDataset<Long> stream = epoch -> LongStream.range(0, 10).iterator();
        LoaderItems<Long> failing = DataLoader.of(stream)
                .numWorkers(1)
                .preprocess(number -> {
                    open.incrementAndGet();
                    return new Item(number, open);
                })
                .preprocess(item -> {
                    if (item.number() == 5) {
                        throw new IOException("number 5");
                    }
                    item.close();
                    return item.number();
                });
        try (DataLoader<RowBatch<Long>> loader = loader(failing)) {
            assertThatThrownBy(() -> epoch(loader))
                    .isInstanceOf(PipelineException.class)
                    .hasMessageContaining("number 5");
        }
        assertThat(open).hasValue(0);
    }
}
