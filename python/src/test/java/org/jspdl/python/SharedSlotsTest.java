package org.jspdl.python;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Lease;
import org.jspdl.memory.Shape;
import org.jspdl.memory.Tensor;
import org.jspdl.python.item.ItemContent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SharedSlotsTest {
    private static final int SLOTS = 8;
    private static final long SLOT_BYTES = 4096;

    @TempDir
    private Path folder;

    private SharedSlots ring;
    private BufferPool pool;

    @BeforeEach
    void map() throws IOException {
        Path file = folder.resolve("ring");
        try (RandomAccessFile sized = new RandomAccessFile(file.toFile(), "rw")) {
            sized.setLength(SLOTS * SLOT_BYTES);
        }
        ring = SharedSlots.map(file, SLOTS, SLOT_BYTES);
        pool = BufferPool.create("over the ring", 1L << 30, ring);
    }

    @AfterEach
    void close() {
        pool.close();
        ring.close();
    }

    @Test
    void poolsGetSlotsForBatchesAheadAndThenOrdinaryMemory() {
        List<Lease> leases = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            leases.add(pool.lease(1000));
        }
        ring.handedOver(Set.of(0, 1));
        leases.add(pool.lease(1000));

        assertThat(leases.stream().map(lease -> ring.slotOf(lease.segment()))).containsExactly(0, 1, 2, -1, -1, 3);
        assertThat(ring.figures().free()).isEqualTo(4);
        assertThat(ring.figures().slabsBeside()).isEqualTo(2);
        leases.forEach(Lease::close);
        assertThat(ring.figures().free()).isEqualTo(SLOTS);
        assertThat(pool.heldBytes()).isZero();
    }

    /// Whatever the trainer keeps, up to the half from which on it copies, and however batches are made ahead.
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void noCopyWaitsForBatchesThatWaitForIt(long seed) throws Exception {
        Random random = new Random(seed);
        Deque<List<Lease>> ahead = new ArrayDeque<>();
        List<Runnable> kept = new ArrayList<>();
        for (int step = 0; step < 2_000; step++) {
            if (ahead.isEmpty() || (ahead.size() < 12 && random.nextBoolean())) {
                List<Lease> item = new ArrayList<>();
                for (int i = 1 + random.nextInt(3); i > 0; i--) {
                    item.add(pool.lease(SLOT_BYTES / 4));
                }
                ahead.add(item);
                continue;
            }
            List<Lease> item = ahead.remove();
            boolean isBeside = item.stream().allMatch(lease -> ring.slotOf(lease.segment()) < 0);
            assertThat(isBeside && ring.isShort()).as("step %d", step).isFalse();
            Set<Integer> slots = new HashSet<>();
            item.forEach(lease -> slots.add(ring.slotOf(lease.segment())));
            slots.remove(-1);
            int own = isBeside ? ring.take() : -1;
            ring.handedOver(slots);
            Runnable letGo = () -> {
                item.forEach(Lease::close);
                if (own >= 0) {
                    ring.release(own);
                }
            };
            // As trainers do: what exceeds half of the slots is copied, and its slots come back.
            if (slots.size() > 1 || kept.size() >= SLOTS / 2) {
                letGo.run();
                if (!kept.isEmpty() && random.nextInt(20) == 0) {
                    kept.remove(random.nextInt(kept.size())).run();
                }
            } else {
                kept.add(letGo);
            }
        }
        ahead.forEach(item -> item.forEach(Lease::close));
        kept.forEach(Runnable::run);
        assertThat(ring.figures().free()).isEqualTo(SLOTS);
    }

    @Test
    void theSlotGivenBackLastIsGivenOutFirst() {
        Lease first = pool.lease(10);
        Lease second = pool.lease(10);
        int slot = ring.slotOf(first.segment());
        first.close();

        try (Lease again = pool.lease(4000)) {
            assertThat(ring.slotOf(again.segment())).isEqualTo(slot);
        }
        second.close();
    }

    @Test
    void smallArraysAreWrittenBehindTheTensorOfTheirItem() throws Exception {
        ItemPlacer placement = new ItemPlacer(ring, () -> {});
        try (Tensor tensor = Tensor.allocate(ElementType.UINT8, Shape.of(100), pool)) {
            ItemContent content = ItemContent.of(List.of(tensor, new long[] {7, 8}, "text"));
            ItemPlacer.Placed placed = placement.place(content.pieces());

            int slot = ring.slotOf(tensor.segment());
            assertThat(placed.slots()).containsExactly(slot);
            assertThat(placed.own()).isNegative();
            assertThat(placed.offsets()[0]).isEqualTo(ring.offset(slot));
            assertThat(ring.at(placed.offsets()[1], 16).toArray(ValueLayout.JAVA_LONG))
                    .containsExactly(7, 8);
            assertThat(placed.offsets()[1]).isGreaterThanOrEqualTo(ring.offset(slot) + 100);
            assertThat(content.values()).isEqualTo("[\"text\"]");
        }
    }

    @Test
    void whatDoesNotFitBehindTheTensorGetsASlotOfItsOwn() throws Exception {
        ItemPlacer placement = new ItemPlacer(ring, () -> {});
        try (Tensor tensor = Tensor.allocate(ElementType.UINT8, Shape.of(SLOT_BYTES), pool)) {
            ItemPlacer.Placed placed = placement.place(
                    ItemContent.of(List.of(tensor, new byte[] {1})).pieces());

            assertThat(placed.slots()).hasSize(2).contains(placed.own());
            ring.release(placed.own());
        }
    }

    @Test
    void anItemLargerThanASlotIsRefusedWithTheSetting() {
        ItemPlacer placement = new ItemPlacer(ring, () -> {});

        assertThatThrownBy(() -> placement.place(ItemContent.of(new byte[5000]).pieces()))
                .hasMessageContaining("5,056 bytes does not fit into a slot of 4,096 bytes: set slot_bytes");
    }

    @Test
    void anItemIsLetGoOfWhenItsLastSlotIs() {
        HeldItems held = new HeldItems(SLOTS);
        List<String> gone = new ArrayList<>();
        held.hold(Set.of(1, 3), () -> gone.add("item"));

        held.release(1);
        held.release(1);
        assertThat(gone).isEmpty();
        held.release(3);

        assertThat(gone).containsExactly("item");
        assertThat(held.count()).isZero();
    }

    @Test
    void aFileThatIsTooSmallIsRefused() {
        assertThatThrownBy(() -> SharedSlots.map(folder.resolve("ring"), SLOTS + 1, SLOT_BYTES))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("32768 bytes where 36864 were agreed on");
    }

    /// What was kept for a while, eight slots, is not needed where one is taken at a time.
    private static List<MemorySegment> givenBack(SharedSlots slots, AtomicLong now, List<MemorySegment> asked)
            throws InterruptedException {
        List<Integer> kept = new ArrayList<>();
        for (int i = 0; i < SLOTS; i++) {
            kept.add(slots.take());
        }
        kept.forEach(slots::release);
        for (int i = 0; i < 200; i++) {
            slots.release(slots.take());
            now.addAndGet(TimeUnit.SECONDS.toNanos(1));
        }
        assertThat(slots.figures().free()).isEqualTo(SLOTS);
        return asked;
    }

    @Test
    void slotsThatAreNotNeededAnyMoreGoBackToTheSystemOnce() throws Exception {
        AtomicLong now = new AtomicLong();
        List<MemorySegment> asked = new ArrayList<>();
        try (SharedSlots slots = SharedSlots.map(folder.resolve("ring"), SLOTS, SLOT_BYTES, now::get, asked::add)) {
            assertThat(givenBack(slots, now, asked)).as("it may be pinned").isEmpty();
            slots.giveBackUnneeded();
            assertThat(givenBack(slots, now, asked)).hasSize(SLOTS - 1);
            assertThat(asked.stream().map(slots::slotOf)).doesNotHaveDuplicates();
            assertThat(asked).allMatch(slot -> slot.byteSize() == SLOT_BYTES);
        }
    }

    @Test
    void aSystemThatCannotTakeMemoryBackIsAskedOnce() throws Exception {
        AtomicLong now = new AtomicLong();
        List<MemorySegment> asked = new ArrayList<>();
        try (SharedSlots slots =
                SharedSlots.map(folder.resolve("ring"), SLOTS, SLOT_BYTES, now::get, slot -> !asked.add(slot))) {
            slots.giveBackUnneeded();
            assertThat(givenBack(slots, now, asked)).hasSize(1);
        }
    }

    @Test
    void memoryElsewhereIsNotInTheRing() {
        assertThat(ring.slotOf(MemorySegment.ofArray(new byte[8]))).isNegative();
    }
}
