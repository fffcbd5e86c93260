package org.jspdl.observe.process;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/// Sums what Linux's scheduler knows of each thread, by what the thread is for. Used by one thread at a time.
///
/// The names of threads are read once: a thread is told by its number, and all that matter here live long.
final class ThreadTimes {
    private enum Use {
        COMPUTE,
        CARRIER,
        GARBAGE,
        COMPILER,
        OTHER
    }

    private final Path tasks;
    private final Map<String, Use> uses = new HashMap<>();

    ThreadTimes(Path proc) {
        tasks = proc.resolve("self/task");
    }

    ProcessUsage.Threads read() {
        long[] cpu = new long[Use.values().length];
        long delayed = 0;
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(tasks)) {
            for (Path thread : threads) {
                Use use = use(thread);
                if (use == Use.OTHER) {
                    continue;
                }
                long[] times = times(thread);
                cpu[use.ordinal()] += times[0];
                if (use == Use.COMPUTE || use == Use.CARRIER) {
                    delayed += times[1];
                }
            }
        } catch (IOException notLinux) {
            return new ProcessUsage.Threads(0, 0, 0, 0, 0);
        }
        return new ProcessUsage.Threads(
                cpu[Use.COMPUTE.ordinal()],
                cpu[Use.CARRIER.ordinal()],
                cpu[Use.GARBAGE.ordinal()],
                cpu[Use.COMPILER.ordinal()],
                delayed);
    }

    private Use use(Path thread) throws IOException {
        String number = thread.getFileName().toString();
        Use known = uses.get(number);
        if (known == null) {
            try {
                known = useOf(Files.readString(thread.resolve("comm")));
            } catch (IOException ended) {
                return Use.OTHER;
            }
            uses.put(number, known);
        }
        return known;
    }

    /// Linux keeps the first 15 characters of a name.
    private static Use useOf(String name) {
        if (name.startsWith("jspdl-")) {
            return Use.COMPUTE;
        }
        if (name.startsWith("ForkJoinPool")) {
            return Use.CARRIER;
        }
        if (name.startsWith("GC Thread")
                || name.startsWith("G1 ")
                || name.startsWith("VM Thread")
                || name.startsWith("ZWorker")
                || name.startsWith("ZDriver")
                || name.startsWith("Shenandoah")) {
            return Use.GARBAGE;
        }
        return name.startsWith("C1 Compiler") || name.startsWith("C2 Compiler") ? Use.COMPILER : Use.OTHER;
    }

    /// Nanoseconds on a processor, and ready to run without one.
    private static long[] times(Path thread) {
        try {
            String[] fields =
                    Files.readString(thread.resolve("schedstat")).strip().split(" ", -1);
            return new long[] {Long.parseLong(fields[0]), Long.parseLong(fields[1])};
        } catch (IOException | RuntimeException ended) {
            return new long[2];
        }
    }
}
