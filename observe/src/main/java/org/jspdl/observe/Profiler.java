package org.jspdl.observe;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspdl.memory.Closeables;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.Pipelines;
import org.jspdl.pipeline.Run;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.pipeline.StagePart;
import org.jspdl.stats.PipelineStats;
import org.jspdl.stats.StageStats;

/// Measures each stage of a pipeline alone, over inputs that the stages before it have made. Immutable.
///
/// ```java
/// IO.println(Profiler.create().items(500).profile(loading).text());
/// ```
///
/// A stage owns its inputs and may close or change them, so they are made anew for every measurement; that takes as
/// long as the stages before take. Outputs that are `AutoCloseable` are closed. The first fifth of each measurement
/// warms up and does not count.
public final class Profiler {
    /// How many inputs each stage gets unless another number is given.
    public static final int DEFAULT_ITEMS = 400;

    private static final Duration MOST_TIME = Duration.ofSeconds(5);
    private static final int WARM_UP = 5;

    private final int items;
    private final List<Integer> levels;
    private final RunOptions options;
    private final Consumer<? super StageProfile> measured;
    private final Duration patience;

    private Profiler(
            int items,
            List<Integer> levels,
            RunOptions options,
            Consumer<? super StageProfile> measured,
            Duration patience) {
        if (items < 2 * WARM_UP) {
            throw new IllegalArgumentException("items must be at least " + 2 * WARM_UP + " but was " + items);
        }
        if (levels.isEmpty() || levels.stream().anyMatch(level -> level < 1)) {
            throw new IllegalArgumentException("concurrencies must be positive but were " + levels);
        }
        this.items = items;
        this.levels = levels.stream().sorted().distinct().toList();
        this.options = options;
        this.measured = measured;
        this.patience = patience;
    }

    /// A profiler of [#DEFAULT_ITEMS] items at concurrencies 1, 2, 4 ... up to twice the processors.
    public static Profiler create() {
        int most = 2 * Runtime.getRuntime().availableProcessors();
        List<Integer> levels =
                IntStream.iterate(1, n -> n <= most, n -> 2 * n).boxed().toList();
        return new Profiler(DEFAULT_ITEMS, levels, RunOptions.defaults(), step -> {}, MOST_TIME);
    }

    /// The same, with this number of inputs for each stage.
    public Profiler items(int newItems) {
        return new Profiler(newItems, levels, options, measured, patience);
    }

    /// The same at these concurrencies.
    public Profiler concurrencies(Integer... newLevels) {
        return new Profiler(items, List.of(newLevels), options, measured, patience);
    }

    /// The same for runs with `newOptions`.
    public Profiler options(RunOptions newOptions) {
        return new Profiler(items, levels, newOptions, measured, patience);
    }

    /// The same, telling `callback` of each measurement as soon as it is made: the stage with all that is known of
    /// it so far, what was measured last at the end of its levels. Called by the thread that profiles; what it
    /// throws ends the profiling.
    public Profiler onStep(Consumer<? super StageProfile> callback) {
        return new Profiler(items, levels, options, callback, patience);
    }

    /// The same, with another time in which the first input of each stage has to come.
    Profiler patience(Duration most) {
        return new Profiler(items, levels, options, measured, most);
    }

    /// Measures the whole as it is, for 5 s at most if it has a batch by then, and then each stage that has a
    /// concurrency, wherever it is: before a merge, behind it, or in a branch of a route. A stage to which no item
    /// comes within 5 s can't be measured alone, and is named in the report.
    ///
    /// @throws org.jspdl.pipeline.PipelineException if a stage fails
    public ProfileReport profile(Pipeline<?> pipeline) {
        Whole whole = whole(pipeline);
        List<StageProfile> profiles = new ArrayList<>();
        List<String> unreached = new ArrayList<>();
        for (StagePart part : Pipelines.parts(pipeline)) {
            double calls = whole.calls(part.name());
            List<StageProfile.Level> found = measure(part, calls);
            if (found.isEmpty()) {
                unreached.add(part.name());
            } else {
                profiles.add(profile(part, calls, found));
            }
        }
        return new ProfileReport(
                whole.lap().pipeline(),
                Runtime.getRuntime().availableProcessors(),
                whole.lap().rate(),
                List.copyOf(profiles),
                List.copyOf(unreached));
    }

    private static StageProfile profile(StagePart part, double calls, List<StageProfile.Level> levels) {
        return new StageProfile(
                part.name(),
                part.options().placement().label(),
                part.options().concurrency(),
                calls,
                List.copyOf(levels));
    }

    private <T> Whole whole(Pipeline<T> pipeline) {
        long end = System.nanoTime() + MOST_TIME.toNanos();
        try (Run<T> run = pipeline.start(options)) {
            Iterator<T> batches = run.iterator();
            PipelineStats first = run.stats();
            boolean warm = false;
            for (boolean any = false; batches.hasNext() && (!any || System.nanoTime() < end); any = true) {
                Closeables.closeItem(batches.next());
                long read = run.stats().stages().getFirst().completed();
                if (!warm && read >= items / WARM_UP) {
                    warm = true;
                    first = run.stats();
                }
                if (read >= 2L * items) {
                    break;
                }
            }
            PipelineStats last = run.stats();
            return new Whole(last.delivered() > first.delivered() ? last.since(first) : last, last);
        }
    }

