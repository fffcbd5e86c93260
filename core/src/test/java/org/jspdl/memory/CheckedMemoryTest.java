package org.jspdl.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

class CheckedMemoryTest {

    @Test
    void aSegmentThatIsUsedAfterItsLeaseThrows() {
        try (BufferPool pool = checked()) {
            Lease lease = pool.lease(100);
            MemorySegment whole = lease.segment();
            MemorySegment part = whole.asSlice(10, 20);
            lease.close();

            assertThatThrownBy(() -> whole.get(ValueLayout.JAVA_BYTE, 0)).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> part.fill((byte) 1)).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void memoryThatNobodyWroteHasAnotherContentEachTime() {
        try (BufferPool pool = checked()) {
            byte[] first = leased(pool);
            byte[] second = leased(pool);

            for (int i = 0; i < first.length; i++) {
                assertThat(first[i]).isNotEqualTo(second[i]);
            }
        }
    }

    @Test
    void whatALeaseHeldIsGoneWhenItIsClosed() {
        MemorySegment slab = java.lang.foreign.Arena.ofAuto().allocate(64, 64);
        try (BufferPool pool = new BufferPool("p", 1 << 20, bytes -> new SlabProvider.Slab(slab, () -> {}), true)) {
            try (Lease lease = pool.lease(64)) {
                lease.segment().fill((byte) 42);
                assertThat(slab.get(ValueLayout.JAVA_BYTE, 7)).isEqualTo((byte) 42);
            }

            assertThat(slab.get(ValueLayout.JAVA_BYTE, 7)).isNotEqualTo((byte) 42);
        }
    }

    @Test
    void blocksAreKeptAndAlignedAsEver() {
        try (BufferPool pool = checked()) {
            pool.lease(1_000).close();
            try (Lease lease = pool.lease(900)) {
                assertThat(lease.segment().address() % BufferPool.ALIGNMENT).isZero();
                assertThat(lease.segment().byteSize()).isEqualTo(900);
            }
            assertThat(pool.peakHeldBytes()).isEqualTo(1_024);
        }
    }

    private static byte[] leased(BufferPool pool) {
        try (Lease lease = pool.lease(100)) {
            return lease.segment().toArray(ValueLayout.JAVA_BYTE);
        }
    }

    private static BufferPool checked() {
        return new BufferPool("p", 1 << 20, SlabProvider.nativeMemory(), true);
    }
}
