package org.jspdl.stats.model;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;

/// Runs a chain of stages in simulated time, with the engine's rules: room is reserved before work, compute threads go
/// to the stage nearest to the consumer, and in input order only the oldest item passes.
///
/// Used once, by one thread. The same model gives the same rate: call times are drawn by a generator of each stage's
/// own, so that two models differ only by what was changed.
final class Simulation {
    private static final int MOST_EVENTS = 24_000;
    private static final int FEWEST_BATCHES = 24;
    private static final int MOST_BATCHES = 3_000;
    private static final int MOST_ROOM = 4096;

    private final ModelStage[] stages;
    private final int last;
    private final int[] ready;
    private final int[] reserved;
    private final int[] room;
    private final int[] busy;
    private final int[] gathered;
    private final List<ArrayDeque<Integer>> parts = new ArrayList<>();
    private final long[] taken;
    private final long[] head;
    private final boolean[][] done;
    private final boolean[][] dropped;
    private final double[] owed;
    private final SplittableRandom[] random;
    private final double[][] times;
    private final int[] drawn;
    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private int threads;
    private double now;
    private boolean consuming;
    private long delivered;

    private record Event(double at, int stage, long sequence) implements Comparable<Event> {
        @Override
        public int compareTo(Event other) {
            return Double.compare(at, other.at);
        }
    }

    private Simulation(PipelineModel model) {
        stages = model.stages().toArray(ModelStage[]::new);
        int n = stages.length;
        last = n - 1;
        ready = new int[n];
        reserved = new int[n];
        busy = new int[n];
        gathered = new int[n];
        taken = new long[n];
        head = new long[n];
        owed = new double[n];
        random = new SplittableRandom[n + 1];
        times = new double[n + 1][];
        drawn = new int[n + 1];
        random[n] = new SplittableRandom(n);
        times[n] = model.consumer().clone();
        room = new int[n];
        done = new boolean[n][];
        dropped = new boolean[n][];
        for (int i = 0; i < n; i++) {
            room[i] = Math.clamp(stages[i].capacity(), 1, MOST_ROOM);
            done[i] = new boolean[room[i]];
            dropped[i] = new boolean[room[i]];
            parts.add(new ArrayDeque<>());
            random[i] = new SplittableRandom(i);
            times[i] = stages[i].times().clone();
        }
        threads = Math.max(1, model.computeThreads());
    }

    static Simulation of(PipelineModel model) {
        return new Simulation(model);
    }

    /// Batches per second once the links are filled.
    double rate() {
        double skippedUntil = 0;
        long skipped = -1;
        int count = 0;
        startAll();
        while (!events.isEmpty() && count++ < MOST_EVENTS && delivered < MOST_BATCHES) {
            Event event = events.poll();
            now = event.at;
            if (event.stage > last) {
                consuming = false;
            } else {
                end(event);
            }
            startAll();
            boolean warm = count > MOST_EVENTS / 5 || delivered > MOST_BATCHES / 5;
            if (skipped < 0 && warm && delivered >= FEWEST_BATCHES / 4) {
                skipped = delivered;
                skippedUntil = now;
            }
        }
        long from = Math.max(0, skipped);
        return now <= skippedUntil || delivered <= from ? 0 : (delivered - from) * 1e9 / (now - skippedUntil);
    }

    private void startAll() {
        boolean changed;
        do {
            changed = consume();
            for (int i = last; i >= 0; i--) {
                changed |= start(i);
            }
        } while (changed);
    }

    private boolean consume() {
        if (consuming || ready[last] == 0) {
            return false;
        }
        ready[last]--;
        delivered++;
        consuming = true;
        events.add(new Event(now + draw(last + 1), last + 1, 0));
        return true;
    }

    private boolean start(int i) {
        ModelStage stage = stages[i];
        boolean changed = false;
        if (stage.parts() > 1) {
            changed = emitParts(i);
        }
        while (stage.group() > 1 && gathered[i] < stage.group() && ready[i - 1] > 0) {
            ready[i - 1]--;
            gathered[i]++;
            changed = true;
        }
        while (canStart(i)) {
            if (stage.group() > 1) {
                gathered[i] = 0;
            } else if (i > 0) {
                ready[i - 1]--;
            }
            if (stage.parts() <= 1) {
                reserved[i]++;
            }
            busy[i]++;
            threads -= stage.computes() ? 1 : 0;
            events.add(new Event(now + draw(i), i, taken[i]++));
            changed = true;
        }
        return changed;
    }

    private boolean canStart(int i) {
        ModelStage stage = stages[i];
        boolean input = stage.group() > 1 ? gathered[i] == stage.group() : i == 0 || ready[i - 1] > 0;
        boolean output = stage.parts() > 1 || ready[i] + reserved[i] < room[i];
        return input && output && busy[i] < stage.workers() && (!stage.computes() || threads > 0);
    }

    /// An item keeps its worker until the last of its parts has found room.
    private boolean emitParts(int i) {
        boolean changed = false;
        while (!parts.get(i).isEmpty() && ready[i] + reserved[i] < room[i]) {
            int left = parts.get(i).poll() - 1;
            ready[i]++;
            changed = true;
            if (left > 0) {
                parts.get(i).addFirst(left);
            } else {
                busy[i]--;
            }
        }
        return changed;
    }

    private void end(Event event) {
        int i = event.stage;
        ModelStage stage = stages[i];
        threads += stage.computes() ? 1 : 0;
        owed[i] += stage.parts();
        if (stage.parts() > 1) {
            parts.get(i).addLast((int) owed[i]);
            owed[i] -= (int) owed[i];
            return;
        }
        busy[i]--;
        boolean passes = owed[i] >= 1 - 1e-9;
        owed[i] -= passes ? 1 : 0;
        if (!stage.ordered()) {
            reserved[i]--;
            ready[i] += passes ? 1 : 0;
            return;
        }
        int place = (int) (event.sequence % room[i]);
        done[i][place] = true;
        dropped[i][place] = !passes;
        for (int next = (int) (head[i] % room[i]); done[i][next]; next = (int) (++head[i] % room[i])) {
            done[i][next] = false;
            reserved[i]--;
            ready[i] += dropped[i][next] ? 0 : 1;
        }
    }

    /// Every step of the distribution comes once before any comes again, so that rare long calls are as frequent as
    /// they were.
    private double draw(int i) {
        double[] left = times[i];
        if (drawn[i] == left.length) {
            drawn[i] = 0;
        }
        int chosen = drawn[i] + random[i].nextInt(left.length - drawn[i]);
        double time = left[chosen];
        left[chosen] = left[drawn[i]];
        left[drawn[i]++] = time;
        return time;
    }

    @Override
    public String toString() {
        return "Simulation[" + delivered + " delivered, " + Arrays.toString(ready) + " ready]";
    }
}
