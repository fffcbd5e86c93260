package org.jspdl.pipeline.internal.stage;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspdl.pipeline.PipelineException;
import org.jspdl.pipeline.Placement;
import org.jspdl.pipeline.internal.failure.Descriptions;
import org.jspdl.pipeline.internal.lineage.Lineage;
import org.jspdl.pipeline.internal.link.Envelope;
import org.jspdl.pipeline.internal.link.Link;
import org.jspecify.annotations.Nullable;

/// A stage with threads of its own, which wait on links.
///
/// Ends when the last of its threads does. Threads are named `jspdl-<pipeline>-<stage>-<n>`.
public abstract class ThreadStage extends Stage {
    /// What the threads of a stage are.
    protected enum Threads {
        /// Virtual: for functions that wait.
        VIRTUAL,
        /// One platform thread, which no other can replace.
        BOUND,
        /// Of the engine's own, which has to go on while the functions of `io` stages compute on all carriers
        /// of virtual threads: platform threads, unless a run has very many.
        ENGINE
    }

    private final int threadCount;
    /// Whether a dedicated thread has come to its close hook; guarded by this object's monitor.
    private boolean closing;
    private final Threads kind;
    private final List<Thread> threads = new CopyOnWriteArrayList<>();
    private final AtomicInteger named = new AtomicInteger();
    private final AtomicInteger alive = new AtomicInteger();
    /// Threads that are to end after the call they run or wait for.
    private final AtomicInteger surplus = new AtomicInteger();

    protected ThreadStage(
            RunContext run, String name, int concurrency, Threads kind, List<Link> inputs, List<Link> outputs) {
        this(run, name, concurrency, concurrency, kind, inputs, outputs);
    }

    /// A stage with fewer threads than slots.
    protected ThreadStage(
            RunContext run,
            String name,
            int concurrency,
            int threadCount,
            Threads kind,
            List<Link> inputs,
            List<Link> outputs) {
        super(run, name, concurrency, inputs, outputs);
        this.threadCount = threadCount;
        this.kind = kind;
    }

    /// The threads of a stage that is placed on threads of its own.
    protected static Threads threads(Placement placement) {
        return placement instanceof Placement.Io ? Threads.VIRTUAL : Threads.BOUND;
    }

    /// The work of one thread, until the end of the input or a stop.
    protected abstract void work(WorkerSlot slot) throws InterruptedException;

    @Override
    public void start() {
        begun();
        alive.set(threadCount);
        for (int i = 0; i < threadCount; i++) {
            WorkerSlot slot = slots[i];
            threads.add(thread(slot, () -> work(slot)));
        }
        threads.forEach(Thread::start);
    }

    private Thread thread(WorkerSlot slot, Work work) {
        String threadName = "jspdl-" + run.pipeline() + "-" + name + "-" + named.getAndIncrement();
        Runnable body = () -> runThread(slot, work);
        boolean virtual = kind == Threads.VIRTUAL || (kind == Threads.ENGINE && !run.takesPlatformThread());
        Thread thread = virtual
                ? Thread.ofVirtual().name(threadName).unstarted(body)
                : Thread.ofPlatform()
                        .name(threadName)
                        .daemon()
                        .inheritInheritableThreadLocals(false)
                        .unstarted(body);
        thread.setContextClassLoader(run.classLoader());
        return thread;
    }

    private void startOneMore(WorkerSlot slot, Work work) {
        threads.removeIf(old -> old.getState() == Thread.State.TERMINATED);
        Thread thread = thread(slot, work);
        threads.add(thread);
        thread.start();
    }

    @Override
    public final void replace(Deadlines.Call call) {
        abandon();
        if (kind != Threads.VIRTUAL) {
            fail("is bound to its thread, which a call keeps beyond its deadline", call.late());
            release();
            call.slot.parks(ProgressRule.NEVER);
        } else {
            threads.remove(call.thread());
            startOneMore(call.slot, () -> {
                takeOver(call, call.slot);
                work(call.slot);
            });
        }
    }

    /// Starts threads, or has some end after their call; one change at a time.
    protected final void tuneThreads(int calls) {
        int more = calls - concurrency();
        for (; more > 0 && surplus.get() > 0 && retires(); more--) {
            // One that was to end stays instead.
        }
        if (more < 0) {
            surplus.addAndGet(-more);
        }
        tuned(calls);
        for (; more > 0 && stays(); more--) {
            WorkerSlot slot = addSlot();
            startOneMore(slot, () -> work(slot));
        }
    }

