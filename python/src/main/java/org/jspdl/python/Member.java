package org.jspdl.python;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspdl.json.Json;
import org.jspdl.pipeline.Checkpoint;
import org.jspdl.pipeline.Ticket;
import org.jspdl.python.ring.PrefetchLimit;
import org.jspdl.python.wire.Failures;
import org.jspdl.python.wire.FrameWriter;
import org.jspecify.annotations.Nullable;

/// What one trainer gets of a [Group], from its start or a restart on: what it was not sent yet, and where it stands.
///
/// Events are counted from 1, whatever group they came from. A thread of its own sends, so that a trainer that does not
/// read keeps nobody else waiting. Thread-safe. The lock of a group may be held when one of these is called.
final class Member implements AutoCloseable {
    /// Batches that may lie unsent while others in the group go on; more if they are small, as [PrefetchLimit] has
    /// it.
    static final int BEHIND = 8;

    /// Larger batches are announced at once, smaller ones in groups.
    private static final long AT_ONCE_BYTES = 1 << 16;
    /// Structures are forgotten beyond this number.
    private static final int MOST_STRUCTURES = 1024;

    /// Behind an event of a run.
    private record Mark(Generation generation, Ticket ticket) {}

    private final long number;
    private final FrameWriter frames;
    private final HeldItems held;
    private final AtomicLong structureCount;
    private final PrefetchLimit credit;
    private final int most;
    private final Thread sender;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ArrayDeque<Delivery> unsent = new ArrayDeque<>();
    private final TreeMap<Long, Mark> marks = new TreeMap<>();
    private final Map<String, Long> structures = new HashMap<>();
    private long unsentBytes;
    private long event;
    private boolean wanted;
    private boolean closed;
    private volatile @Nullable Group group;

    /// @param number         counts the trainer's restarts
    /// @param held           what the trainer holds
    /// @param structureCount numbers the structures that the trainer was told
    /// @param prefetch       batches that may lie ready at the trainer's; 0 for what turns out best
    /// @param most           batches that the trainer may have at once, however small
    /// @param wanted         whether the trainer has asked for a batch
    Member(
            long number,
            FrameWriter frames,
            HeldItems held,
            AtomicLong structureCount,
            int prefetch,
            int most,
            boolean wanted) {
        this.number = number;
        this.frames = frames;
        this.held = held;
        this.structureCount = structureCount;
        this.most = most;
        this.credit = PrefetchLimit.of(prefetch, most);
        this.wanted = wanted;
        this.sender = Thread.ofPlatform().name("jspdl-python-member").daemon().start(this::send);
    }

    /// It is in `newGroup` now.
    void moved(Group newGroup) {
        group = newGroup;
    }

    Optional<Group> group() {
        return Optional.ofNullable(group);
    }

    /// Adds what comes next; whether the trainer is too far behind. A batch is held once more until it is sent and
    /// let go of.
    boolean offer(Delivery delivery) {
        lock.lock();
        try {
            if (closed || (delivery instanceof Delivery.Ready && !marks.isEmpty())) {
                return false; // it has moved from another group, and knows
            }
            if (delivery instanceof Delivery.Batch batch) {
                batch.item().hold();
                unsentBytes += batch.bytes();
            }
            unsent.addLast(delivery);
            changed.signal();
            return unsent.size() > BEHIND && (unsentBytes >= PrefetchLimit.ALWAYS_BYTES || unsent.size() > most);
        } finally {
            lock.unlock();
        }
    }

    /// Whether the trainer could be sent a batch now, and there is none.
    boolean wantsMore() {
        lock.lock();
        try {
            return !closed && wanted && unsent.isEmpty() && !credit.isSpent();
        } finally {
            lock.unlock();
        }
    }

    /// The trainer asks for its first batch.
    void wanted() {
        change(() -> wanted = true);
    }

    /// The trainer has taken everything up to `last`.
    void taken(long last) {
        change(() -> credit.taken(last));
    }

    private void change(Runnable change) {
        lock.lock();
        try {
            change.run();
            changed.signal();
        } finally {
            lock.unlock();
        }
        group().ifPresent(Group::demanded);
    }

    /// Nobody will ask for a state before `first`.
    void delivered(long first) {
        lock.lock();
        try {
            if (marks.containsKey(first)) {
                marks.headMap(first).clear();
            }
        } finally {
            lock.unlock();
        }
    }

    /// Where a run goes on that has delivered everything up to `last` and nothing else.
    ///
    /// @throws IllegalStateException if the run can't be resumed
    Checkpoint checkpoint(long last) {
        Mark mark;
        lock.lock();
        try {
            mark = marks.get(last);
        } finally {
            lock.unlock();
        }
        if (mark == null) {
            throw new IllegalStateException("there is no mark of batch " + last + " any more");
        }
        return mark.generation().checkpoint(mark.ticket());
    }

