package org.jspdl.plan;

import java.util.Set;

/// The words of the plan language itself, which no operation may be called.
final class Words {
    static final String NAME = "name";
    static final String SOURCE = "source";
    static final String STEPS = "steps";
    static final String SINK = "sink";
    static final String EPOCHS = "epochs";
    static final String SEED = "seed";
    static final String COMPUTE_THREADS = "compute-threads";
    static final String FAILURE = "failure";
    static final String QUARANTINE = "quarantine";
    static final String MEMORY_BUDGET = "memory-budget";
    static final String CPU = "cpu";
    static final String IO = "io";
    static final String DEDICATED = "dedicated";
    static final String ORDER = "order";
    static final String BUFFER = "buffer";
    static final String DEADLINE = "deadline";
    static final String BATCH = "batch";
    static final String UNBATCH = "unbatch";
    static final String ROUTE = "route";
    static final String ROUTE_ELEMENTS = "route-elements";
    static final String MERGE = "merge";
    static final String ROUND_ROBIN = "round-robin";
    static final String MIX = "mix";

    /// The words that say how a step runs, beside what it does.
    static final Set<String> SETTINGS = Set.of(NAME, CPU, IO, DEDICATED, ORDER, BUFFER, FAILURE, DEADLINE);

    static final Set<String> RESERVED = Set.of(
            NAME,
            SOURCE,
            STEPS,
            SINK,
            EPOCHS,
            SEED,
            COMPUTE_THREADS,
            FAILURE,
            QUARANTINE,
            MEMORY_BUDGET,
            CPU,
            IO,
            DEDICATED,
            ORDER,
            BUFFER,
            DEADLINE,
            BATCH,
            UNBATCH,
            ROUTE,
            ROUTE_ELEMENTS,
            MERGE,
            ROUND_ROBIN,
            MIX);

    private Words() {}
}
