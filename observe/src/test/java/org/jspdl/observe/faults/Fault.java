package org.jspdl.observe.faults;

import org.jspdl.observe.diagnosis.Limit;
import org.jspdl.observe.diagnosis.Remedy;

/// What can be wrong with a pipeline, and what should be said of it.
enum Fault {
    SLOW_STAGE(Limit.STAGE, Remedy.Kind.FASTER_STAGE),
    FEW_SLOTS(Limit.STAGE, Remedy.Kind.MORE_WORKERS),
    HEAVY_STAGE(Limit.STAGE, Remedy.Kind.FASTER_STAGE),
    SLOW_SOURCE(Limit.SOURCE, Remedy.Kind.FASTER_STAGE),
    THROTTLED_DISK(Limit.STORAGE, Remedy.Kind.FASTER_STORAGE),
    TINY_QUEUES(Limit.BUFFERS, Remedy.Kind.LARGER_BUFFERS),
    BUSY_MACHINE(Limit.OTHER_PROCESSES, Remedy.Kind.NO_OTHER_PROCESSES),
    LONG_TAIL(Limit.STRAGGLERS, Remedy.Kind.NO_STRAGGLERS),
    GARBAGE(Limit.GC, Remedy.Kind.NO_GC),
    SLOW_CONSUMER(Limit.CONSUMER, Remedy.Kind.FASTER_CONSUMER),
    LIMITED_STORE(Limit.STORE, Remedy.Kind.FASTER_STORAGE),
    LITTLE_MEMORY(Limit.MEMORY, Remedy.Kind.MORE_MEMORY);

    private final Limit limit;
    private final Remedy.Kind remedy;

    Fault(Limit limit, Remedy.Kind remedy) {
        this.limit = limit;
        this.remedy = remedy;
    }

    /// What the first finding should name.
    Limit limit() {
        return limit;
    }

    /// The change whose effect is tried.
    Remedy.Kind remedy() {
        return remedy;
    }

    /// Whether the finding should also name the stage.
    boolean hasStage() {
        return switch (this) {
            case SLOW_STAGE, FEW_SLOTS, HEAVY_STAGE, THROTTLED_DISK, LONG_TAIL, LIMITED_STORE -> true;
            case SLOW_SOURCE, TINY_QUEUES, BUSY_MACHINE, GARBAGE, SLOW_CONSUMER, LITTLE_MEMORY -> false;
        };
    }
}
