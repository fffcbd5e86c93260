package org.jspdl.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspdl.pipeline.internal.Race;
import org.jspdl.pipeline.resume.Campaign;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

@Timeout(value = 30, unit = TimeUnit.MINUTES) // a campaign takes longer than other tests
@Tag("slow")
class BufferPoolStressTest {
    private static final int ROUNDS = Campaign.scale(400, 10_000);
    private static final int LEASES = 500;
    private static final long LIMIT = 64 * 1_024;

    @RegisterExtension
    private final Race race = new Race();

    @Test
    void aLeaseThatSeveralThreadsCloseReturnsOnce() throws InterruptedException {
        try (BufferPool pool = BufferPool.create("stress", LIMIT)) {
            for (int round = 0; round < ROUNDS / 10; round++) {
                List<Lease> leases = new ArrayList<>();
                for (int i = 0; i < LEASES; i++) {
                    leases.add(pool.lease(8));
                }
                AtomicInteger turns = new AtomicInteger();
                Race.Racer closer = () -> {
                    for (int i = 0; i < LEASES; i++) {
                        Race.meet(turns, 2 * (i + 1));
                        leases.get(i).close();
                    }
                };
                race.run(List.of(closer, closer));
                assertThat(pool.outstanding()).as("round %d", round).isZero();
                assertThat(pool.leasedBytes()).isZero();
            }
        }
    }

    @Test
    void memoryBelongsToOneLeaseAtATimeAndStaysBelowTheLimit() throws InterruptedException {
        try (BufferPool pool = BufferPool.create("stress", LIMIT)) {
            for (int round = 0; round < ROUNDS; round++) {
                List<Race.Racer> racers = new ArrayList<>();
                for (int i = 0; i < 4; i++) {
                    long mine = round * 4L + i;
                    racers.add(() -> leaseAndCheck(pool, new Random(mine), mine));
                }
                race.run(racers);
                assertThat(pool.outstanding()).as("round %d", round).isZero();
                assertThat(pool.leasedBytes()).isZero();
                assertThat(pool.peakHeldBytes()).isLessThanOrEqualTo(LIMIT);
            }
        }
    }

    private static void leaseAndCheck(BufferPool pool, Random random, long mine) {
        for (int i = 0; i < 20; i++) {
            try (Lease lease = pool.lease(8L * (1 + random.nextInt(4_000)))) {
                MemorySegment segment = lease.segment();
                long last = segment.byteSize() / 8 - 1;
                segment.setAtIndex(ValueLayout.JAVA_LONG, 0, mine);
                segment.setAtIndex(ValueLayout.JAVA_LONG, last, mine);
                Thread.onSpinWait();
                if (segment.getAtIndex(ValueLayout.JAVA_LONG, 0) != mine
                        || segment.getAtIndex(ValueLayout.JAVA_LONG, last) != mine) {
                    throw new AssertionError("another lease has written into " + lease);
                }
            } catch (PoolExhaustedException full) {
                if (pool.heldBytes() > LIMIT) {
                    throw new AssertionError("above the limit", full);
                }
            }
        }
    }
}
