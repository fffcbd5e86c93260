package org.jspdl.leakcheck;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// What was alive at one moment: the threads with our prefix, and what each probe reported.
record Snapshot(Set<Thread> threads, Map<LeakProbe, List<String>> held) {
    static final String PREFIX = "jspdl-";

    static Snapshot take(List<LeakProbe> probes) {
        Map<LeakProbe, List<String>> held = new LinkedHashMap<>();
        probes.forEach(probe -> held.put(probe, List.copyOf(probe.leaks())));
        return new Snapshot(Set.copyOf(LiveThreads.named(PREFIX)), held);
    }

    /// What lives now and did not live then, one text for each leak; empty if nothing leaked.
    ///
    /// Threads that are just ending get until `patience` has passed, all together. Probes are asked after that.
    List<String> leaksSince(Duration patience) throws InterruptedException {
        List<String> leaks = new ArrayList<>();
        for (Thread thread : threadsLeft(patience)) {
            leaks.add(describe(thread));
        }
        held.forEach((probe, before) -> addNew(probe, before, leaks));
        return leaks;
    }

    private List<Thread> threadsLeft(Duration patience) throws InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        Set<Thread> given = new HashSet<>(threads);
        List<Thread> left = new ArrayList<>();
        for (List<Thread> found = others(given); !found.isEmpty(); found = others(given)) {
            for (Thread thread : found) {
                given.add(thread);
                if (!thread.join(Duration.ofNanos(Math.max(1, deadline - System.nanoTime())))) {
                    left.add(thread);
                }
            }
        }
        return left.stream().filter(Thread::isAlive).toList();
    }

    /// Asked again after each round, because an ending thread may have started another.
    private static List<Thread> others(Set<Thread> known) {
        return LiveThreads.named(PREFIX).stream()
                .filter(thread -> !known.contains(thread))
                .distinct()
                .toList();
    }

    private static void addNew(LeakProbe probe, List<String> before, List<String> leaks) {
        List<String> now = new ArrayList<>(probe.leaks());
        before.forEach(now::remove);
        now.forEach(line -> leaks.add(probe.name() + ": " + line));
    }

    private static String describe(Thread thread) {
        StringBuilder text = new StringBuilder(256);
        text.append(thread.isVirtual() ? "virtual thread '" : "thread '")
                .append(thread.getName())
                .append("' (");
        text.append(thread.getState()).append(')');
        for (StackTraceElement frame : thread.getStackTrace()) {
            text.append(System.lineSeparator()).append("      at ").append(frame);
        }
        return text.toString();
    }
}
