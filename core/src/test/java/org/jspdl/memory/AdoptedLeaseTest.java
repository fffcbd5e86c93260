package org.jspdl.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class AdoptedLeaseTest {
    @Test
    void memoryOfNoPoolIsGivenBackOnceByItsOwnWay() {
        AtomicInteger given = new AtomicInteger();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(24);
            Lease lease = Lease.adopt(memory, given::incrementAndGet);

            assertThat(lease.byteSize()).isEqualTo(24);
            assertThat(lease.segment().address()).isEqualTo(memory.address());
            lease.close();
            lease.close();

            assertThat(given).hasValue(1);
            assertThatThrownBy(lease::segment).isInstanceOf(IllegalStateException.class);
        }
    }
}
