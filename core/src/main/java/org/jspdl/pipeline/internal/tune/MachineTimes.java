package org.jspdl.pipeline.internal.tune;

import java.util.BitSet;
import java.util.List;

/// Processor time of all processes on the processors that this process may run on: what others do on the rest of the
/// machine, as beside a container that has some of the processors, takes nothing from it.
///
/// @param nanos      since any moment, that of the host of a virtual machine included; -1 if it is not known
/// @param processors on how many processors; 0 if that is not known
record MachineTimes(long nanos, int processors) {
    private static final MachineTimes UNKNOWN = new MachineTimes(-1, 0);
    private static final long NANOS_OF_TICK = 10_000_000;
    private static final int IDLE = 4;
    private static final int WAITING_FOR_DISK = 5;
    private static final int STOLEN = 8;
    private static final int MOST_PROCESSORS = 65_536;
    private static final String PROCESSOR = "cpu";

    /// @param stat   the text of `/proc/stat`
    /// @param status the text of `/proc/self/status`
    static MachineTimes of(String stat, String status) {
        BitSet allowed = allowed(status);
        List<String[]> own = stat.lines()
                .filter(line -> line.startsWith(PROCESSOR))
                .map(line -> line.strip().split(" +", -1))
                .filter(fields -> {
                    long number = SmallFile.number(fields[0].substring(PROCESSOR.length()))
                            .orElse(-1);
                    return number >= 0 && number < MOST_PROCESSORS && allowed.get((int) number);
                })
                .toList();
        // A file system that shows a container its own processors counts them anew, from 0.
        if (own.isEmpty() || own.size() < allowed.cardinality()) {
            return stat.lines()
                    .filter(line -> line.startsWith(PROCESSOR + " "))
                    .findFirst()
                    .map(line -> new MachineTimes(nanos(line.strip().split(" +", -1)), 0))
                    .orElse(UNKNOWN);
        }
        long sum = 0;
        for (String[] fields : own) {
            long nanos = nanos(fields);
            if (nanos < 0) {
                return UNKNOWN;
            }
            sum += nanos;
        }
        return new MachineTimes(sum, own.size());
    }

    private static long nanos(String[] fields) {
        if (fields.length <= WAITING_FOR_DISK) {
            return -1;
        }
        long ticks = 0;
        // Guests are counted as user already, and follow what is stolen.
        for (int i = 1; i < Math.min(fields.length, STOLEN + 1); i++) {
            ticks += i == IDLE || i == WAITING_FOR_DISK
                    ? 0
                    : SmallFile.number(fields[i]).orElse(0);
        }
        return ticks * NANOS_OF_TICK;
    }

    /// The numbers in a list such as `0-3,8`.
    private static BitSet allowed(String status) {
        BitSet allowed = new BitSet();
        String list = status.lines()
                .filter(line -> line.startsWith("Cpus_allowed_list:"))
                .map(line -> line.substring(line.indexOf(':') + 1).strip())
                .findFirst()
                .orElse("");
        for (String range : list.split(",", -1)) {
            String[] ends = range.split("-", 2);
            long first = SmallFile.number(ends[0].strip()).orElse(-1);
            long last = SmallFile.number(ends[ends.length - 1].strip()).orElse(-1);
            if (first >= 0 && last >= first && last < MOST_PROCESSORS) {
                allowed.set((int) first, (int) last + 1);
            }
        }
        return allowed;
    }
}
