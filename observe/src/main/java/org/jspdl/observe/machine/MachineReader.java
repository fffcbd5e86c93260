package org.jspdl.observe.machine;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;

/// Takes snapshots of what a run takes of the machine. Used by one thread at a time.
public final class MachineReader {
    private final EnergyReader energy;
    private final ProcessGroupReader group;

    private MachineReader(Path powercap, Path proc, Supplier<List<Long>> pids) {
        energy = new EnergyReader(powercap);
        group = new ProcessGroupReader(proc, pids);
    }

    /// A reader of this machine, for this process and those that it starts. Counters begin now. Energy is read in
    /// `/sys/class/powercap`, or where `-Djspdl.powercap=FOLDER` says, as in containers that have it elsewhere.
    public static MachineReader ofThisMachine() {
        return new MachineReader(
                Path.of(System.getProperty("jspdl.powercap", "/sys/class/powercap")),
                Path.of("/proc"),
                ProcessGroupReader::ofThisProcess);
    }

    /// A reader of files as in `/sys/class/powercap` and `/proc`, for these processes.
    static MachineReader of(Path powercap, Path proc, Supplier<List<Long>> pids) {
        return new MachineReader(powercap, proc, pids);
    }

    /// A snapshot, of processes as they were in the last five seconds: looking for them takes some milliseconds.
    public MachineUsage read() {
        return new MachineUsage(energy.read(), group.read(System.nanoTime()));
    }

    /// A snapshot of this moment.
    public MachineUsage readNow() {
        return new MachineUsage(energy.read(), group.readNow(System.nanoTime()));
    }
}
