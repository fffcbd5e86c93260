package org.jspdl.observe.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Adds up what a group of processes uses, from files as in `/proc`. Used by one thread at a time.
///
/// Finding processes and adding up their memory takes some milliseconds, so they are looked at every few seconds only.
final class ProcessGroupReader {
    private static final long BETWEEN_NANOS = 5_000_000_000L;
    private static final int HEADER_LINES = 2;
    private static final int SENT_FIELD = 8;

    private final Path proc;
    private final Supplier<List<Long>> pids;
    private final Map<Long, Counter> reads = new HashMap<>();
    private final Map<Long, Counter> writes = new HashMap<>();
    private long peak = -1;
    private @Nullable ProcessGroup last;
    private long lastAt;

    /// A counter of a process that may end, and whose number may be given to another.
    private static final class Counter {
        long last;
        long sum;

        void add(long now) {
            sum += now >= last ? now - last : now;
            last = now;
        }
    }

    ProcessGroupReader(Path proc, Supplier<List<Long>> pids) {
        this.proc = proc;
        this.pids = pids;
    }

    /// This process and all that it has started.
    static List<Long> ofThisProcess() {
        ProcessHandle self = ProcessHandle.current();
        return Stream.concat(Stream.of(self), self.descendants())
                .map(ProcessHandle::pid)
                .toList();
    }

    /// The group as it was seen in the last five seconds.
    ///
    /// @param now by [System#nanoTime]
    ProcessGroup read(long now) {
        return last != null && now - lastAt < BETWEEN_NANOS ? last : readNow(now);
    }

    /// The group as it is at this moment.
    ProcessGroup readNow(long now) {
        List<Long> group = pids.get();
        boolean began = last != null;
        boolean told = false;
        for (long pid : group) {
            String io = text(pid + "/io");
            OptionalLong read = value(io, "read_bytes:");
            OptionalLong written = value(io, "write_bytes:");
            if (read.isPresent() && written.isPresent()) {
                told = true;
                count(reads, pid, read.getAsLong(), began);
                count(writes, pid, written.getAsLong(), began);
            }
        }
        long pss = memory(group);
        peak = Math.max(peak, pss);
        long[] network = network();
        lastAt = now;
        last = new ProcessGroup(
                group.size(),
                pss,
                peak,
                told ? reads.values().stream().mapToLong(each -> each.sum).sum() : -1,
                told ? writes.values().stream().mapToLong(each -> each.sum).sum() : -1,
                network[0],
                network[1]);
        return last;
    }

    /// What a process had read before the first look does not count; one that is started later counts from its
    /// start.
    private static void count(Map<Long, Counter> counters, long pid, long now, boolean began) {
        Counter counter = counters.get(pid);
        if (counter == null) {
            counter = new Counter();
            counter.last = began ? 0 : now;
            counters.put(pid, counter);
        }
        counter.add(now);
    }

    /// -1 if it is not known of any process; one that has just ended has none.
    private long memory(List<Long> group) {
        long sum = -1;
        for (long pid : group) {
            OptionalLong kibibytes = value(text(pid + "/smaps_rollup"), "Pss:");
            if (kibibytes.isPresent()) {
                sum = Math.max(0, sum) + 1024 * kibibytes.getAsLong();
            }
        }
        return sum;
    }

    /// Bytes received and sent by all interfaces but the loopback; -1 if they are not known.
    private long[] network() {
        List<String> lines = text("self/net/dev").lines().skip(HEADER_LINES).toList();
        long received = 0;
        long sent = 0;
        boolean told = false;
        for (String line : lines) {
            int colon = line.indexOf(':');
            String[] fields = line.substring(colon + 1).strip().split(" +", -1);
            if (colon < 0 || line.substring(0, colon).strip().equals("lo") || fields.length <= SENT_FIELD) {
                continue;
            }
            told = true;
            received += number(fields[0]);
            sent += number(fields[SENT_FIELD]);
        }
        return told ? new long[] {received, sent} : new long[] {-1, -1};
    }

    private static OptionalLong value(String text, String name) {
        return text.lines()
                .filter(line -> line.startsWith(name))
                .map(line -> line.substring(name.length()).replace("kB", "").strip())
                .mapToLong(ProcessGroupReader::number)
                .findFirst();
    }

    private static long number(String digits) {
        try {
            return Math.max(0, Long.parseLong(digits));
        } catch (NumberFormatException malformed) {
            return 0;
        }
    }

    private String text(String file) {
        try {
            return Files.readString(proc.resolve(file));
        } catch (IOException endedOrNotLinux) {
            return "";
        }
    }
}
