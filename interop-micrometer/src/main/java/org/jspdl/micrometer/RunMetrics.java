package org.jspdl.micrometer;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import org.jspdl.memory.BufferPool;
import org.jspdl.pipeline.Run;
import org.jspdl.stats.LinkStats;
import org.jspdl.stats.PipelineStats;
import org.jspdl.stats.StageStats;

/// The metrics of one run, from when they are bound until this is closed.
///
/// ```java
/// try (Run<Batch> run = loading.start(); RunMetrics metrics = RunMetrics.bind(run, registry)) { ... }
/// ```
///
/// They read one snapshot of the run, which is taken anew at most ten times a second; the run itself is not slowed
/// down. Names begin with `jspdl.` and have the tag `pipeline`; `docs/how-to/observe.md` lists them.
public final class RunMetrics implements AutoCloseable {
    private static final long FRESH_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final Supplier<PipelineStats> stats;
    private final MeterRegistry registry;
    private final Tags tags;
    private final List<Meter> meters = new CopyOnWriteArrayList<>();
    private volatile Taken taken;

    private record Taken(long at, PipelineStats stats) {}

    private RunMetrics(Supplier<PipelineStats> stats, MeterRegistry registry) {
        this.stats = stats;
        this.registry = registry;
        PipelineStats first = stats.get();
        this.taken = new Taken(System.nanoTime(), first);
        this.tags = Tags.of("pipeline", first.pipeline());
    }

    /// Adds the metrics of `run` to `registry`. The caller keeps the run open for as long as it likes, and closes
    /// the result to remove the metrics.
    ///
    /// @throws IllegalStateException if the registry has the metrics of another run of a pipeline of this name,
    ///     which would go on to show that run's figures
    public static RunMetrics bind(Run<?> run, MeterRegistry registry) {
        RunMetrics metrics = new RunMetrics(run::stats, registry);
        if (registry.find("jspdl.batches").tags(metrics.tags).meter() != null) {
            throw new IllegalStateException("the registry has the metrics of another run of a pipeline named '"
                    + metrics.now().pipeline() + "': close its RunMetrics first, or give one pipeline another name"
                    + " with named(...)");
        }
        metrics.register();
        return metrics;
    }

    private void register() {
        count("jspdl.batches", "Batches delivered to the consumer", tags, PipelineStats::delivered);
        seconds("jspdl.consumer.starved", "Time the consumer waited for batches", tags, PipelineStats::consumerWait);
        seconds("jspdl.consumer.busy", "Time the consumer was busy", tags, PipelineStats::consumerBusy);
        gauge(
                "jspdl.budget.used",
                "Bytes in flight as the byte budget counts them",
                "bytes",
                tags,
                now -> now.budget().usedBytes());
        gauge(
                "jspdl.pools.held",
                "Bytes that all buffer pools of the process hold",
                "bytes",
                tags,
                now -> BufferPool.heldByAllPools());
        PipelineStats now = now();
        now.stages().forEach(this::register);
        for (int i = 0; i < now.links().size(); i++) {
            register(now.links().get(i), i);
        }
    }

    private void register(StageStats stage) {
        Tags of = tags.and("stage", stage.name());
        String name = stage.name();
        items(of, "completed", now -> now.stage(name).completed());
        items(of, "filtered", now -> now.stage(name).filtered());
        items(of, "failed", now -> now.stage(name).failed());
        time(of, "busy", now -> now.stage(name).busy());
        time(of, "starved", now -> now.stage(name).starved());
        time(of, "backpressured", now -> now.stage(name).backpressured());
        time(of, "waiting-for-cpu", now -> now.stage(name).waitingForCpu());
        gauge(
                "jspdl.stage.workers",
                "Maximum calls at once",
                "workers",
                of,
                now -> now.stage(name).concurrency());
        for (double quantile : new double[] {0.5, 0.9, 0.99}) {
            gauge(
                    "jspdl.stage.latency",
                    "Time of one call since the run started",
                    "seconds",
                    of.and("quantile", String.valueOf(quantile)),
                    now -> seconds(now.stage(name).latency().percentile(quantile)));
        }
    }

    private void items(Tags of, String outcome, ToDoubleFunction<PipelineStats> value) {
        count("jspdl.stage.items", "Calls by outcome", of.and("outcome", outcome), value);
    }

    private void time(Tags of, String state, java.util.function.Function<PipelineStats, Duration> value) {
        seconds(
                "jspdl.stage.time",
                "Wall time of the workers by state, summed over workers",
                of.and("state", state),
                value);
    }

    /// A route has several links of one name, so links are told by where they lead.
    private void register(LinkStats link, int index) {
        Tags of = tags.and("from", link.name(), "to", link.consumer().isEmpty() ? "consumer" : link.consumer());
        gauge(
                "jspdl.queue.size",
                "Items in the queue",
                "items",
                of,
                now -> now.links().get(index).size());
        gauge(
                "jspdl.queue.capacity",
                "Capacity of the queue",
                "items",
                of,
                now -> now.links().get(index).capacity());
        count(
                "jspdl.queue.passed",
                "Items taken from the queue",
                of,
                now -> now.links().get(index).passed());
    }

    private void count(String name, String description, Tags of, ToDoubleFunction<PipelineStats> value) {
        meters.add(FunctionCounter.builder(name, this, metrics -> value.applyAsDouble(metrics.now()))
                .description(description)
                .tags(of)
                .register(registry));
    }

    private void seconds(
            String name, String description, Tags of, java.util.function.Function<PipelineStats, Duration> value) {
        meters.add(FunctionCounter.builder(name, this, metrics -> seconds(value.apply(metrics.now())))
                .description(description)
                .baseUnit("seconds")
                .tags(of)
                .register(registry));
    }

    private void gauge(String name, String description, String unit, Tags of, ToDoubleFunction<PipelineStats> value) {
        meters.add(Gauge.builder(name, this, metrics -> value.applyAsDouble(metrics.now()))
                .description(description)
                .baseUnit(unit)
                .tags(of)
                .register(registry));
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }

    private PipelineStats now() {
        Taken last = taken;
        if (System.nanoTime() - last.at < FRESH_NANOS) {
            return last.stats;
        }
        Taken fresh = new Taken(System.nanoTime(), stats.get());
        taken = fresh;
        return fresh.stats;
    }

    /// Removes the metrics from the registry; again is harmless.
    @Override
    public void close() {
        meters.forEach(registry::remove);
        meters.clear();
    }
}
