package org.jspdl.pipeline.internal.tune;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspdl.pipeline.TuningBudget;

/// Reads what this process uses of the machine, and what limits it. Used by one thread.
///
/// Outside Linux the memory and the processors of others are not known, and only the budget's number of processors
/// counts.
final class ResourceReader {
    private final Path proc;
    private final ControlGroups groups;
    private final TuningBudget budget;

    ResourceReader(TuningBudget budget) {
        this(Path.of("/proc"), Path.of("/sys/fs/cgroup"), budget);
    }

    /// @param proc  usually `/proc`
    /// @param mount usually `/sys/fs/cgroup`
    ResourceReader(Path proc, Path mount, TuningBudget budget) {
        this.proc = proc;
        this.groups = new ControlGroups(proc, mount);
        this.budget = budget;
    }

    Resources read() {
        int available = Runtime.getRuntime().availableProcessors();
        double usable = Math.min(available, groups.processors().orElse(available));
        String status = SmallFile.text(proc.resolve("self/status"));
        long resident = kibibytes(status, "VmRSS:").orElse(0);
        MachineTimes times = MachineTimes.of(SmallFile.text(proc.resolve("stat")), status);
        ControlGroups.Room room = room(resident);
        return new Resources(
                System.nanoTime(),
                ProcessHandle.current()
                        .info()
                        .totalCpuDuration()
                        .map(Duration::toNanos)
                        .orElse(-1L),
                times.nanos(),
                times.processors() > 0 ? times.processors() : available,
                Math.min(usable, budget.processors().orElse(usable)),
                resident,
                room.leftBytes(),
                room.limitBytes());
    }

    /// What the tightest limit of memory leaves.
    private ControlGroups.Room room(long resident) {
        String machine = SmallFile.text(proc.resolve("meminfo"));
        OptionalLong total = kibibytes(machine, "MemTotal:");
        OptionalLong left = kibibytes(machine, "MemAvailable:");
        ControlGroups.Room tightest = total.isPresent() && left.isPresent()
                ? new ControlGroups.Room(total.getAsLong(), left.getAsLong())
                : new ControlGroups.Room(Long.MAX_VALUE, Long.MAX_VALUE);
        Optional<ControlGroups.Room> group = groups.memory();
        if (group.isPresent() && group.get().leftBytes() < tightest.leftBytes()) {
            tightest = group.get();
        }
        if (budget.memoryBytes().isPresent()) {
            long limit = budget.memoryBytes().getAsLong();
            if (limit - resident < tightest.leftBytes()) {
                tightest = new ControlGroups.Room(limit, limit - resident);
            }
        }
        return tightest;
    }

    private static OptionalLong kibibytes(String text, String name) {
        OptionalLong value = SmallFile.field(text, name);
        return value.isEmpty() ? value : OptionalLong.of(value.getAsLong() * 1024);
    }
}
