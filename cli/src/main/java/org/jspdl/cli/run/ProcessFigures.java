package org.jspdl.cli.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// What the operating system knows about this process. On Linux from `/proc`; elsewhere what the JDK offers.
final class ProcessFigures {
    private static final Path PROC = Path.of("/proc");
    private static final double TICKS_PER_SECOND = 100; // fixed for user space on Linux, whatever the kernel's own
    private static final int START_TIME_FIELD = 22;

    private ProcessFigures() {}

    /// Seconds since the process was started, the launcher included; to about 10 ms.
    static double secondsSinceStart() {
        try {
            String stat = Files.readString(PROC.resolve("self/stat"));
            // The second field is the program's name in parentheses, which may hold spaces.
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            double started = Long.parseLong(fields[START_TIME_FIELD - 3]) / TICKS_PER_SECOND;
            String uptime = Files.readString(PROC.resolve("uptime"));
            return Double.parseDouble(uptime.substring(0, uptime.indexOf(' '))) - started;
        } catch (IOException notLinux) {
            Instant started = ProcessHandle.current().info().startInstant().orElseGet(Instant::now);
            return Duration.between(started, Instant.now()).toNanos() / 1e9;
        }
    }

    /// Processor time of all threads so far; to about 10 ms.
    static Duration cpuTime() {
        return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
    }

    /// The most memory that was resident at any moment, in bytes; empty where the system does not say.
    static OptionalLong peakResidentBytes() {
        try {
            List<String> lines = Files.readAllLines(PROC.resolve("self/status"));
            Optional<String> peak =
                    lines.stream().filter(line -> line.startsWith("VmHWM:")).findFirst();
            return peak.isEmpty()
                    ? OptionalLong.empty()
                    : OptionalLong.of(1024 * Long.parseLong(peak.get().replaceAll("[^0-9]", "")));
        } catch (IOException notLinux) {
            return OptionalLong.empty();
        }
    }
}
