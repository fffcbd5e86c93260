package org.jspdl.observe.diagnosis;

/// What can limit a run.
public enum Limit {
    /// Too little was measured.
    UNKNOWN("unknown"),
    /// The consumer: loading is fast enough.
    CONSUMER("the consumer"),
    /// The source yields too slowly.
    SOURCE("the source"),
    /// One stage has too few slots for its work.
    STAGE("a stage"),
    /// The processors are busy with this process.
    PROCESSORS("the processors"),
    /// Other processes keep the processors, or the host of a virtual machine gives them to other machines.
    OTHER_PROCESSES("other processes"),
    /// A stage waits for files: a disk, or a file system that is one elsewhere.
    STORAGE("the storage"),
    /// A stage waits for a service over the network.
    STORE("the remote store"),
    /// A few items take so long that others wait for them.
    SLOW_ITEMS("a few slow items"),
    /// Nothing is saturated, but there is too little room between stages to even out their work.
    ROOM("too little room between stages"),
    /// The garbage collector stops the program.
    GARBAGE("garbage collection"),
    /// The byte budget, or the machine's memory.
    MEMORY("memory");

    private final String label;

    Limit(String label) {
        this.label = label;
    }

    /// As in "limited by ...".
    public String label() {
        return label;
    }
}
