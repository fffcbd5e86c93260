package org.jspdl.data.loader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Shape;
import org.jspdl.memory.Tensor;
import org.junit.jupiter.api.Test;

class CacheLoaderTest {

    @Test
    void theFirstBatchesComeAgainAndAgain() {
        try (CacheLoader<Integer> loader = CacheLoader.of(numbers(100), 3).stopAfter(10)) {
            assertThat(items(loader)).containsExactly(0, 1, 2, 0, 1, 2, 0, 1, 2, 0);
            assertThat(items(loader)).hasSize(10).containsOnly(0, 1, 2);
        }
    }

    @Test
    void freshBatchesComeFirstAsAWarmUp() {
        try (CacheLoader<Integer> loader =
                CacheLoader.of(numbers(100), 2).returnCachesAfter(5).stopAfter(8)) {
            assertThat(items(loader)).containsExactly(0, 1, 2, 3, 4, 1, 0, 1);
        }
    }

    @Test
    void aLoaderWithFewerBatchesIsServedFromWhatItHad() {
        try (CacheLoader<Integer> loader = CacheLoader.of(numbers(2), 5).stopAfter(5)) {
            assertThat(items(loader)).containsExactly(0, 1, 0, 1, 0);
        }
        try (CacheLoader<Integer> loader = CacheLoader.of(numbers(0), 5)) {
            assertThat(items(loader)).isEmpty();
        }
    }

    @Test
    void keptTensorsOutliveTheirConsumersAndAreClosedAtTheEnd() {
        try (BufferPool pool = BufferPool.create("cached", 1 << 20)) {
            List<Tensor> fresh = IntStream.range(0, 4)
                    .mapToObj(i -> Tensor.allocate(ElementType.UINT8, Shape.of(1), pool))
                    .toList();
            try (CacheLoader<Tensor> loader =
                    CacheLoader.of(fresh, 2).returnCachesAfter(4).stopAfter(20)) {
                for (Tensor tensor : loader) {
                    try (tensor) {
                        assertThat(tensor.segment().byteSize()).isEqualTo(1);
                    }
                }
                assertThat(pool.outstanding()).isEqualTo(2);
            }
            assertThat(pool.outstanding()).isZero();
        }
    }

    @Test
    void batchesThatCannotBeLentAreRefusedUnlessToldHow() {
        AtomicInteger closed = new AtomicInteger();
        AutoCloseable batch = closed::incrementAndGet;
        try (CacheLoader<AutoCloseable> loader = CacheLoader.of(List.of(batch), 1)) {
            assertThatThrownBy(() -> loader.iterator().next()).hasMessageContaining("sharing");
        }
        assertThat(closed).hasValue(1);
        try (CacheLoader<AutoCloseable> loader =
                CacheLoader.of(List.of(batch), 1).sharing(each -> () -> {}).stopAfter(3)) {
            assertThat(items(loader)).hasSize(3);
        }
        assertThat(closed).hasValue(2);
    }

    @Test
    void numbersThatMakeNoSenseAreRefused() {
        assertThatThrownBy(() -> CacheLoader.of(numbers(1), 0)).hasMessageContaining("0");
        assertThatThrownBy(() -> CacheLoader.of(numbers(1), 3).returnCachesAfter(2))
                .hasMessageContaining("2");
        assertThatThrownBy(() -> CacheLoader.of(numbers(1), 3).stopAfter(0)).hasMessageContaining("0");
    }

    private static Iterable<Integer> numbers(int count) {
        return IntStream.range(0, count).boxed().toList();
    }

    private static <B> List<B> items(Iterable<B> loader) {
        List<B> items = new ArrayList<>();
        loader.forEach(items::add);
        return items;
    }
}
