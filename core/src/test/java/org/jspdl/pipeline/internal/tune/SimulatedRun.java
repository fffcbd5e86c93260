package org.jspdl.pipeline.internal.tune;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.function.DoubleConsumer;
import org.jspdl.pipeline.Tuning;
import org.jspdl.stats.BudgetStats;
import org.jspdl.stats.Latency;
import org.jspdl.stats.LinkStats;
import org.jspdl.stats.PipelineStats;
import org.jspdl.stats.TuningStats;

/// A run on a machine, both simulated: processors are shared equally by all that compute, stores serve a limited number
/// of requests at once, and the trainer computes, too. The tuner's model knows nothing of shared processors and of
/// stores.
final class SimulatedRun {
    private static final long MB = 1 << 20;

    final List<SimulatedStage> stages;
    final int processors;
    /// The trainer's step: threads that compute, for how long, and how long it waits for its device.
    int trainerThreads;
    double trainerWork;
    double trainerWait;
    /// Threads of other processes, which compute all the time.
    int foreignThreads;
    long itemBytes = 100_000;
    long baseBytes = 300 * MB;
    long memoryLimit = 8_000 * MB;
    private final SplittableRandom random;
    private final PriorityQueue<Task> waiting = new PriorityQueue<>();
    private final PriorityQueue<Task> computing = new PriorityQueue<>();
    private final List<Deque<Task>> stores = new ArrayList<>();
    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private double now;
    /// Processor time that each computing task has had since the start.
    private double progress;
    private double used;
    private double usedByTrainer;
    private int trainerComputing;
    private int threads;
    private long delivered;
    private boolean stepping;
    private int stepThreads;
    private double stepBegan;
    private double waitBegan;
    private double consumerWait;
    private double consumerBusy;
    private final long[] steps = new long[Latency.BUCKETS];

    private record Event(double at, Runnable what) implements Comparable<Event> {
        @Override
        public int compareTo(Event other) {
            return Double.compare(at, other.at);
        }
    }

    /// @param end by the clock while it waits, by `progress` while it computes
    private record Task(double end, int stage, double began) implements Comparable<Task> {
        @Override
        public int compareTo(Task other) {
            return Double.compare(end, other.end);
        }
    }

    SimulatedRun(long seed, int processors, List<SimulatedStage> stages) {
        this.random = new SplittableRandom(seed);
        this.processors = processors;
        this.threads = processors;
        this.stages = stages;
        stages.forEach(stage -> stores.add(new ArrayDeque<>()));
    }

    SimulatedStage stage(String name) {
        return stages.stream()
                .filter(each -> each.name.equals(name))
                .findFirst()
                .orElseThrow();
    }

    void tune(Tuning tuning) {
        switch (tuning) {
            case Tuning.Concurrency(String name, int calls) -> stage(name).workers = calls;
            case Tuning.Buffer(String name, int items) -> stage(name).buffer = items;
        }
    }

    void at(double time, Runnable what) {
        events.add(new Event(time, what));
    }

    double now() {
        return now;
    }

    long delivered() {
        return delivered;
    }

    long residentBytes() {
        long items = 0;
        for (SimulatedStage stage : stages) {
            items += stage.active + stage.ready + stage.gathered;
        }
        return baseBytes + items * itemBytes;
    }

    /// Batches per second over `seconds` from now on.
    double rate(double seconds) {
        long before = delivered;
        double from = now;
        until(now + seconds, at -> {});
        return (delivered - before) / (now - from);
    }

    /// Goes on until `end`.
    ///
    /// @param sampled is called at each event
    void until(double end, DoubleConsumer sampled) {
        start();
        while (now < end) {
            double speed = Math.min(1, (double) processors / Math.max(1, computing.size() + foreignThreads));
            double next = end;
            next = waiting.isEmpty() ? next : Math.min(next, waiting.peek().end);
            next = events.isEmpty() ? next : Math.min(next, events.peek().at);
            double computed = computing.isEmpty() ? next : now + (computing.peek().end - progress) / speed;
            boolean computes = computed <= next && !computing.isEmpty();
            next = computes ? computed : next;
            advance(Math.max(now, next), speed);
            if (computes) {
                computed(computing.remove());
            } else if (!events.isEmpty() && events.peek().at <= now) {
                events.remove().what.run();
            } else if (!waiting.isEmpty() && waiting.peek().end <= now) {
                waited(waiting.remove());
            }
            start();
            sampled.accept(now);
        }
    }

    private void advance(double to, double speed) {
        double elapsed = to - now;
        used += elapsed * speed * (computing.size() - trainerComputing);
        usedByTrainer += elapsed * speed * (trainerComputing + foreignThreads);
        progress += elapsed * speed;
        now = to;
    }

