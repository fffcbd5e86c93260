package org.jspdl.plan;

import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The keywords of the plan language itself, which no operation may be called.
final class PlanKeywords {
    static final String NAME = "name";
    static final String SOURCE = "source";
    static final String STEPS = "steps";
    static final String PREFETCH = "prefetch";
    static final String EPOCHS = "epochs";
    static final String SEED = "seed";
    static final String COMPUTE_THREADS = "compute-threads";
    static final String FAILURE = "failure";
    static final String QUARANTINE = "quarantine";
    static final String MEMORY_BUDGET = "memory-budget";
    static final String CPU = "cpu";
    static final String IO = "io";
    static final String DEDICATED = "dedicated";
    static final String ASYNC = "async";
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

    static final String BATCH_SIZE = "batch-size";
    static final String DROP_LAST = "drop-last";
    static final String FLUSH_AFTER = "flush-after";
    static final String BY = "by";
    static final String WHEN = "when";
    static final String OTHERWISE = "otherwise";
    static final String OF = "of";
    static final String STOPPING_STRATEGY = "stopping-strategy";
    static final String WEIGHTS = "weights";
    static final String MAX_FAILURES = "max-failures";
    static final String MAX_FAILURE_RATE = "max-failure-rate";
    static final String MIN_CALLS = "min-calls";
    static final String MAX_ATTEMPTS = "max-attempts";
    static final String BACKOFF = "backoff";
    static final String BYTES = "bytes";
    static final String ITEM = "item";

    static final Set<String> FLOW = Set.of(SOURCE, STEPS);
    static final Set<String> PLAN =
            union(FLOW, Set.of(NAME, PREFETCH, EPOCHS, SEED, COMPUTE_THREADS, FAILURE, QUARANTINE, MEMORY_BUDGET));
    static final Set<String> JOINED = Set.of(MERGE, ROUND_ROBIN, MIX);
    /// How a step runs, beside what it does.
    static final Set<String> SETTINGS = Set.of(NAME, CPU, IO, DEDICATED, ASYNC, ORDER, BUFFER, FAILURE, DEADLINE);
    static final Set<String> STAGE_SETTINGS = Set.of(ORDER, BUFFER, FAILURE, DEADLINE);
    static final Set<String> OF_BATCH = Set.of(BATCH_SIZE, DROP_LAST, FLUSH_AFTER);
    static final Set<String> OF_ROUTE = Set.of(BY, WHEN, OTHERWISE);
    static final Set<String> OF_FAILURE = Set.of(MAX_FAILURES, MAX_FAILURE_RATE, MIN_CALLS, MAX_ATTEMPTS, BACKOFF);
    static final Set<String> OF_BUDGET = Set.of(BYTES, ITEM);

    static final Set<String> RESERVED = union(PLAN, JOINED, SETTINGS, Set.of(BATCH, UNBATCH, ROUTE, ROUTE_ELEMENTS));

    private PlanKeywords() {}

    /// The present names of former keywords, operations, parameters and values, for suggestions.
    static Map<String, String> renamed() {
        return Map.ofEntries(
                Map.entry("sink", PREFETCH),
                Map.entry("size", BATCH_SIZE),
                Map.entry("remainder", DROP_LAST),
                Map.entry("end", STOPPING_STRATEGY),
                Map.entry("skip", MAX_FAILURES),
                Map.entry("skip-rate", MAX_FAILURE_RATE),
                Map.entry("probation", MIN_CALLS),
                Map.entry("retry", MAX_ATTEMPTS),
                Map.entry("batch", BATCH_SIZE),
                Map.entry("allot-rows", "allocate-batch"),
                Map.entry("gather", "collate"),
                Map.entry("gather-images", "stack-images"),
                Map.entry("gather-tokens", "stack-tokens"),
                Map.entry("match", "glob"),
                Map.entry("grey", "grayscale"),
                Map.entry("way", "strategy"),
                Map.entry("brightness", "color-jitter"),
                Map.entry("contrast", "color-jitter"),
                Map.entry("saturation", "color-jitter"),
                Map.entry("hue", "color-jitter"),
                Map.entry("random-resized", "random-resized-crop"));
    }

    @SafeVarargs
    @SuppressWarnings("varargs") // the array is only read
    private static Set<String> union(Set<String>... sets) {
        return Stream.of(sets).flatMap(Set::stream).collect(Collectors.toUnmodifiableSet());
    }
}
