package org.jspdl.pipeline.internal.compute;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// A bounded set of platform threads that serve the `cpu` stages of several runs.
///
/// Runs take turns; within a run the task of the greatest depth goes first. A thread that finishes a task looks for the
/// next itself, so a task that it submitted meanwhile needs no other thread to wake up. A thread that is about to wait
/// for another run [steps aside][#whileBlocked].
public final class ComputePool {
    /// How long a thread looks for work before it parks: about what waking it would cost.
    private static final long SEARCH_NANOS = 10_000;

    /// Something to run on a compute thread.
    public interface Task extends Runnable {
        /// Called instead of [#run] when the task was taken out of its lane.
        void withdrawn();
    }

    private final String prefix;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition workCame = lock.newCondition();
    private final List<Lane> lanes = new ArrayList<>();
    private final List<ComputeThread> threads = new ArrayList<>();
    private final int size;
    private int target;
    private int idle;
    private boolean searching;
    private int turn;
    private int started;
    private volatile boolean closed;
    /// Tasks that wait for a thread; written under the lock.
    private volatile int waiting;

    public ComputePool(String prefix, int size) {
        this.prefix = prefix;
        this.size = size;
        this.target = size;
    }

    /// The tasks of one run, by depth.
    public final class Lane {
        private final List<ArrayDeque<Task>> byDepth = new ArrayList<>();
        private int queued;
        /// What threads may do that would have nothing to do otherwise.
        private final ArrayDeque<Runnable> offers = new ArrayDeque<>();
        /// Threads that run a task of this lane.
        private int running;
        private long served;

        private Lane(int depths) {
            for (int i = 0; i < depths; i++) {
                byDepth.add(new ArrayDeque<>());
            }
        }

        /// Queues a task; a greater depth is served first. Whether it waits while no thread runs any of this
        /// lane, and none is idle.
        public boolean submit(int depth, Task task) {
            lock.lock();
            try {
                byDepth.get(depth).addLast(task);
                queued++;
                waiting++;
                boolean fromThread =
                        Thread.currentThread() instanceof ComputeThread thread && thread.pool == ComputePool.this;
                if (!fromThread || waiting > 1) {
                    wake();
                }
                return running == 0 && idle == 0 && threads.size() >= target && !searching;
            } finally {
                lock.unlock();
            }
        }

        private @Nullable Task poll() {
            if (queued == 0) {
                return null;
            }
            for (int depth = byDepth.size() - 1; depth >= 0; depth--) {
                Task task = byDepth.get(depth).pollFirst();
                if (task != null) {
                    queued--;
                    waiting--;
                    running++;
                    served++;
                    return task;
                }
            }
            throw new IllegalStateException("queued is " + queued + " but no task was found");
        }

        private @Nullable Runnable pollOffer() {
            Runnable offer = offers.pollFirst();
            running += offer == null ? 0 : 1;
            return offer;
        }

        /// Takes the tasks of one depth out of the queue: they would wait for threads that other runs may hold.
        public void withdraw(int depth) {
            List<Task> tasks;
            lock.lock();
            try {
                tasks = List.copyOf(byDepth.get(depth));
                byDepth.get(depth).clear();
                queued -= tasks.size();
                waiting -= tasks.size();
            } finally {
                lock.unlock();
            }
            tasks.forEach(Task::withdrawn);
        }

        /// Whether tasks wait while no thread runs any of this lane.
        public boolean isStarving() {
            lock.lock();
            try {
                return isStarvingLocked();
            } finally {
                lock.unlock();
            }
        }

        private boolean isStarvingLocked() {
            return queued > 0 && running == 0;
        }

        /// How many tasks were given to threads so far.
        public long served() {
            lock.lock();
            try {
                return served;
            } finally {
                lock.unlock();
            }
        }

        /// Adds a thread in place of one that waits in a function of another run, if this lane starves: that
        /// function may wait for this lane's run. The thread ends with that function.
        public void relieve() {
            lock.lock();
            try {
                ComputeThread waits = isStarvingLocked() ? threadThatWaits() : null;
                if (waits != null) {
                    waits.replaced = true;
                    changeTarget(1);
                }
            } finally {
                lock.unlock();
            }
        }

        /// Takes the run's tasks out of the pool.
        public void close() {
            lock.lock();
            try {
                waiting -= queued;
                queued = 0;
                byDepth.forEach(ArrayDeque::clear);
                offers.clear();
                lanes.remove(this);
            } finally {
                lock.unlock();
            }
        }
    }

    public Lane open(int depths) {
        lock.lock();
        try {
            Lane lane = new Lane(depths);
            lanes.add(lane);
            return lane;
        } finally {
            lock.unlock();
        }
    }

    public int size() {
        return size;
    }

    private @Nullable ComputeThread threadThatWaits() {
        for (ComputeThread thread : threads) {
            if (!thread.replaced && thread.waitsInFunction()) {
                return thread;
            }
        }
        return null;
    }

    /// Notes that the calling thread has done its task; called with the lock held.
    private void done(ComputeThread thread) {
        if (thread.lane != null) {
            thread.lane.running--;
            thread.lane = null;
        }
        if (thread.replaced) {
            thread.replaced = false;
            changeTarget(-1);
        }
    }

    /// Wakes or starts a thread for the tasks that wait, unless one that is looking for work will find the only
    /// one.
    private void wake() {
        if (searching && waiting == 1) {
            return;
        }
        if (idle > 0) {
            workCame.signal();
        } else if (threads.size() < target && !closed) {
            startThread();
        }
    }

    private void startThread() {
        ComputeThread thread = new ComputeThread(this, prefix + "-" + started++);
        threads.add(thread);
        thread.start();
    }

