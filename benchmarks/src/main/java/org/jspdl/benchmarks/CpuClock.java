package org.jspdl.benchmarks;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;

/// Processor time of this process, and of whoever else uses the processors. Linux on 64 bits.
///
/// [ProcessCpu] comes in steps of ten milliseconds, which is too coarse for short passes.
final class CpuClock {
    private static final int PROCESS_CPU_TIME = 2; // CLOCK_PROCESS_CPUTIME_ID
    private static final double TICK_SECONDS = 0.01;
    private static final int IDLE_FIELD = 4;
    private static final int WAITING_FOR_DISK_FIELD = 5;
    private static final int STOLEN_FIELD = 8;

    // int clock_gettime(clockid_t clk_id, struct timespec *tp)
    @SuppressWarnings("restricted")
    private static final MethodHandle CLOCK_GETTIME = Linker.nativeLinker()
            .downcallHandle(
                    Linker.nativeLinker().defaultLookup().findOrThrow("clock_gettime"),
                    FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.ADDRESS));

    private CpuClock() {}

    /// Nanoseconds that all threads of this process have run.
    static long nanos() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment time = arena.allocate(ValueLayout.JAVA_LONG, 2);
            int status = (int) CLOCK_GETTIME.invokeExact(PROCESS_CPU_TIME, time);
            if (status != 0) {
                throw new IllegalStateException("clock_gettime returned " + status);
            }
            return time.getAtIndex(ValueLayout.JAVA_LONG, 0) * 1_000_000_000
                    + time.getAtIndex(ValueLayout.JAVA_LONG, 1);
        } catch (RuntimeException | Error failure) {
            throw failure;
        } catch (Throwable failure) {
            throw new IllegalStateException(failure);
        }
    }

    /// Seconds that processors were not idle, summed over them, by anybody: other processes and the host of a
    /// virtual machine included.
    static double machineSeconds() throws IOException {
        String[] line = Files.readString(Path.of("/proc/stat"))
                .lines()
                .findFirst()
                .orElseThrow()
                .strip()
                .split(" +");
        long busy = 0;
        for (int i = 1; i <= STOLEN_FIELD; i++) {
            busy += i == IDLE_FIELD || i == WAITING_FOR_DISK_FIELD ? 0 : Long.parseLong(line[i]);
        }
        return busy * TICK_SECONDS;
    }
}
