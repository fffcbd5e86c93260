package org.jspdl.plan.internal;

import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The keywords of the plan language itself, which no operation may be called.
public final class PlanKeywords {
    public static final String NAME = "name";
    public static final String SOURCE = "source";
    public static final String STEPS = "steps";
    public static final String PREFETCH = "prefetch";
    public static final String EPOCHS = "epochs";
    public static final String SEED = "seed";
    public static final String COMPUTE_THREADS = "compute-threads";
    public static final String FAILURE = "failure";
    public static final String QUARANTINE = "quarantine";
    public static final String MEMORY_BUDGET = "memory-budget";
    public static final String TUNING_BUDGET = "tuning-budget";
    public static final String CPU = "cpu";
    public static final String IO = "io";
    public static final String DEDICATED = "dedicated";
    public static final String ASYNC = "async";
    public static final String PRIORITY = "priority";
    public static final String ORDER = "order";
    public static final String BUFFER = "buffer";
    public static final String DEADLINE = "deadline";
    public static final String DEFER = "defer";
    public static final String BATCH = "batch";
    public static final String UNBATCH = "unbatch";
    public static final String ROUTE = "route";
    public static final String ROUTE_ELEMENTS = "route-elements";
    public static final String MERGE = "merge";
    public static final String ROUND_ROBIN = "round-robin";
    public static final String MIX = "mix";

    public static final String BATCH_SIZE = "batch-size";
    public static final String DROP_LAST = "drop-last";
    public static final String FLUSH_AFTER = "flush-after";
    public static final String BY = "by";
    public static final String WHEN = "when";
    public static final String OTHERWISE = "otherwise";
    public static final String OF = "of";
    public static final String STOPPING_STRATEGY = "stopping-strategy";
    public static final String WEIGHTS = "weights";
    public static final String SCHEDULE = "schedule";
    public static final String CHANGES = "changes";
    public static final String FROM = "from";
    public static final String RAMP = "ramp";
    public static final String MAX_FAILURES = "max-failures";
    public static final String MAX_FAILURE_RATE = "max-failure-rate";
    public static final String MIN_CALLS = "min-calls";
    public static final String MAX_ATTEMPTS = "max-attempts";
    public static final String BACKOFF = "backoff";
    public static final String BYTES = "bytes";
    public static final String ITEM = "item";
    public static final String PROCESSORS = "processors";
    public static final String MEMORY = "memory";

    public static final Set<String> FLOW = Set.of(SOURCE, STEPS);
    public static final Set<String> PLAN = union(
            FLOW,
            Set.of(NAME, PREFETCH, EPOCHS, SEED, COMPUTE_THREADS, FAILURE, QUARANTINE, MEMORY_BUDGET, TUNING_BUDGET));
    /// What a mix says.
    public static final Set<String> MIXED = Set.of(OF, STOPPING_STRATEGY, SEED, WEIGHTS, SCHEDULE, CHANGES);

    /// What a change of its weights says.
    public static final Set<String> CHANGE_OF_WEIGHTS = Set.of(FROM, WEIGHTS, RAMP);

    public static final Set<String> JOINED = Set.of(MERGE, ROUND_ROBIN, MIX);
    /// How a step runs, beside what it does.
    public static final Set<String> SETTINGS =
            Set.of(NAME, CPU, IO, DEDICATED, ASYNC, PRIORITY, ORDER, BUFFER, FAILURE, DEADLINE, DEFER);
    public static final Set<String> STAGE_SETTINGS = Set.of(PRIORITY, ORDER, BUFFER, FAILURE, DEADLINE, DEFER);
    /// How keys are asked for that come later.
    public static final Set<String> ROUTE_SETTINGS = Set.of(NAME, ASYNC, ORDER, BUFFER, FAILURE, DEADLINE);
    public static final Set<String> OF_BATCH = Set.of(BATCH_SIZE, DROP_LAST, FLUSH_AFTER);
    public static final Set<String> OF_ROUTE = Set.of(BY, WHEN, OTHERWISE);
    public static final Set<String> OF_FAILURE =
            Set.of(MAX_FAILURES, MAX_FAILURE_RATE, MIN_CALLS, MAX_ATTEMPTS, BACKOFF);
    public static final Set<String> OF_BUDGET = Set.of(BYTES, ITEM);
    public static final Set<String> OF_TUNING_BUDGET = Set.of(PROCESSORS, MEMORY);

    public static final Set<String> RESERVED =
            union(PLAN, JOINED, SETTINGS, Set.of(BATCH, UNBATCH, ROUTE, ROUTE_ELEMENTS));

    private PlanKeywords() {}

    /// The present names of former keywords, operations, parameters and values, for suggestions.
    public static Map<String, String> renamed() {
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
