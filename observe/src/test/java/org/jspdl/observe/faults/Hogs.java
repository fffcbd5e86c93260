package org.jspdl.observe.faults;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// Processes that compute for nothing.
final class Hogs implements Closeable {
    private final List<Process> processes = new ArrayList<>();

    private Hogs() {}

    static Hogs start(int count) throws IOException {
        Hogs hogs = new Hogs();
        for (int i = 0; i < count; i++) {
            hogs.processes.add(new ProcessBuilder("sh", "-c", "while :; do :; done").start());
        }
        return hogs;
    }

    @Override
    public void close() {
        processes.forEach(Process::destroyForcibly);
        processes.forEach(process -> process.onExit().join());
    }
}
