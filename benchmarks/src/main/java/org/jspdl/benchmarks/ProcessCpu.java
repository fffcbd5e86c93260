package org.jspdl.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/// The processor time of this process, for contestants that measure a part of their own run.
final class ProcessCpu {
    private static final OperatingSystemMXBean SYSTEM =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    private ProcessCpu() {}

    /// Nanoseconds of all threads since the process began, those of the virtual machine included.
    static long nanos() {
        return SYSTEM.getProcessCpuTime();
    }
}
