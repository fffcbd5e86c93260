package org.jspdl.cli.run;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;

/// What the heap takes of the memory.
final class HeapUse {
    private HeapUse() {}

    /// Bytes of the heap that have been written to, and so are resident: the sum over its parts of the most that
    /// was in use, unless the part was made smaller since.
    static long residentBytes() {
        long bytes = 0;
        for (MemoryPoolMXBean part : ManagementFactory.getMemoryPoolMXBeans()) {
            MemoryUsage now = part.getUsage();
            MemoryUsage peak = part.getPeakUsage();
            if (part.getType() == MemoryType.HEAP && now != null && peak != null) {
                bytes += Math.min(peak.getUsed(), now.getCommitted());
            }
        }
        return bytes;
    }
}
