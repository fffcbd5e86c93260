package org.jspdl.observe;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspdl.stats.StageObserver;
import org.jspecify.annotations.Nullable;

/// Samples the stack of one running call of each stage at intervals, and how much of its time was on a processor.
///
/// After a sample one call of each stage offers itself, and further ones while they are long; all others cost two
/// reads.
final class StackSampler implements StageObserver {
    private static final int MOST_STAGES = 256;
    /// After a call of this length the next one offers itself too: samples are rare, and would find none.
    private static final long LONG_NANOS = 200_000;

    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final AtomicReferenceArray<@Nullable Seen> stages = new AtomicReferenceArray<>(MOST_STAGES);

    /// What was seen of one stage.
    private static final class Seen {
        final String stage;
        final Map<Activity, Long> activities = new EnumMap<>(Activity.class);
        final Map<String, Long> places = new HashMap<>();
        volatile boolean wanted = true;
        volatile @Nullable Call call;
        long calls;
        long wallNanos;
        long cpuNanos;
        long samples;

        Seen(String stage) {
            this.stage = stage;
        }

        synchronized void ended(long wall, long cpu) {
            calls++;
            wallNanos += cpu < 0 ? 0 : wall;
            cpuNanos += Math.max(0, cpu);
        }

        synchronized void found(Activity activity, String place) {
            samples++;
            activities.merge(activity, 1L, Long::sum);
            if (!place.isEmpty()) {
                places.merge(place, 1L, Long::sum);
            }
        }

        synchronized StageWork work() {
            Map<Activity, Double> shares = new EnumMap<>(Activity.class);
            activities.forEach((activity, count) -> shares.put(activity, (double) count / samples));
            String place = places.entrySet().stream()
                    .max((one, other) -> Long.compare(one.getValue(), other.getValue()))
                    .map(Map.Entry::getKey)
                    .orElse("");
            return new StageWork(
                    calls,
                    Duration.ofNanos(wallNanos),
                    Duration.ofNanos(cpuNanos),
                    samples,
                    Collections.unmodifiableMap(shares),
                    place);
        }
    }

    /// A call that can be sampled.
    private record Call(Thread thread, long start, long cpu) {}

    @Override
    public void itemStarted(String stage, Object item) {
        Seen seen = seen(stage);
        if (seen == null || !seen.wanted || seen.call != null) {
            return;
        }
        seen.wanted = false;
        Thread thread = Thread.currentThread();
        seen.call = new Call(thread, System.nanoTime(), processorTime(thread));
    }

    @Override
    public void itemEnded(String stage, long nanos, Outcome outcome) {
        Seen seen = seen(stage);
        Call call = seen == null ? null : seen.call;
        if (seen == null || call == null || call.thread != Thread.currentThread()) {
            return;
        }
        seen.call = null;
        long cpu = call.cpu < 0 ? -1 : processorTime(call.thread) - call.cpu;
        long wall = System.nanoTime() - call.start;
        seen.ended(wall, cpu);
        seen.wanted = wall > LONG_NANOS;
    }

    /// Looks at the calls that offer themselves, and wishes for others.
    void sample() {
        for (int i = 0; i < MOST_STAGES && stages.get(i) != null; i++) {
            Seen seen = stages.get(i);
            Call call = seen.call;
            if (call != null) {
                StackTraceElement[] stack = call.thread.getStackTrace();
                Thread.State state = call.thread.getState();
                if (seen.call == call && stack.length > 0) {
                    seen.found(Activity.of(state, stack), Activity.place(stack));
                }
            }
            seen.wanted = true;
        }
    }

    /// What was seen of each stage.
    Map<String, StageWork> work() {
        Map<String, StageWork> work = new LinkedHashMap<>();
        for (int i = 0; i < MOST_STAGES && stages.get(i) != null; i++) {
            work.put(stages.get(i).stage, stages.get(i).work());
        }
        return work;
    }

    /// A stage's name is the same object in every call.
    @SuppressWarnings("StringEquality")
    private @Nullable Seen seen(String stage) {
        for (int i = 0; i < MOST_STAGES; i++) {
            Seen seen = stages.get(i);
            if (seen == null) {
                if (stages.compareAndSet(i, null, new Seen(stage))) {
                    return stages.get(i);
                }
                seen = stages.get(i);
            }
            if (seen.stage == stage) {
                return seen;
            }
        }
        return null;
    }

    private long processorTime(Thread thread) {
        return thread.isVirtual() ? -1 : threads.getCurrentThreadCpuTime();
    }
}
