package org.jspdl.pipeline.internal.join;

import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspdl.pipeline.internal.lineage.Lineage;
import org.jspdl.pipeline.internal.link.Disposer;
import org.jspdl.pipeline.internal.link.Envelope;
import org.jspdl.pipeline.internal.stage.WorkerSlot;
import org.jspecify.annotations.Nullable;

/// The batches that are being put together again, in the order in which they came, with marks between them; at most a
/// fixed number of each at once.
public final class Assemblies {
    private static final int MOST_MARKS = 64;

    private final ConcurrentLinkedDeque<Assembly> open = new ConcurrentLinkedDeque<>();
    private final Semaphore room;
    private final Semaphore roomForMarks = new Semaphore(MOST_MARKS);
    private volatile @Nullable Thread emitter;
    private volatile boolean ended;
    private volatile boolean disposed;

    public Assemblies(int most) {
        this.room = new Semaphore(most);
    }

    /// Begins a batch, waiting until there is room for another. If nobody takes batches any more it is disposed,
    /// and so is each of its elements by [#set].
    Assembly open(Envelope batch, int size, WorkerSlot slot, Disposer disposal) throws InterruptedException {
        await(room, slot);
        Assembly assembly = new Assembly(batch, size, this::wake);
        open.add(assembly);
        if (disposed && open.remove(assembly)) { // else dispose() has it
            assembly.dispose(disposal);
        }
        wake();
        return assembly;
    }

    private static void await(Semaphore room, WorkerSlot slot) throws InterruptedException {
        if (!room.tryAcquire()) {
            slot.parks(() -> room.availablePermits() > 0);
            try {
                room.acquire();
            } finally {
                slot.resumes();
            }
        }
    }

    /// Adds a mark behind the batches, waiting until there are not many.
    void mark(Envelope mark, WorkerSlot slot) throws InterruptedException {
        await(roomForMarks, slot);
        open.add(new Assembly(mark));
        wake();
    }

    /// Records that no more elements come: a batch that isn't whole by now never will be.
    void end() {
        ended = true;
        wake();
    }

    private void wake() {
        LockSupport.unpark(emitter);
    }

    /// The oldest batch or mark once it is whole, which the caller then has; null after the end. Called by one
    /// thread.
    @Nullable
    Assembly takeWhole(WorkerSlot slot) throws InterruptedException {
        emitter = Thread.currentThread();
        while (true) {
            boolean last = ended;
            Assembly head = open.peekFirst();
            if (head != null && head.isWhole()) {
                open.removeFirst();
                (head.mark == null ? room : roomForMarks).release();
                return head;
            }
            if (last) {
                return null;
            }
            BooleanSupplier awaited = () -> ended || isHeadWhole();
            // May wait for a lock and use up the permit of a wake-up that comes meanwhile.
            slot.parks(awaited);
            if (!awaited.getAsBoolean()) {
                LockSupport.park(this);
            }
            slot.resumes();
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
        }
    }

    private boolean isHeadWhole() {
        Assembly head = open.peekFirst();
        return head != null && head.isWhole();
    }

    /// Puts an element in its place, or disposes it if nobody takes batches any more.
    void set(Lineage.Element element, Object value, Disposer disposal) {
        element.batch.set(element.index, value);
        if (disposed) {
            disposal.dispose(element.batch.remove(element.index));
        }
    }

    /// Disposes the elements of the batches that were never whole, and of those that come from here on.
    void dispose(Disposer disposal) {
        disposed = true;
        for (Assembly assembly = open.pollFirst(); assembly != null; assembly = open.pollFirst()) {
            assembly.dispose(disposal);
        }
    }
}
