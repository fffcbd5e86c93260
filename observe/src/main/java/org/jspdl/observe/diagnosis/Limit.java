package org.jspdl.observe.diagnosis;

import java.util.Locale;

/// What can limit a run.
public enum Limit {
    /// Too little was measured.
    UNKNOWN("not known yet"),
    /// The consumer: loading is fast enough.
    CONSUMER("consumer"),
    /// The source is too slow.
    SOURCE("source"),
    /// One stage has too few workers.
    STAGE("a stage"),
    /// This process uses all processors.
    CPU("CPU"),
    /// Other processes use the processors, or the host of a virtual machine gives them to other machines.
    OTHER_PROCESSES("other processes' CPU"),
    /// A stage waits for files, on a disk or a network file system.
    STORAGE("storage"),
    /// A stage waits for a service over the network.
    STORE("remote store"),
    /// A few items take so long that others wait for them.
    STRAGGLERS("stragglers"),
    /// Nothing is saturated, but the buffers between stages are too small to even out their work.
    BUFFERS("buffers too small"),
    /// The garbage collector pauses the program.
    GC("GC"),
    /// The byte budget, or the machine's memory.
    MEMORY("memory");

    private final String label;

    Limit(String label) {
        this.label = label;
    }

    /// For people.
    public String label() {
        return label;
    }

    /// In JSON.
    public String key() {
        return name().toLowerCase(Locale.ROOT);
    }
}
