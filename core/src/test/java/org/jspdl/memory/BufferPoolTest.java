package org.jspdl.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BufferPoolTest {

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 63, 64, 65, 80, 81, 1_000, 4_096, 100_000})
    void aLeaseHasExactlyTheBytesAskedForAligned(long byteSize) {
        try (BufferPool pool = BufferPool.create("p", 1 << 20);
                Lease lease = pool.lease(byteSize)) {
            assertThat(lease.byteSize()).isEqualTo(byteSize);
            assertThat(lease.segment().byteSize()).isEqualTo(byteSize);
            assertThat(lease.segment().address() % BufferPool.ALIGNMENT).isZero();
            assertThat(pool.leasedBytes()).isEqualTo(byteSize);
            assertThat(pool.outstanding()).isEqualTo(1);
        }
    }

    @Test
    void aBlockThatComesBackIsUsedAgain() {
        try (BufferPool pool = BufferPool.create("p", 1_024)) {
            Lease first = pool.lease(1_000);
            MemorySegment memory = first.segment();
            first.close();

            try (Lease second = pool.lease(900)) {
                assertThat(second.segment().address()).isEqualTo(memory.address());
            }
            assertThat(pool.heldBytes()).isEqualTo(pool.peakHeldBytes()).isEqualTo(1_024);
        }
    }

    @Test
    void adoptedMemoryCountsUntilItsLeaseIsClosed() {
        AtomicInteger released = new AtomicInteger();
        try (BufferPool pool = BufferPool.create("p", 4_096);
                Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(3_000);
            memory.set(ValueLayout.JAVA_BYTE, 2_999, (byte) 7);
            pool.lease(2_000).close();
            Lease adopted = pool.adopt(new SlabProvider.Slab(memory, released::incrementAndGet))
                    .orElseThrow();

            assertThat(adopted.segment().get(ValueLayout.JAVA_BYTE, 2_999)).isEqualTo((byte) 7);
            assertThat(pool.heldBytes()).isEqualTo(pool.leasedBytes()).isEqualTo(3_000);
            assertThat(pool.outstanding()).isEqualTo(1);
            assertThatThrownBy(() -> pool.lease(2_000)).isInstanceOf(PoolExhaustedException.class);

            adopted.close();
            adopted.close();
            assertThat(released).hasValue(1);
            assertThat(pool.heldBytes()).isZero();
            pool.lease(3_500).close();
        }
    }

    @Test
    void memoryIsNotAdoptedBeyondTheLimitOrByAPoolOfAnotherKind() {
        AtomicInteger released = new AtomicInteger();
        try (BufferPool small = BufferPool.create("small", 1_000);
                BufferPool special = BufferPool.unbounded(
                        "special", size -> SlabProvider.nativeMemory().allocate(size));
                Arena arena = Arena.ofConfined()) {
            SlabProvider.Slab slab = new SlabProvider.Slab(arena.allocate(1_001), released::incrementAndGet);

            assertThat(special.adopt(slab)).isEmpty();
            assertThatThrownBy(() -> small.adopt(slab)).isInstanceOf(PoolExhaustedException.class);
            assertThat(small.heldBytes()).isZero();
            assertThat(released).hasValue(0);
        }
    }

    @Test
    void closingALeaseTwiceReturnsItOnce() {
        try (BufferPool pool = BufferPool.create("p", 4_096)) {
            Lease lease = pool.lease(100);
            lease.close();
            lease.close();

            assertThat(pool.outstanding()).isZero();
            try (Lease one = pool.lease(100);
                    Lease two = pool.lease(100)) {
                assertThat(one.segment().address()).isNotEqualTo(two.segment().address());
            }
        }
    }

    @Test
    void twoThreadsThatCloseOneLeaseReturnItOnce() throws InterruptedException {
        try (BufferPool pool = BufferPool.create("p", 1 << 20)) {
            for (int round = 0; round < 500; round++) {
                Lease lease = pool.lease(64);
                CountDownLatch together = new CountDownLatch(1);
                Thread other = Thread.ofPlatform().start(() -> {
                    together.countDown();
                    lease.close();
                });
                together.await();
                lease.close();
                other.join();
            }
            assertThat(pool.outstanding()).isZero();
            assertThat(pool.heldBytes()).isEqualTo(64);
        }
    }

    @Test
    void aClosedLeaseRefusesToBeUsed() {
        try (BufferPool pool = BufferPool.create("p", 4_096)) {
            Lease lease = pool.lease(100);
            lease.close();

            assertThat(lease.isClosed()).isTrue();
            assertThatThrownBy(lease::segment)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("100 bytes");
        }
    }

    @Test
    void theLimitIsNeverExceededAndTheMessageNamesTheHolders() {
        try (BufferPool pool = BufferPool.create("frames", 10_000);
                Lease one = pool.lease(4_000);
                Lease two = pool.lease(4_000)) {
            assertThat(one.byteSize()).isEqualTo(two.byteSize());
            assertThatThrownBy(() -> pool.lease(3_000))
                    .isInstanceOf(PoolExhaustedException.class)
                    .hasMessageContaining("'frames'")
                    .hasMessageContaining("3,000 bytes")
                    .hasMessageContaining("limit is 10,000")
                    .hasMessageContaining("2 leases")
                    .hasMessageContaining("2 in blocks of 4,096 bytes")
                    .hasMessageContaining("Raise the limit");
            assertThat(pool.heldBytes()).isLessThanOrEqualTo(10_000);
        }
    }

    @Test
    void idleBlocksOfOtherSizesMakeRoom() {
        try (BufferPool pool = BufferPool.create("p", 10_240)) {
            pool.lease(8_000).close();
            pool.lease(64).close();

            try (Lease large = pool.lease(10_000)) {
                assertThat(large.byteSize()).isEqualTo(10_000);
                assertThat(pool.heldBytes()).isLessThanOrEqualTo(10_240);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {10_001, 1L << 46, (1L << 46) + 1, Long.MAX_VALUE})
    void moreThanTheLimitIsRefusedWhateverTheSize(long byteSize) {
        try (BufferPool pool = BufferPool.create("p", 10_000)) {
            assertThatThrownBy(() -> pool.lease(byteSize)).isInstanceOf(PoolExhaustedException.class);
        }
    }

    @Test
    void aHugeRequestWithinAHugeLimitIsRefusedWithTheSameException() {
        SlabProvider none = byteSize -> {
            throw new OutOfMemoryError("no " + byteSize + " bytes");
        };
        try (BufferPool pool = BufferPool.unbounded("p", none)) {
            assertThatThrownBy(() -> pool.lease(Long.MAX_VALUE)).isInstanceOf(PoolExhaustedException.class);
            assertThatThrownBy(() -> pool.lease((1L << 46) + 1)).isInstanceOf(PoolExhaustedException.class);
        }
    }

    @Test
    void aProviderThatFailsLeavesThePoolAsItWas() {
        SlabProvider failing = byteSize -> {
            throw new OutOfMemoryError("no memory");
        };
        try (BufferPool pool = BufferPool.create("p", 10_000, failing)) {
            assertThatThrownBy(() -> pool.lease(100)).isInstanceOf(OutOfMemoryError.class);
            assertThat(pool.heldBytes()).isZero();
            assertThat(pool.outstanding()).isZero();
            assertThat(pool.leasedBytes()).isZero();
        }
    }

    @Test
    void closingAPoolWithLeasesOutSaysHowManyAndFreesThemAsTheyReturn() {
        BufferPool pool = BufferPool.create("p", 10_000);
        Lease lease = pool.lease(100);
        lease.segment().set(ValueLayout.JAVA_BYTE, 99, (byte) 7);

        assertThatThrownBy(pool::close).hasMessageContaining("1 leases of 100 bytes");

        assertThat(lease.segment().get(ValueLayout.JAVA_BYTE, 99)).isEqualTo((byte) 7);
        lease.close();
        assertThat(pool.heldBytes()).isZero();
        assertThatThrownBy(() -> pool.lease(1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
        pool.close();
    }

    @Test
    void nonsenseIsRefusedWithItsValue() {
        assertThatThrownBy(() -> BufferPool.create("p", 0))
                .hasMessageContaining("limitBytes")
                .hasMessageContaining("0");
        try (BufferPool pool = BufferPool.create("p", 1)) {
            assertThatThrownBy(() -> pool.lease(-1)).hasMessageContaining("-1");
        }
    }

    @Test
    void sizeClassesCoverEverySizeWithAtMostAFifthUnused() {
        for (long size = 1; size < 1L << 40; size += 1 + size / 37) {
            long block = SizeClasses.sizeOf(SizeClasses.indexOf(size));
            assertThat(block).isGreaterThanOrEqualTo(size);
            assertThat(block - size)
                    .as("%d in a block of %d", size, block)
                    .isLessThanOrEqualTo(Math.max(64, block / 5));
        }
        for (int index = 0; index < SizeClasses.COUNT; index++) {
            assertThat(SizeClasses.indexOf(SizeClasses.sizeOf(index))).isEqualTo(index);
        }
    }

    @Test
    void aRetiredPoolLendsNothingAndFreesWhatIsOutAsItReturns() {
        BufferPool pool = BufferPool.create("p", 4_096);
        pool.lease(100).close();
        Lease out = pool.lease(2_000);

        assertThat(pool.retire()).isTrue();
        assertThat(pool.retire()).isFalse();
        pool.close();

        assertThatThrownBy(() -> pool.lease(1)).hasMessageContaining("pool 'p' is closed");
        assertThat(pool.heldBytes()).isEqualTo(2_048);
        out.segment().set(ValueLayout.JAVA_BYTE, 1_999, (byte) 7);
        out.close();
        assertThat(pool.heldBytes()).isZero();
    }

    @Test
    void aSlabThatIsNotKeptGoesBackWhenItsLeaseIsClosed() {
        java.util.concurrent.atomic.AtomicInteger released = new java.util.concurrent.atomic.AtomicInteger();
        SlabProvider passing = byteSize -> new SlabProvider.Slab(
                java.lang.foreign.Arena.ofAuto().allocate(byteSize, 64), released::incrementAndGet, false);
        try (BufferPool pool = BufferPool.create("passing", 1 << 20, passing)) {
            pool.lease(100).close();
            pool.lease(100).close();

            assertThat(released).hasValue(2);
            assertThat(pool.heldBytes()).isZero();
        }
    }

    @Test
    void anUnboundedPoolHasNoLimitOfItsOwn() {
        try (BufferPool pool = BufferPool.unbounded("free")) {
            pool.lease(1 << 20).close();

            assertThat(pool.limitBytes()).isEqualTo(Long.MAX_VALUE);
            assertThat(pool.toString()).isEqualTo("BufferPool[free, 1048576 bytes held, 0 leases out]");
            assertThatThrownBy(() -> pool.lease(Long.MAX_VALUE)).isInstanceOf(PoolExhaustedException.class);
        }
    }

    @Test
    void anUnboundedPoolHoldsHardlyMoreThanWasOutAtOnceHoweverSizesChange() {
        try (BufferPool pool = BufferPool.unbounded("free")) {
            long out = 0;
            for (long size = 1 << 20; size < 16 << 20; size += size / 3) {
                List<Lease> leases = new ArrayList<>();
                for (int i = 0; i < 4; i++) {
                    leases.add(pool.lease(size));
                    out = Math.max(out, (i + 1) * SizeClasses.sizeOf(SizeClasses.indexOf(size)));
                    assertThat(pool.heldBytes()).isLessThanOrEqualTo(out * 5 / 4);
                }
                leases.forEach(Lease::close);
            }
            long held = pool.heldBytes();
            pool.lease(2 << 20).close();
            pool.lease(2 << 20).close();

            assertThat(pool.peakHeldBytes()).isLessThanOrEqualTo(Math.max(held, out * 5 / 4));
            assertThat(pool.outstanding()).isZero();
        }
    }

    @Test
    void anUnboundedPoolLendsIdleBlocksOfUpToTwiceTheSize() {
        try (BufferPool pool = BufferPool.unbounded("free")) {
            pool.lease(1 << 16).close();
            try (Lease half = pool.lease(1 << 15)) {
                assertThat(half.byteSize()).isEqualTo(1 << 15);
                assertThat(pool.heldBytes()).isEqualTo(1 << 16);
                try (Lease whole = pool.lease(1 << 16)) {
                    assertThat(whole.segment().asOverlappingSlice(half.segment()))
                            .isEmpty();
                }
            }
            long held = pool.heldBytes();
            pool.lease((1 << 15) - (1 << 13)).close();

            assertThat(held).isEqualTo(2 << 16);
            assertThat(pool.heldBytes()).isEqualTo(held + (1 << 15) - (1 << 13));
        }
    }

    @Test
    void aPoolWithALimitLendsOnlyBlocksThatFitSoThatLeasesTakeNoMoreOfIt() {
        try (BufferPool pool = BufferPool.create("limited", 1 << 20)) {
            pool.lease(1 << 16).close();
            pool.lease(1 << 15).close();

            assertThat(pool.heldBytes()).isEqualTo((1 << 16) + (1 << 15));
        }
    }

    @Test
    void leasesOfManySizesHoldNotMuchMoreThanWasOutAtOnce() {
        SplittableRandom random = new SplittableRandom(3);
        try (BufferPool pool = BufferPool.unbounded("files")) {
            Deque<Lease> out = new ArrayDeque<>();
            long most = 0;
            for (int i = 0; i < 5000; i++) {
                out.add(pool.lease(random.nextLong(20_000, 400_000)));
                most = Math.max(most, pool.leasedBytes());
                if (out.size() == 32) {
                    out.remove().close();
                }
            }
            out.forEach(Lease::close);

            assertThat(pool.peakHeldBytes()).isLessThan(2 * most);
        }
    }

    @Test
    void poolsGiveBackWhatIsIdleWhenTheyAreToldTo() {
        try (BufferPool pool = BufferPool.unbounded("idle")) {
            Lease out = pool.lease(1 << 12);
            pool.lease(1 << 20).close();

            BufferPool.trimAllPools();

            assertThat(pool.heldBytes()).isEqualTo(1 << 12);
            out.close();
        }
    }
}