    /// Where a run goes on behind what was sent last; empty if nothing was.
    Optional<Checkpoint> checkpoint() {
        Map.Entry<Long, Mark> last;
        lock.lock();
        try {
            last = marks.lastEntry();
        } finally {
            lock.unlock();
        }
        return Optional.ofNullable(last)
                .map(entry -> entry.getValue()
                        .generation()
                        .checkpoint(entry.getValue().ticket()));
    }

    /// Forgets what was not sent.
    void dropUnsent() {
        lock.lock();
        try {
            for (Delivery delivery : unsent) {
                if (delivery instanceof Delivery.Batch batch) {
                    batch.item().release();
                }
            }
            unsent.clear();
            unsentBytes = 0;
        } finally {
            lock.unlock();
        }
    }

    /// Leaves the group; nothing is sent or held from here on.
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            dropUnsent();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        group().ifPresent(left -> left.leave(this));
    }

    boolean isClosed() {
        lock.lock();
        try {
            return closed;
        } finally {
            lock.unlock();
        }
    }

    /// Waits until nothing is sent any more; once it is closed, and the connection is.
    void awaitEnd() throws InterruptedException {
        sender.join();
    }

    private void send() {
        try {
            while (true) {
                if (isIdle()) {
                    frames.flush(); // without the lock: a trainer that does not read keeps nobody else waiting
                }
                Delivery delivery;
                long sent;
                lock.lock();
                try {
                    while (!closed && waits()) {
                        changed.await();
                    }
                    if (closed) {
                        return;
                    }
                    delivery = unsent.removeFirst();
                    sent = note(delivery);
                } finally {
                    lock.unlock();
                }
                send(delivery, sent);
                group().ifPresent(Group::demanded);
            }
        } catch (IOException | InterruptedException gone) {
            // whoever reads the trainer's commands notices
        } catch (Throwable failure) { // want of memory, too: the trainer waits
            failure.printStackTrace();
            tell(failure);
        }
    }

    private void tell(Throwable failure) {
        try {
            frames.send(FrameWriter.FAILED, -1, Failures.told("loader", failure.toString()));
        } catch (IOException gone) {
            // nobody is there to be told
        }
    }

    private boolean isIdle() {
        lock.lock();
        try {
            return !closed && waits();
        } finally {
            lock.unlock();
        }
    }

    private boolean waits() {
        return unsent.isEmpty() || (unsent.getFirst() instanceof Delivery.Batch && credit.isSpent());
    }

    /// Notes what is sent next; its number.
    private long note(Delivery delivery) {
        switch (delivery) {
            case Delivery.Ready(String _, Generation generation, Ticket ticket) ->
                marks.put(0L, new Mark(generation, ticket));
            case Delivery.Batch batch -> {
                unsentBytes -= batch.bytes();
                held.hold(batch.slots(), batch.item()::release);
                marks.put(++event, new Mark(batch.generation(), batch.ticket()));
                var _ = credit.handOver(batch.bytes());
            }
            case Delivery.EpochEnd(Generation generation, Ticket ticket) -> {
                marks.put(++event, new Mark(generation, ticket));
                credit.endEpoch();
            }
            case Delivery.End() -> {}
            case Delivery.Failed(String _) -> {}
        }
        return event;
    }

    private void send(Delivery delivery, long sent) throws IOException {
        switch (delivery) {
            case Delivery.Ready(String text, Generation _, Ticket _) -> frames.send(FrameWriter.READY, number, text);
            case Delivery.Batch batch -> send(batch, sent);
            case Delivery.EpochEnd(Generation _, Ticket _) ->
                frames.send(FrameWriter.EPOCH_END, number, Json.write(Map.of("number", sent)));
            case Delivery.End() -> frames.send(FrameWriter.END, number, "");
            case Delivery.Failed(String text) -> frames.send(FrameWriter.FAILED, number, text);
        }
    }

    private void send(Delivery.Batch batch, long sent) throws IOException {
        String structure = batch.structure();
        Long known = structures.get(structure);
        if (known == null && structures.size() == MOST_STRUCTURES) {
            structures.clear();
        }
        long structureNumber = structures.computeIfAbsent(structure, isNew -> structureCount.incrementAndGet());
        frames.batch(new FrameWriter.Announcement(
                sent, number, structureNumber, known == null ? structure : null, batch.offsets(), batch.values()));
        if (batch.bytes() >= AT_ONCE_BYTES) {
            frames.flush();
        }
    }
}
