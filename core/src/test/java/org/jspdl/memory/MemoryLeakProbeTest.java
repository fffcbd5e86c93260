package org.jspdl.memory;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MemoryLeakProbeTest {
    private final MemoryLeakProbe probe = new MemoryLeakProbe();

    @Test
    void anOpenPoolIsReportedUntilItIsClosed() {
        BufferPool pool = BufferPool.create("forgotten", 1_024);

        assertThat(probe.leaks())
                .singleElement()
                .asString()
                .startsWith("pool 'forgotten' #")
                .endsWith(" is open");

        pool.close();
        assertThat(probe.leaks()).isEmpty();
    }

    @Test
    void aLeaseThatIsOutIsReportedWithItsSize() {
        try (BufferPool pool = BufferPool.create("shared", 1_024)) {
            Lease lease = pool.lease(100);

            assertThat(probe.leaks()).anyMatch(line -> line.endsWith(" has 1 leases of 100 bytes out"));

            lease.close();
            assertThat(probe.leaks()).noneMatch(line -> line.contains("leases"));
        }
    }

    @Test
    void theExtensionFindsTheProbe() {
        assertThat(java.util.ServiceLoader.load(org.jspdl.leakcheck.LeakProbe.class))
                .hasAtLeastOneElementOfType(MemoryLeakProbe.class);
    }
}