    /// A call has waited, and computes from now on.
    private void waited(Task task) {
        if (task.stage == stages.size()) {
            endStep();
            return;
        }
        SimulatedStage stage = stages.get(task.stage);
        stage.atStore--;
        Deque<Task> store = stores.get(task.stage);
        if (!store.isEmpty()) {
            atStore(task.stage, store.remove().began);
        }
        computing.add(new Task(progress + stage.drawWork(random), task.stage, task.began));
    }

    private void atStore(int index, double began) {
        SimulatedStage stage = stages.get(index);
        stage.atStore++;
        waiting.add(new Task(now + stage.drawWait(random), index, began));
    }

    private void computed(Task task) {
        if (task.stage == stages.size()) {
            trainerComputing--;
            if (--stepThreads == 0) {
                waiting.add(new Task(now + trainerWait, task.stage, task.began));
            }
            return;
        }
        SimulatedStage stage = stages.get(task.stage);
        stage.called(now - task.began);
        stage.active--;
        stage.reserved--;
        stage.ready++;
        threads += stage.computes() ? 1 : 0;
    }

    private void endStep() {
        stepping = false;
        double took = now - stepBegan;
        consumerBusy += took;
        steps[Latency.bucketOf(Math.round(took * 1e9))]++;
        waitBegan = now;
    }

    private void start() {
        boolean changed;
        do {
            changed = consume();
            for (int i = stages.size() - 1; i >= 0; i--) {
                changed |= start(i);
            }
        } while (changed);
    }

    private boolean consume() {
        SimulatedStage last = stages.getLast();
        if (stepping || last.ready == 0) {
            return false;
        }
        last.ready--;
        last.passed++;
        delivered++;
        consumerWait += now - waitBegan;
        stepping = true;
        stepBegan = now;
        stepThreads = trainerThreads;
        if (trainerThreads == 0) {
            waiting.add(new Task(now + trainerWait, stages.size(), now));
        }
        for (int i = 0; i < trainerThreads; i++) {
            computing.add(new Task(progress + trainerWork, stages.size(), now));
            trainerComputing++;
        }
        return true;
    }

    private boolean start(int i) {
        SimulatedStage stage = stages.get(i);
        boolean changed = false;
        while (stage.gathered < stage.group && take(i)) {
            stage.gathered++;
            changed = true;
            if (stage.group == 1) {
                break;
            }
        }
        if (stage.gathered < stage.group || !stage.hasRoom() || stage.active >= stage.workers) {
            return changed;
        }
        if (stage.computes() && threads == 0) {
            return changed;
        }
        stage.gathered = 0;
        if (stage.work == 0 && stage.wait == 0) {
            stage.called(1e-6);
            stage.ready++;
            return true;
        }
        stage.active++;
        stage.reserved++;
        threads -= stage.computes() ? 1 : 0;
        if (stage.wait == 0) {
            computing.add(new Task(progress + stage.drawWork(random), i, now));
        } else if (stage.atStore < stage.servers) {
            atStore(i, now);
        } else {
            stores.get(i).add(new Task(0, i, now));
        }
        return true;
    }

    private boolean take(int i) {
        if (i == 0) {
            return true;
        }
        SimulatedStage before = stages.get(i - 1);
        SimulatedStage stage = stages.get(i);
        boolean wanted = stage.group > 1 || (stage.hasRoom() && stage.active < stage.workers);
        if (before.ready == 0 || !wanted) {
            return false;
        }
        before.ready--;
        before.passed++;
        return true;
    }

    Look look() {
        PipelineStats stats = new PipelineStats(
                "simulated",
                SimulatedStage.nanos(now),
                delivered,
                0,
                0,
                SimulatedStage.nanos(consumerWait),
                SimulatedStage.nanos(consumerBusy),
                Latency.of(steps, Long.MAX_VALUE),
                processors,
                BudgetStats.NONE,
                List.of(),
                TuningStats.OFF,
                stages.stream().map(SimulatedStage::stats).toList(),
                links());
        long resident = residentBytes();
        return new Look(
                stats,
                new Resources(
                        Math.round(now * 1e9),
                        Math.round(used * 1e9),
                        Math.round((used + usedByTrainer) * 1e9),
                        processors,
                        processors,
                        resident,
                        memoryLimit - resident,
                        memoryLimit));
    }

    private List<LinkStats> links() {
        List<LinkStats> links = new ArrayList<>();
        for (int i = 0; i < stages.size(); i++) {
            links.add(stages.get(i).link(i + 1 < stages.size() ? stages.get(i + 1).name : ""));
        }
        return links;
    }
}
