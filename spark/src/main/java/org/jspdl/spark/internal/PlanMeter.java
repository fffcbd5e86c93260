package org.jspdl.spark.internal;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongConsumer;
import org.jspdl.stats.RemoteRequest;
import org.jspdl.stats.RequestObserver;
import org.jspdl.stats.StageObserver;

/// Counts what a plan does in a task: the time in its stages, and the bytes that its storage reads. Thread-safe.
public final class PlanMeter implements StageObserver, RequestObserver {
    private final LongAdder bytes = new LongAdder();
    private volatile Map<String, LongAdder> nanos = Map.of();

    /// Before the plan is compiled.
    public PlanMeter() {}

    /// Counts the time of these stages from here on.
    public void stages(List<String> names) {
        Map<String, LongAdder> counters = new LinkedHashMap<>();
        names.forEach(name -> counters.put(name, new LongAdder()));
        nanos = counters;
    }

    @Override
    public void itemEnded(String stage, long time, Outcome outcome) {
        LongAdder counter = nanos.get(stage);
        if (counter != null) {
            counter.add(time);
        }
    }

    @Override
    public void ended(RemoteRequest request) {
        // requests are not counted
    }

    @Override
    public LongConsumer opened() {
        return bytes::add;
    }

    /// Bytes that were read.
    public long bytes() {
        return bytes.sum();
    }

    /// Nanoseconds by stage.
    public Map<String, Long> nanos() {
        Map<String, Long> sums = new LinkedHashMap<>();
        nanos.forEach((stage, counter) -> sums.put(stage, counter.sum()));
        return sums;
    }
}