    /// Called by a compute thread that goes on with its task: what it has submitted should not wait for it.
    public void shareWork() {
        if (waiting > 0) {
            lock.lock();
            try {
                if (waiting > 0) {
                    wake();
                }
            } finally {
                lock.unlock();
            }
        }
    }

    /// Offers work of the task that the calling compute thread runs to threads that no task waits for. It is done
    /// some time, or never: where all threads stay busy, where newer offers take its place, and when the run ends.
    /// So nobody may wait for an offer that has not begun.
    ///
    /// Whether the calling thread is one of a pool, with a task.
    public static boolean offer(Runnable work) {
        return Thread.currentThread() instanceof ComputeThread thread && thread.pool.offer(thread, work);
    }

    private boolean offer(ComputeThread thread, Runnable work) {
        lock.lock();
        try {
            Lane lane = thread.lane;
            if (lane == null || closed) {
                return false;
            }
            if (lane.offers.size() >= size) {
                lane.offers.removeFirst();
            }
            lane.offers.addLast(work);
            wakeForOffer();
            return true;
        } finally {
            lock.unlock();
        }
    }

    private void wakeForOffer() {
        if (idle > 0) {
            workCame.signal();
        } else if (!searching && threads.size() < target && !closed) {
            startThread();
        }
    }

    /// The next task for the calling thread, or work that was offered; null if the thread should end.
    @Nullable
    Runnable next() {
        boolean searched = false;
        ComputeThread thread = (ComputeThread) Thread.currentThread();
        lock.lock();
        try {
            done(thread);
            while (!closed && threads.size() <= target) {
                Task task = pollLanes(thread);
                if (task != null) {
                    if (waiting > 0) {
                        wake();
                    }
                    return task;
                }
                Runnable offer = pollOffers(thread);
                if (offer != null) {
                    return offer;
                }
                if (!searched && !searching) {
                    search();
                    searched = true;
                } else {
                    idle++;
                    workCame.awaitUninterruptibly();
                    idle--;
                    searched = false;
                }
            }
            threads.remove(thread);
            return null;
        } finally {
            lock.unlock();
        }
    }

    /// Looks for work for a moment without the lock. One thread at a time: more would only take processors from
    /// those that work.
    private void search() {
        searching = true;
        lock.unlock();
        try {
            long until = System.nanoTime() + SEARCH_NANOS;
            while (waiting == 0 && !closed && System.nanoTime() < until) {
                Thread.onSpinWait();
            }
        } finally {
            lock.lock();
            searching = false;
        }
    }

    /// Runs take turns, those before others of which no thread runs anything.
    private @Nullable Task pollLanes(ComputeThread thread) {
        int chosen = -1;
        for (int i = 1; i <= lanes.size(); i++) {
            int at = (turn + i) % lanes.size();
            Lane lane = lanes.get(at);
            if (lane.queued > 0 && (chosen < 0 || lane.running == 0)) {
                chosen = at;
                if (lane.running == 0) {
                    break;
                }
            }
        }
        if (chosen < 0) {
            return null;
        }
        turn = chosen;
        thread.lane = lanes.get(chosen);
        return lanes.get(chosen).poll();
    }

    /// What any run offers; called with the lock held.
    private @Nullable Runnable pollOffers(ComputeThread thread) {
        for (Lane lane : lanes) {
            Runnable offer = lane.pollOffer();
            if (offer != null) {
                thread.lane = lane;
                if (lanes.stream().anyMatch(other -> !other.offers.isEmpty())) {
                    wakeForOffer();
                }
                return offer;
            }
        }
        return null;
    }

    /// Runs `wait`, which may block for long, while another thread takes the calling thread's place.
    public static <T> T whileBlocked(Callable<T> wait) throws Exception {
        if (!(Thread.currentThread() instanceof ComputeThread thread)) {
            return wait.call();
        }
        thread.pool.changeTarget(1);
        try {
            return wait.call();
        } finally {
            thread.pool.changeTarget(-1);
        }
    }

    /// Waits for `condition`, whose lock is held, or for no reason, while another thread takes the calling thread's
    /// place.
    @SuppressWarnings("WaitNotInLoop")
    public static void await(Condition condition) throws InterruptedException {
        if (!(Thread.currentThread() instanceof ComputeThread thread)) {
            condition.await();
            return;
        }
        thread.pool.changeTarget(1);
        try {
            condition.await();
        } finally {
            thread.pool.changeTarget(-1);
        }
    }

    /// Makes room for another thread in place of one that is stuck in a function.
    public void stepAside() {
        changeTarget(1);
    }

    /// Takes back what [#stepAside] did.
    public void rejoin() {
        changeTarget(-1);
    }

    private void changeTarget(int change) {
        lock.lock();
        try {
            target += change;
            if (change > 0 && waiting > 0) {
                wake();
            } else if (change < 0) {
                workCame.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /// Interrupts the threads that execute a function of `run`.
    public void interruptFor(Object run) {
        List<ComputeThread> copy;
        lock.lock();
        try {
            copy = List.copyOf(threads);
        } finally {
            lock.unlock();
        }
        copy.forEach(thread -> thread.interruptFor(run));
    }

    /// Ends the threads when they have finished their tasks, and waits for those that are idle.
    public void close() {
        List<ComputeThread> copy;
        lock.lock();
        try {
            closed = true;
            copy = List.copyOf(threads);
            workCame.signalAll();
        } finally {
            lock.unlock();
        }
        for (ComputeThread thread : copy) {
            if (thread != Thread.currentThread()) {
                joinUninterruptibly(thread);
            }
        }
    }

    private static void joinUninterruptibly(Thread thread) {
        boolean interrupted = false;
        try {
            while (thread.isAlive()) {
                try {
                    thread.join(100);
                    return;
                } catch (InterruptedException again) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
