package org.jspdl.observe.process;

import com.sun.management.OperatingSystemMXBean;
import java.io.FileInputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import org.jspdl.memory.BufferPool;

/// Takes the snapshots of this process that a live view shows, with as little work as that needs: two small files, and
/// no text is made of them. (All that [ProcessReader] knows takes a file for each thread.) Used by one thread at a
/// time.
public final class BriefReader {
    private static final long TICK_NANOS = 10_000_000;
    private static final long PAGE = 4096;
    /// Of a line: user, nice, system, idle, waiting for disks, two of interrupts, stolen.
    private static final int TIMES = 8;
    private static final int IDLE = 3;
    private static final int WAITING_FOR_DISK = 4;
    private static final int LONGEST_LINE = 256;

    private final String stat;
    private final String statm;
    private final OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private final byte[] line = new byte[LONGEST_LINE];
    private int length;
    private int position;

    private BriefReader(Path proc) {
        stat = proc.resolve("stat").toString();
        statm = proc.resolve("self/statm").toString();
    }

    /// A reader of this process.
    public static BriefReader ofThisProcess() {
        return of(Path.of("/proc"));
    }

    /// A reader of files as in `/proc`.
    static BriefReader of(Path proc) {
        return new BriefReader(proc);
    }

    /// A snapshot.
    public BriefUsage read() {
        return new BriefUsage(
                System.nanoTime(),
                Math.max(0, system.getProcessCpuTime()),
                busy(),
                Runtime.getRuntime().availableProcessors(),
                resident(),
                BufferPool.heldByAllPools());
    }

    private long busy() {
        begin(stat);
        if (length < 4 || line[0] != 'c' || line[1] != 'p' || line[2] != 'u') {
            return -1;
        }
        position = 3;
        long busy = 0;
        for (int i = 0; i < TIMES; i++) {
            long ticks = number();
            if (ticks < 0) {
                return i <= WAITING_FOR_DISK ? -1 : busy * TICK_NANOS;
            }
            busy += i == IDLE || i == WAITING_FOR_DISK ? 0 : ticks;
        }
        return busy * TICK_NANOS;
    }

    private long resident() {
        begin(statm);
        long size = number();
        long pages = number();
        return size < 0 || pages < 0 ? -1 : pages * PAGE;
    }

    /// The next number of the first line; -1 at its end.
    private long number() {
        while (position < length && line[position] == ' ') {
            position++;
        }
        int first = position;
        long number = 0;
        while (position < length && line[position] >= '0' && line[position] <= '9') {
            number = 10 * number + line[position++] - '0';
        }
        return position == first ? -1 : number;
    }

    private void begin(String file) {
        position = 0;
        length = 0;
        try (FileInputStream in = new FileInputStream(file)) {
            length = Math.max(0, in.read(line));
        } catch (IOException notLinux) {
            // All numbers are unknown.
        }
    }
}
