package org.jspdl.observe.process;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import com.sun.management.UnixOperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import org.jspdl.memory.BufferPool;

/// Takes snapshots of this process: on Linux from `/proc`, elsewhere what the virtual machine knows. Used by one thread
/// at a time.
public final class ProcessReader {
    private static final long TICK_NANOS = 10_000_000; // fixed for user space on Linux, whatever the kernel's own
    private static final long PAGE = 4096;
    private static final Pattern NO_DIGITS = Pattern.compile("[^0-9]+");
    private static final int RESIDENT_PAGES = 1;
    private static final int MAJOR_FAULTS_FIELD = 12;
    private static final int IDLE_FIELD = 4;
    private static final int WAITING_FOR_DISK_FIELD = 5;
    private static final int STOLEN_FIELD = 8;

    private final Path proc;
    private final ThreadTimes threads;
    private final OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private final ThreadMXBean threadBean = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final List<GarbageCollectorMXBean> collectors = ManagementFactory.getGarbageCollectorMXBeans();

    private ProcessReader(Path proc) {
        this.proc = proc;
        this.threads = new ThreadTimes(proc);
    }

    /// A reader of this process.
    public static ProcessReader ofThisProcess() {
        return new ProcessReader(Path.of("/proc"));
    }

    /// A reader of files as in `/proc`.
    static ProcessReader of(Path proc) {
        return new ProcessReader(proc);
    }

    /// A snapshot; takes about a millisecond.
    public ProcessUsage read() {
        return new ProcessUsage(
                System.nanoTime(),
                Duration.ofNanos(Math.max(0, system.getProcessCpuTime())),
                threads.read(),
                machine(),
                garbage(),
                memory(),
                transfer());
    }

    private ProcessUsage.Machine machine() {
        int processors = Runtime.getRuntime().availableProcessors();
        String[] line = lineOf(text("stat"), "cpu ").strip().split(" +", -1);
        if (line.length <= WAITING_FOR_DISK_FIELD) {
            return new ProcessUsage.Machine(processors, -1, -1, -1);
        }
        long busy = 0;
        long total = 0;
        // user, nice, system, idle, waiting for disks, two of interrupts, stolen; guests are counted as user
        // already
        for (int i = 1; i < Math.min(line.length, STOLEN_FIELD + 1); i++) {
            long ticks = number(line[i]);
            total += ticks;
            busy += i == IDLE_FIELD || i == WAITING_FOR_DISK_FIELD ? 0 : ticks;
        }
        long stolen = line.length > STOLEN_FIELD ? number(line[STOLEN_FIELD]) : 0;
        return new ProcessUsage.Machine(processors, busy * TICK_NANOS, total * TICK_NANOS, stolen * TICK_NANOS);
    }

    private ProcessUsage.Garbage garbage() {
        long pauses = 0;
        long millis = 0;
        for (GarbageCollectorMXBean collector : collectors) {
            // Collectors that work beside the program count separately, as "... Concurrent GC" or "...
            // Cycles".
            boolean stops = !collector.getName().contains("Concurrent")
                    && !collector.getName().contains("Cycles");
            pauses += stops ? Math.max(0, collector.getCollectionCount()) : 0;
            millis += stops ? Math.max(0, collector.getCollectionTime()) : 0;
        }
        return new ProcessUsage.Garbage(pauses, millis * 1_000_000, threadBean.getTotalThreadAllocatedBytes());
    }

    private ProcessUsage.Memory memory() {
        MemoryUsage heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
        String[] pages = text("self/statm").strip().split(" ", -1);
        String stat = text("self/stat");
        // The second field is the program's name in parentheses, which may hold spaces.
        String[] fields = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ", -1);
        return new ProcessUsage.Memory(
                heap.getUsed(),
                heap.getMax(),
                BufferPool.heldByAllPools(),
                pages.length > RESIDENT_PAGES ? number(pages[RESIDENT_PAGES]) * PAGE : -1,
                bytes(value(text("meminfo"), "MemAvailable:")),
                fields.length > MAJOR_FAULTS_FIELD - 3 ? number(fields[MAJOR_FAULTS_FIELD - 3]) : -1);
    }

    private ProcessUsage.Transfer transfer() {
        String io = text("self/io");
        return new ProcessUsage.Transfer(
                value(io, "rchar:").orElse(-1),
                value(io, "read_bytes:").orElse(-1),
                value(io, "wchar:").orElse(-1),
                stalled(),
                system instanceof UnixOperatingSystemMXBean unix ? unix.getOpenFileDescriptorCount() : -1);
    }

    private long stalled() {
        String line = lineOf(text("pressure/io"), "some ");
        int total = line.indexOf("total=");
        return total < 0 ? -1 : number(line.substring(total + 6).strip()) * 1000;
    }

    private static OptionalLong value(String text, String name) {
        String line = lineOf(text, name);
        String digits = NO_DIGITS.matcher(line).replaceAll("");
        return digits.isEmpty() ? OptionalLong.empty() : OptionalLong.of(number(digits));
    }

    private static long bytes(OptionalLong kibibytes) {
        return kibibytes.isEmpty() ? -1 : kibibytes.getAsLong() * 1024;
    }

    private static String lineOf(String text, String start) {
        return text.lines().filter(line -> line.startsWith(start)).findFirst().orElse("");
    }

    private String text(String file) {
        try {
            return Files.readString(proc.resolve(file));
        } catch (IOException notLinux) {
            return "";
        }
    }

    private static long number(String digits) {
        try {
            return Long.parseLong(digits);
        } catch (NumberFormatException malformed) {
            return -1;
        }
    }
}