    /// The pipeline measured as it is: what happened between two looks, the first one past the warm-up, and what
    /// happened from the start.
    private record Whole(PipelineStats lap, PipelineStats all) {
        /// How often a stage is called for each batch. Between the looks, what lies in queues cancels out; but
        /// a stage that did all its work before the first look is seen from the start only, and one that was
        /// not called at all is called more rarely than once in as many batches.
        double calls(String stage) {
            long between = lap.stage(stage).processed();
            if (between > 0 && lap.delivered() > 0) {
                return (double) between / lap.delivered();
            }
            return all.delivered() == 0
                    ? 1
                    : (double) Math.max(1, all.stage(stage).processed()) / all.delivered();
        }
    }

    private List<StageProfile.Level> measure(StagePart part, double calls) {
        List<StageProfile.Level> found = new ArrayList<>();
        boolean fixed = part.options().placement().label().equals("dedicated");
        for (int level : fixed ? List.of(1) : levels) {
            List<Object> inputs = capture(part.before());
            if (inputs.isEmpty()) {
                return List.of();
            }
            found.add(measure(part, inputs, level));
            measured.accept(profile(part, calls, found));
        }
        return found;
    }

    private static Duration timeLeft(long end) {
        return Duration.ofNanos(Math.max(0, end - System.nanoTime()));
    }

    private StageProfile.Level measure(StagePart part, List<Object> inputs, int level) {
        long warmUp = inputs.size() / WARM_UP;
        Duration begun = cpu();
        try (Run<?> run = part.over(inputs, level).start(options)) {
            Iterator<?> outputs = run.iterator();
            long done = 0;
            PipelineStats from = run.stats();
            Duration cpu = begun;
            while (outputs.hasNext()) {
                Closeables.closeItem(outputs.next());
                if (++done == warmUp) {
                    from = run.stats();
                    cpu = cpu();
                }
            }
            PipelineStats all = run.stats();
            PipelineStats lap = all.since(from);
            if (lap.stage(part.name()).processed() == 0) {
                // It had done all its work before the warm-up was over, since it runs ahead of who
                // takes its results.
                lap = all;
                cpu = begun;
            }
            StageStats stage = lap.stage(part.name());
            long calls = Math.max(1, stage.processed());
            return new StageProfile.Level(
                    level,
                    stage.processed() / Math.max(1e-9, lap.elapsed().toNanos() / 1e9),
                    stage.latency().p50(),
                    stage.latency().p99(),
                    cpu().minus(cpu).dividedBy(calls));
        }
    }

    /// Inputs for a measurement, or none if none comes in time. Where the first has come, the others are waited
    /// for: the stages before may be slow, and a branch may take few of their items.
    private List<Object> capture(Pipeline<?> before) {
        List<Object> inputs = new ArrayList<>(items);
        long end = System.nanoTime() + patience.toNanos();
        try (Run<?> run = before.start(options)) {
            while (inputs.size() < items) {
                Optional<?> made = run.poll(inputs.isEmpty() ? timeLeft(end) : Duration.ofDays(1));
                if (made.isEmpty()) {
                    break;
                }
                inputs.add(made.get());
            }
        } catch (InterruptedException stop) {
            Closeables.closeItem(inputs);
            Thread.currentThread().interrupt();
            throw new CancellationException("interrupted while measuring");
        }
        return inputs;
    }

    /// Measures how much faster training could be: the same consumer, fed with batches from memory.
    ///
    /// @param consumer a training step; must leave its batch open
    /// @param batches  consumed in each of the two measurements
    public <T> Headroom headroom(Pipeline<T> pipeline, Consumer<? super T> consumer, int batches) {
        List<T> kept = new ArrayList<>();
        try {
            double loaded = loaded(pipeline, consumer, batches, kept);
            Iterator<T> again =
                    Stream.generate(() -> kept).flatMap(List::stream).iterator();
            return new Headroom(loaded, rate(batches, () -> consumer.accept(again.next())));
        } finally {
            Closeables.closeItem(kept);
        }
    }

    /// Consumes from the pipeline, and keeps some of what it yields.
    private <T> double loaded(Pipeline<T> pipeline, Consumer<? super T> consumer, int batches, List<T> kept) {
        try (Run<T> run = pipeline.start(options)) {
            Iterator<T> next = run.iterator();
            return rate(batches, () -> {
                if (!next.hasNext()) {
                    throw new IllegalArgumentException("the pipeline has fewer than " + batches + " batches");
                }
                T batch = next.next();
                consumer.accept(batch);
                if (kept.size() < Headroom.KEPT) {
                    kept.add(batch);
                } else {
                    Closeables.closeItem(batch);
                }
            });
        }
    }

    private static double rate(int batches, Runnable step) {
        int warmUp = batches / WARM_UP;
        long start = System.nanoTime();
        for (int i = 0; i < batches; i++) {
            if (i == warmUp) {
                start = System.nanoTime();
            }
            step.run();
        }
        return (batches - warmUp) * 1e9 / Math.max(1, System.nanoTime() - start);
    }

    private static Duration cpu() {
        var system = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        return Duration.ofNanos(system.getProcessCpuTime());
    }
}