    /// Whether the calling thread is to end because there are too many.
    protected final boolean retires() {
        int many = surplus.get();
        while (many > 0 && !surplus.compareAndSet(many, many - 1)) {
            many = surplus.get();
        }
        return many > 0;
    }

    /// Keeps the stage from ending for one more thread; false if it has ended.
    private boolean stays() {
        int living = alive.get();
        while (living > 0 && !alive.compareAndSet(living, living + 1)) {
            living = alive.get();
        }
        return living > 0;
    }

    private void runThread(WorkerSlot slot, Work work) {
        try {
            work.run();
        } catch (Deadlines.AbandonedCall givenUp) {
            return;
        } catch (InterruptedException stop) {
            fail("was interrupted by somebody else", stop);
        } catch (PipelineException failure) {
            fail(failure);
        } catch (Throwable failure) {
            fail("failed: " + Descriptions.withClass(failure), failure);
        }
        slot.enter(WorkerSlot.State.ENGINE, System.nanoTime());
        release();
        slot.parks(ProgressRule.NEVER);
        vacate(slot);
    }

    @Override
    public boolean isQuiet() {
        for (@Nullable WorkerSlot slot : slots) {
            if (slot != null && !slot.isParked()) {
                return false;
            }
        }
        return true;
    }

    /// Keeps the stage from ending until a matching [#release].
    protected final void retain() {
        alive.incrementAndGet();
    }

    protected final void release() {
        if (alive.decrementAndGet() == 0) {
            ended();
        }
    }

    /// Work of a thread, or between a dedicated stage's hooks.
    protected interface Work {
        void run() throws InterruptedException;
    }

    /// Does `work` between the start and close hooks, if `placement` has them.
    protected final void withHooks(Placement placement, Work work) throws InterruptedException {
        if (!(placement instanceof Placement.Dedicated dedicated)) {
            work.run();
            return;
        }
        try {
            hook(dedicated.onStart(), "start");
            work.run();
        } catch (PipelineException failure) {
            run.report(failure);
            throw failure;
        } finally {
            ignoreInterrupts();
            try {
                hook(dedicated.onClose(), "close");
            } catch (PipelineException failure) {
                run.report(failure);
            }
        }
    }

    /// From here on the thread only closes what it has opened, which an interrupt must not cut short.
    private synchronized void ignoreInterrupts() {
        closing = true;
        Thread.interrupted();
    }

    private void hook(Placement.Hook hook, String which) {
        try {
            hook.run();
        } catch (Throwable failure) {
            throw new PipelineException(
                    name,
                    "pipeline '" + run.pipeline() + "', stage '" + name + "': its " + which + " hook failed: "
                            + Descriptions.withClass(failure),
                    failure);
        }
    }

    /// Forwards a mark; after the end, the other threads find the input closed.
    protected static void forwardMark(Envelope mark, Link input, Link output) {
        output.mark(mark);
        if (mark.kind == Envelope.Kind.END) {
            input.cancel();
        }
        input.finished();
    }

    private void fail(String what, Throwable cause) {
        fail(new PipelineException(name, "pipeline '" + run.pipeline() + "', stage '" + name + "' " + what, cause));
    }

    /// A thread that fails can't forward the end that its input will bring.
    private void fail(PipelineException failure) {
        if (!stopped()) {
            run.breakDown(this, failure);
        }
    }

    /// Waits until the threads are gone.
    public final void join(long deadline) throws InterruptedException {
        for (Thread thread : threads) {
            if (thread != Thread.currentThread()) {
                thread.join(Duration.ofNanos(Math.max(1, deadline - System.nanoTime())));
            }
        }
    }

    /// The next envelope from `link`, the wait counted as starved; null if the link was cancelled.
    protected static @Nullable Envelope take(Link link, WorkerSlot slot) throws InterruptedException {
        return take(link, slot, 1, Long.MAX_VALUE);
    }

    /// As above; null also if `deadline` has passed.
    ///
    /// @param missing how many the caller can use, see [Link#take]
    protected static @Nullable Envelope take(Link link, WorkerSlot slot, int missing, long deadline)
            throws InterruptedException {
        Envelope envelope = link.poll();
        if (envelope != null) {
            return envelope;
        }
        slot.enter(WorkerSlot.State.STARVED, System.nanoTime());
        try {
            return link.take(missing, deadline, slot);
        } finally {
            slot.enter(WorkerSlot.State.ENGINE, System.nanoTime());
        }
    }

