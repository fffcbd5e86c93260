package org.jspdl.data.loader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspdl.data.dataset.Dataset;
import org.jspdl.data.dataset.IterableDataset;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Shape;
import org.jspdl.pipeline.Checkpoint;
import org.jspdl.pipeline.FailurePolicy;
import org.jspdl.pipeline.Order;
import org.jspdl.pipeline.PipelineException;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.source.BatchSampler;
import org.jspdl.source.Even;
import org.jspdl.source.Samplers;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DataLoaderTest {
    private static final int SIZE = 100;

    private record Numbers(long size) implements Dataset<Long> {
        @Override
        public Long get(long index) {
            return index;
        }
    }

    @Test
    void eachLoopIsAnEpochInTheOrderOfTheDataset() {
        try (DataLoader<List<Long>> loader =
                DataLoader.of(new Numbers(SIZE)).numWorkers(3).batchSize(16).build()) {
            assertThat(loader.size()).hasValue(7);
            for (int epoch = 0; epoch < 3; epoch++) {
                assertThat(flat(loader)).isEqualTo(numbers());
                assertThat(loader.epoch()).isEqualTo(epoch);
            }
        }
    }

    @Test
    void shufflingDropsPaddingAndShardsAreThoseOfTheSamplers() {
        try (DataLoader<List<Long>> loader = DataLoader.of(new Numbers(SIZE))
                .preprocess(number -> number + 1000)
                .shuffle(7)
                .shard(1, 3)
                .batchSize(8)
                .dropLast()
                .build()) {
            assertThat(loader.size()).hasValue(4);
            List<Long> first = flat(loader);
            assertThat(first).hasSize(32).doesNotHaveDuplicates().allMatch(number -> number >= 1000);
            assertThat(flat(loader)).hasSize(32).isNotEqualTo(first);
        }
        try (DataLoader<Long> loader = DataLoader.of(new Numbers(SIZE))
                .shard(2, 3)
                .even(Even.REPEAT)
                .unbatched()
                .build()) {
            assertThat(loader.size()).hasValue(34);
        }
    }

    @Test
    void aLoopLeftEarlyHasEndedItsEpoch() {
        try (DataLoader<List<Long>> loader =
                DataLoader.of(new Numbers(SIZE)).shuffle(3).batchSize(10).build()) {
            assertThat(loader.iterator().next()).hasSize(10);
            assertThat(new HashSet<>(flat(loader))).hasSize(SIZE);
            assertThat(loader.epoch()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource(Order.class)
    void aRestoredLoaderGoesOnWhereTheOtherStoodWhateverTheWorkers(Order order) {
        Set<Long> delivered = new HashSet<>();
        int batches = 0;
        Checkpoint state;
        try (DataLoader<List<Long>> loader = DataLoader.of(new Numbers(SIZE))
                .shuffle(3)
                .numWorkers(4)
                .order(order)
                .batchSize(9)
                .build()) {
            flat(loader);
            Iterator<List<Long>> second = loader.iterator();
            for (; batches < 5; batches++) {
                delivered.addAll(second.next());
            }
            state = Checkpoint.parse(loader.state().toJson());
        }
        try (DataLoader<List<Long>> loader = DataLoader.of(new Numbers(SIZE))
                .shuffle(3)
                .numWorkers(2)
                .order(order)
                .batchSize(9)
                .build()) {
            flat(loader);
            loader.restore(state);
            for (List<Long> batch : loader) {
                delivered.addAll(batch);
                batches++;
            }
            assertThat(loader.epoch()).isEqualTo(1);
            assertThat(delivered).hasSize(SIZE);
            assertThat(batches).isEqualTo(12);
            assertThat(new HashSet<>(flat(loader))).hasSize(SIZE);
            assertThat(loader.epoch()).isEqualTo(2);
        }
    }

    @Test
    void aStateBehindTheLastBatchBeginsTheNextEpoch() {
        try (DataLoader<List<Long>> loader =
                DataLoader.of(new Numbers(20)).batchSize(10).build()) {
            Iterator<List<Long>> epoch = loader.iterator();
            epoch.next();
            epoch.next();
            loader.restore(loader.state());
            assertThat(flat(loader)).hasSize(20);
            assertThat(loader.epoch()).isEqualTo(1);
        }
    }

    @Test
    void boundedEpochsEnd() {
        try (DataLoader<Long> loader = DataLoader.of(new Numbers(3))
                .unbatched()
                .options(RunOptions.defaults().epochs(2))
                .build()) {
            assertThat(items(loader)).hasSize(3);
            assertThat(items(loader)).hasSize(3);
            assertThatThrownBy(loader::iterator).hasMessageContaining("2 epochs");
        }
    }

    @Test
    void aBatchSamplerFormsTheBatches() {
        int[] lengths = IntStream.range(0, SIZE).map(i -> 1 + i % 20).toArray();
        BatchSampler sampler = BatchSampler.byTokens(lengths, 60).shuffled(1);
        try (DataLoader<List<Long>> loader =
                DataLoader.of(new Numbers(SIZE)).batchSampler(sampler).build()) {
            List<List<Long>> batches = items(loader);
            assertThat(batches).hasSize((int) loader.size().orElseThrow());
            assertThat(batches)
                    .allSatisfy(batch -> assertThat(batch.stream()
                                    .mapToInt(i -> lengths[i.intValue()])
                                    .max()
                                    .orElseThrow())
                            .matches(longest -> longest * batch.size() <= 60));
            assertThat(batches.stream().flatMap(List::stream)).containsExactlyInAnyOrderElementsOf(numbers());
        }
    }

    @Test
    void streamsAreLoadedInTheirOrder() {
        IterableDataset<Long> stream =
                epoch -> LongStream.range(0, 10).map(i -> i + 10 * epoch).iterator();
        try (DataLoader<List<String>> loader =
                DataLoader.of(stream).preprocess(i -> "n" + i).batchSize(4).build()) {
            assertThat(loader.size()).isEmpty();
            assertThat(items(loader).getLast()).containsExactly("n8", "n9");
            assertThat(items(loader).getFirst()).containsExactly("n10", "n11", "n12", "n13");
        }
        assertThatThrownBy(() -> DataLoader.of(stream).shuffle(1).batchSize(2).build())
                .hasMessageContaining("ShardStream");
        assertThatThrownBy(() -> DataLoader.of(stream).batchSampler(BatchSampler.byTokens(new int[0], 1)))
                .hasMessageContaining("index");
    }

    @Test
    void collatedAndTransferredBatchesFreeTheirMemory() {
        BufferPool pool = BufferPool.create("loader", 1 << 20);
        List<Thread> threads = new ArrayList<>();
        try (pool;
                DataLoader<TensorBatch> loader = DataLoader.of(new Numbers(10))
                        .batchSize(4)
                        .collate(Collation.<Long>in(pool).stack("number", number -> number))
                        .transfer(batch -> {
                            threads.add(Thread.currentThread());
                            return batch;
                        })
                        .prefetch(2)
                        .build()) {
            List<Long> numbers = new ArrayList<>();
            for (TensorBatch batch : loader) {
                try (batch) {
                    for (long number : batch.tensor("number").segment().toArray(ValueLayout.JAVA_LONG)) {
                        numbers.add(number);
                    }
                }
            }
            assertThat(numbers).containsExactly(0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L);
            assertThat(new HashSet<>(threads)).hasSize(1);
        }
        assertThat(pool.outstanding()).isZero();
    }

    @RepeatedTest(20)
    void skippedRowsLeaveNoHolesAndItemsThatFailAreClosed() {
        AtomicInteger open = new AtomicInteger();
        record Item(long number, AtomicInteger open) implements AutoCloseable {
            @Override
            public void close() {
                open.decrementAndGet();
            }
        }
        Dataset<Item> dataset = new Numbers(SIZE).map(number -> {
            open.incrementAndGet();
            return new Item(number, open);
        });
        List<Long> delivered = new ArrayList<>();
        try (DataLoader<RowBatch<Item>> loader = DataLoader.of(dataset)
                .numWorkers(3)
                .failures(FailurePolicy.skip(1_000)) // those of epochs that are loaded ahead count too
                .batchRows(8, ElementType.INT64, Shape.of(), 1 << 20, (item, row) -> {
                    if (item.number % 10 == 3) {
                        throw new IOException("number " + item.number);
                    }
                    row.set(ValueLayout.JAVA_LONG, 0, item.number);
                })
                .build()) {
            for (RowBatch<Item> batch : loader) {
                try (batch) {
                    for (int i = 0; i < batch.size(); i++) {
                        assertThat(batch.tensor().row(i).get(ValueLayout.JAVA_LONG, 0))
                                .isEqualTo(batch.items().get(i).number);
                    }
                    batch.items().forEach(item -> delivered.add(item.number));
                }
                if (delivered.size() == 90) {
                    break;
                }
            }
        }
        assertThat(delivered).hasSize(90).doesNotHaveDuplicates();
        assertThat(open).hasValue(0);
    }

    @Test
    void aFailureReachesTheLoop() {
        Dataset<Long> broken = new Numbers(10).map(number -> {
            if (number == 5) {
                throw new IOException("broken");
            }
            return number;
        });
        try (DataLoader<Long> loader =
                DataLoader.of(broken).numWorkers(1).unbatched().build()) {
            assertThatThrownBy(() -> items(loader))
                    .isInstanceOf(PipelineException.class)
                    .hasMessageContaining("get")
                    .hasMessageContaining("broken");
        }
    }

    @Test
    void whatMakesNoSenseIsRefused() {
        LoaderItems<Long> items = DataLoader.of(new Numbers(10));
        assertThatThrownBy(() -> items.numWorkers(0)).hasMessageContaining("numWorkers");
        assertThatThrownBy(() -> items.shuffle(1)
                        .sampler(Samplers.sequential(10))
                        .batchSize(2)
                        .build())
                .hasMessageContaining("either");
        assertThatThrownBy(() -> items.batchSize(2).prefetch(0)).hasMessageContaining("prefetch");
        assertThatThrownBy(() -> items.batchSize(0).build()).hasMessageContaining("0");
        DataLoader<Long> closed = items.unbatched().build();
        closed.close();
        closed.close();
        assertThatThrownBy(closed::iterator).hasMessageContaining("closed");
    }

    private static List<Long> flat(DataLoader<List<Long>> loader) {
        return items(loader).stream().flatMap(List::stream).toList();
    }

    private static <B> List<B> items(DataLoader<B> loader) {
        List<B> items = new ArrayList<>();
        loader.forEach(items::add);
        return items;
    }

    private static List<Long> numbers() {
        return LongStream.range(0, SIZE).boxed().toList();
    }
}
