package org.jspdl.pipeline;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import org.jspdl.stats.LinkStats;
import org.jspdl.stats.PipelineStats;
import org.jspdl.stats.StageStats;
import org.jspecify.annotations.Nullable;

/// Finds out that a run hangs: its consumer waits, and nothing of the run can ever go on.
///
/// No limit of time is set to a run or to an item. While a call runs, an activation is queued, a timer is due or
/// anything was counted since the last look, the run goes on, however slow the machine is. A thread that was woken
/// and has no processor yet looks as if it waited, so a run has to look the same [#LOOKS] times: the watchdog needs
/// a processor as often as that thread.
public final class Watchdog implements AutoCloseable {
    private static final int LOOKS = 30;
    private static final long BETWEEN_LOOKS_MILLIS = 100;

    private final ScheduledExecutorService looks = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("watchdog").factory());
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable Watched watched;

    /// Begins to watch.
    public Watchdog() {
        var _ = looks.scheduleWithFixedDelay(
                this::look, BETWEEN_LOOKS_MILLIS, BETWEEN_LOOKS_MILLIS, TimeUnit.MILLISECONDS);
    }

    /// What a consumer does with a run.
    @FunctionalInterface
    public interface Consumption<R> {
        /// Does it, on the calling thread.
        R from() throws InterruptedException;
    }

    /// What the calling thread takes from `run`.
    ///
    /// @throws AssertionError if the run hangs, with the state of its stages, links and budget
    public <R> R watch(Run<?> run, Consumption<R> consumption) throws InterruptedException {
        Watched mine = new Watched(run, Thread.currentThread());
        swap(mine);
        try {
            return consumption.from();
        } catch (InterruptedException | PipelineException failure) {
            swap(null);
            throw mine.hangs().map(state -> new AssertionError(state, failure)).orElseThrow(() -> rethrown(failure));
        } finally {
            swap(null);
        }
    }

    @SuppressWarnings("unchecked")
    private static <X extends Exception> RuntimeException rethrown(Exception failure) throws X {
        throw (X) failure;
    }

    private void swap(@Nullable Watched next) {
        lock.lock();
        try {
            watched = next;
        } finally {
            lock.unlock();
        }
    }

    private void look() {
        lock.lock();
        try {
            if (watched != null) {
                watched.look();
            }
        } finally {
            lock.unlock();
        }
    }

    /// A run and the thread that takes from it; guarded by the watchdog's lock.
    private static final class Watched {
        private final Run<?> run;
        private final Thread consumer;
        private @Nullable Signs before;
        private int alike;
        private volatile @Nullable String state;

        Watched(Run<?> run, Thread consumer) {
            this.run = run;
            this.consumer = consumer;
        }

        void look() {
            PipelineStats stats = run.stats();
            Signs now = Signs.of(stats);
            boolean waits = switch (consumer.getState()) {
                case WAITING, TIMED_WAITING -> true;
                case NEW, RUNNABLE, BLOCKED, TERMINATED -> false;
            };
            alike = waits && now.equals(before) && !timerIsDue(stats.pipeline()) ? alike + 1 : 0;
            before = now;
            if (alike == LOOKS) {
                state = describe(stats);
                consumer.interrupt();
            }
        }

        Optional<String> hangs() {
            return Optional.ofNullable(state);
        }

        /// Whether the thread that watches deadlines, or one of an engine's own stage, waits for a moment.
        private static boolean timerIsDue(String pipeline) {
            return threads(pipeline).keySet().stream()
                    .anyMatch(thread -> thread.getState() == Thread.State.TIMED_WAITING);
        }

        private static Map<Thread, StackTraceElement[]> threads(String pipeline) {
            return Thread.getAllStackTraces().entrySet().stream()
                    .filter(entry -> entry.getKey().getName().startsWith("jspdl-" + pipeline + "-"))
                    .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
        }

        private static String describe(PipelineStats stats) {
            StringBuilder text = new StringBuilder("the run hangs: nothing runs, nothing is due, nothing can be"
                    + " delivered, and the consumer waits, after ");
            text.append(stats.delivered()).append(" deliveries\n  ").append(stats.budget());
            stats.stages().forEach(stage -> text.append("\n  ").append(stage));
            stats.links().forEach(link -> text.append("\n  ").append(link));
            text.append("\n  changes: ").append(stats.changes());
            threads(stats.pipeline()).forEach((thread, stack) -> {
                text.append("\n  ").append(thread);
                List.of(stack).stream()
                        .limit(12)
                        .forEach(frame -> text.append("\n      ").append(frame));
            });
            return text.toString();
        }
    }

    /// What changes while a run goes on. The time in calls and in queues includes the current moment, so it differs
    /// from look to look while anything is in a call or a queue.
    private record Signs(long delivered, List<StageSigns> stages, List<LinkSigns> links, String budget, int changes) {
        static Signs of(PipelineStats stats) {
            return new Signs(
                    stats.delivered(),
                    stats.stages().stream().map(StageSigns::of).toList(),
                    stats.links().stream().map(LinkSigns::of).toList(),
                    stats.budget().toString(),
                    stats.changes().size());
        }
    }

    private record StageSigns(long completed, long filtered, long failed, Duration busy, Duration queued) {
        static StageSigns of(StageStats stage) {
            return new StageSigns(
                    stage.completed(), stage.filtered(), stage.failed(), stage.busy(), stage.waitingForCpu());
        }
    }

    private record LinkSigns(int capacity, int size, long passed) {
        static LinkSigns of(LinkStats link) {
            return new LinkSigns(link.capacity(), link.size(), link.passed());
        }
    }

    @Override
    public void close() {
        looks.shutdownNow();
    }
}