    /// Reserves room in `link`, the wait counted as blocked; false if the link was cancelled.
    protected static boolean reserve(Link link, WorkerSlot slot) throws InterruptedException {
        if (link.tryReserve()) {
            return true;
        }
        slot.enter(WorkerSlot.State.BLOCKED, System.nanoTime());
        try {
            return link.reserve(slot);
        } finally {
            slot.enter(WorkerSlot.State.ENGINE, System.nanoTime());
        }
    }

    /// Puts a mark, which needs no room. Where the consumer has left many of them it is waited for, or a stage that
    /// passes nothing on would run ahead of it through all epochs; false if the link was cancelled meanwhile.
    protected static boolean mark(Envelope mark, Link output, WorkerSlot slot) throws InterruptedException {
        boolean open = awaitRoomForMark(output, slot);
        if (open) {
            output.mark(mark);
        }
        return open;
    }

    /// Waits as [#mark] does, for a mark that is put later; false if the link was cancelled meanwhile.
    protected static boolean awaitRoomForMark(Link output, WorkerSlot slot) throws InterruptedException {
        if (output.isFullOfMarks()) {
            if (!reserve(output, slot)) {
                return false;
            }
            output.unreserve();
        }
        return true;
    }

    /// Reserves room in `output`, then takes from `input`. With an item the caller has the room too; with a mark it
    /// has none. Null if either link was cancelled.
    protected static @Nullable Envelope reserveAndTake(Link input, Link output, WorkerSlot slot)
            throws InterruptedException {
        if (!reserve(output, slot)) {
            return null;
        }
        Envelope envelope = null;
        try {
            envelope = take(input, slot);
            return envelope;
        } finally {
            if (envelope == null || envelope.isMark()) {
                output.unreserve();
            }
        }
    }

    /// Runs what is fused into this stage and puts the result into room that was reserved. The failure policy is
    /// applied to what fails.
    protected final void passOn(Envelope item, Fusion fused, Link output, WorkerSlot slot) {
        tellGrouped(item.lineage);
        Object input = item.value;
        Throwable failure = null;
        boolean passed = false;
        slot.enter(WorkerSlot.State.BUSY, System.nanoTime());
        try {
            guard().refuse(item);
            passed = fused.apply(item);
        } catch (Throwable thrown) {
            failure = thrown;
        }
        guard().forgetInterrupt();
        slot.enter(WorkerSlot.State.ENGINE, System.nanoTime());
        if (failure != null) {
            output.unreserve();
            failed(item, input, failure, slot);
            return;
        }
        if (passed) {
            slot.completed++;
            output.put(item);
        } else {
            slot.filtered++;
            output.unreserve();
            settled(item);
        }
        if (!fused.isEmpty()) {
            guard().succeeded();
        }
    }

    /// Passes on the parts of an item, each as it is pulled; false if the output was cancelled.
    protected final boolean passParts(FlatMapIterator parts, Fusion fused, Link output, WorkerSlot slot)
            throws InterruptedException {
        tellGrouped(parts.whole.lineage);
        boolean whole = false;
        try {
            while (true) {
                switch (parts.pull(this, fused, slot)) {
                    case PART -> {
                        if (!reserve(output, slot)) {
                            return false;
                        }
                        slot.completed++;
                        output.put(parts.takeReady());
                    }
                    case FILTERED -> slot.filtered++;
                    case FAILED -> {}
                    case END -> {
                        whole = true;
                        return true;
                    }
                }
            }
        } finally {
            if (!whole) {
                parts.dispose();
            }
        }
    }

    private void tellGrouped(Lineage item) {
        ItemObservers observers = run.items();
        if (observers != null) {
            guard().tell(() -> observers.grouped(name, item));
        }
    }

    /// Counts a failed item, closes it and applies the failure policy. If the run ends, the inputs end next.
    protected final void failed(Envelope item, @Nullable Object input, Throwable failure, WorkerSlot slot) {
        slot.failed++;
        boolean _ = guard().failed(item, input, failure);
    }

    @Override
    public synchronized void interrupt() {
        if (!closing) {
            threads.forEach(Thread::interrupt);
        }
        if (threads.isEmpty()) {
            ended();
        }
    }
}
