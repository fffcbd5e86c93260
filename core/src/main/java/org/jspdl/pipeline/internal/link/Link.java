package org.jspdl.pipeline.internal.link;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import org.jspdl.stats.LinkStats;
import org.jspecify.annotations.Nullable;

/// A bounded hand-off between two stages.
///
/// Any number of producers and consumers may use a link at once. A producer reserves room before it works, and later
/// puts an item into the room or releases it, so putting never waits. A mark waits at the head of the link until
/// everything taken before it is [finished][#finished], so no item crosses it. A link that keeps the input's order
/// places items in a ring by their sequence; only the head passes on.
///
/// A link ends once: by an end mark, after which remaining items are still delivered, or by [#cancel], after which none
/// is and items go to the disposer. Listeners are called without the lock.
public final class Link {
    private final String name;
    private final LinkPolicy policy;
    private final LinkQueue queue;
    private final Consumer<Envelope> disposer;
    private Consumer<Envelope> unwanted;
    private Runnable onLeft = () -> {};
    private final ReentrantLock lock = new ReentrantLock();
    private final LinkWaiters waiters = new LinkWaiters(lock, this::available, this::producersToWake);
    private final AtomicInteger outstanding = new AtomicInteger();
    private @Nullable LatePassing passing;
    private @Nullable ToLongFunction<Envelope> turns;
    private String consumer = "";
    private boolean scheduled;
    private long polled;
    private boolean cancelled;
    private boolean truncated;
    private long passed;
    /// What a consumer could take now; written under the lock.
    private volatile int available;
    /// Room that a producer could reserve now; written under the lock.
    private volatile int room;
    private volatile boolean markAtHead;
    /// The last epoch of which the consumer wants nothing more; written under the lock.
    private volatile long left = -1;
    /// The last epoch of which nothing is taken any more.
    private long dropped = -1;
    /// Whether a mark was taken and is being forwarded: until it is finished nothing else may be taken.
    private volatile boolean marking;

    /// @param buffer   finished items that may wait beyond one for each running function
    /// @param producers the most functions that hold a reservation while they run
    /// @param ordered  whether items pass on in the order of their sequence
    public Link(String name, int buffer, int producers, boolean ordered, Consumer<Envelope> disposer) {
        this(name, new LinkPolicy(buffer, producers), ordered, disposer);
    }

    Link(String name, LinkPolicy policy, boolean ordered, Consumer<Envelope> disposer) {
        this.name = name;
        this.policy = policy;
        this.queue = new LinkQueue(policy, ordered);
        this.disposer = disposer;
        this.unwanted = disposer;
        this.room = policy.capacity();
    }

    /// Names who takes from the link (empty for the run's consumer), and who is told of new items and of new
    /// room; called once, before the run starts.
    ///
    /// @param gathers how many items the consumer takes before it does anything
    /// @param told    whether the consumer is told of items instead of waiting for them
    public void connect(String taker, int gathers, boolean told, Runnable inputReady, Runnable outputReady) {
        consumer = taker;
        scheduled = told;
        policy.gathers(gathers);
        waiters.listeners(inputReady, outputReady);
    }

    /// Names who takes over items that nobody wants any more, and who is told that an epoch was [left][#leave];
    /// called once, before the run starts.
    public void leaving(Consumer<Envelope> taker, Runnable told) {
        unwanted = taker;
        onLeft = told;
    }

    /// Says that the consumer wants nothing more of `epoch` and those before it, but their ends. The producer is
    /// told first, so that it does not go on into the room that comes free. What the link holds goes to whom
    /// [#leaving] names, as what is put later does.
    public void leave(long epoch) {
        lock.lock();
        try {
            if (epoch <= left || cancelled) {
                return;
            }
            left = epoch;
        } finally {
            lock.unlock();
        }
        onLeft.run();
        List<Envelope> removed;
        lock.lock();
        try {
            dropped = Math.max(dropped, epoch);
            removed = queue.removeThrough(epoch);
            update();
            waiters.signalAll();
        } finally {
            lock.unlock();
        }
        removed.forEach(unwanted);
        waiters.tellOfItems();
        waiters.tellOfRoom();
    }

    /// The last epoch that the consumer has [left][#leave]; -1 if none.
    public long left() {
        return left;
    }

    /// Whether the consumer wants nothing more of `epoch`.
    public boolean isLeft(long epoch) {
        return epoch <= left;
    }

    /// Room that could be reserved at this moment.
    public int room() {
        return room;
    }

    /// Items and marks that could be taken at this moment.
    public int available() {
        return available;
    }

    private int producersToWake() {
        return policy.producersToWake(room);
    }

    /// Items and marks that were taken and are not finished.
    public int outstanding() {
        return outstanding.get();
    }

    /// Whether the consumer has nothing to do until something is put.
    public boolean isStarving() {
        return available == 0 && !markAtHead && (scheduled || waiters.hasTakers());
    }

    /// Reserves room for one item if there is any. A cancelled link has none.
    public boolean tryReserve() {
        lock.lock();
        try {
            if (cancelled || room == 0) {
                return false;
            }
            queue.reserve();
            update();
            return true;
        } finally {
            lock.unlock();
        }
    }

    /// Reserves room for one item, waiting for it; false if the link was cancelled.
    ///
    /// @param waiter the caller's, which says what it waits for
    public boolean reserve(@Nullable Waiter waiter) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (!cancelled && room == 0) {
                waiters.awaitRoom(waiter);
            }
            if (cancelled) {
                return false;
            }
            queue.reserve();
            update();
            return true;
        } finally {
            lock.unlock();
        }
    }

    /// Releases room that was reserved before anything was taken for it.
    public void unreserve() {
        lock.lock();
        try {
            queue.unreserve();
            update();
            waiters.signalRoom(producersToWake());
        } finally {
            lock.unlock();
        }
    }

    /// Puts an item into reserved room, and tells the consumer.
    public void put(Envelope item) {
        putQuietly(item);
        announceItems();
    }

    /// Puts an item into reserved room. The consumer hears of it by [#announceItems], which the producer owes
    /// before it does anything slow.
    public void putQuietly(Envelope item) {
        boolean _ = put(item, false);
    }

    /// As [#putQuietly], then as [#tryReserve], for less than both cost.
    public boolean putAndReserve(Envelope item) {
        return put(item, true);
    }

    private boolean put(Envelope item, boolean thenReserve) {
        boolean dispose = false;
        boolean another;
        boolean late;
        boolean beyond = false;
        lock.lock();
        try {
            late = item.epoch <= dropped && !cancelled && !truncated;
            if (late) {
                queue.drop(item.sequence);
            } else {
                dispose = !accept(item);
            }
            another = thenReserve && !cancelled && queue.room() > 0;
            if (another) {
                queue.reserve();
            }
            boolean resized = policy.passed(available == 0 || queue.room() <= 0, item.value);
            if (resized) {
                queue.resized();
            }
            update();
            if (resized) {
                // As in resize: who sleeps waits for as many as the link could hold before.
                waiters.signalAllForItems();
            }
            if (queue.isInTurns() && room > 0) {
                beyond = true; // there is room because nothing else could go on
                waiters.signalRoom(room);
            }
        } finally {
            lock.unlock();
        }
        if (beyond) {
            waiters.tellOfRoom();
        }
        if (dispose) {
            disposer.accept(item);
        } else if (late) {
            unwanted.accept(item);
            announceRoom();
        }
        return another;
    }

    /// Takes an item into the room that was reserved for it; false if it is to be disposed.
    private boolean accept(Envelope item) {
        if (cancelled || truncated) {
            queue.unreserve();
            return false;
        }
        return queue.put(item);
    }

    /// Lets nothing more pass that follows the item of this sequence in the input's order: a failure of that item
    /// ends the run. What has come of earlier items passes on. In completion order it does nothing.
    public void breakOff(long sequence) {
        List<Envelope> left;
        lock.lock();
        try {
            left = queue.endAt(sequence);
            update();
        } finally {
            lock.unlock();
        }
        left.forEach(disposer);
    }

    /// Whether the consumer has something to do, for one that gathers items: several of them.
    public boolean isWorthAnnouncing() {
        return policy.isWorthAnnouncing(available);
    }

    /// Wakes the consumer for the items that were put quietly.
    public void announceItems() {
        waiters.announceItems(available);
    }

    /// Wakes the producer for the room that quiet polls have made. A single waiting producer sleeps on until there
    /// is room for several items.
    public void announceRoom() {
        waiters.announceRoom(producersToWake());
    }

    /// Releases the room reserved for the item of this sequence, of which nothing came.
    public void drop(long sequence) {
        lock.lock();
        try {
            if (cancelled || truncated) {
                queue.unreserve();
            } else {
                queue.drop(sequence);
            }
            update();
            waiters.signalItems(available);
            waiters.signalRoom(queue.isInTurns() ? room : producersToWake());
        } finally {
            lock.unlock();
        }
        waiters.tellOfItems();
        waiters.tellOfRoom();
    }

    /// Whether marks that were not taken leave no room.
    public boolean isFullOfMarks() {
        lock.lock();
        try {
            return !cancelled && room == 0 && queue.marks() > LinkQueue.FREE_MARKS;
        } finally {
            lock.unlock();
        }
    }

    /// Puts a mark behind everything that was put; needs no room. The producer sees to it that nothing taken before
    /// the mark is unfinished.
    public void mark(Envelope mark) {
        lock.lock();
        try {
            if (cancelled || truncated) {
                return;
            }
            truncated = mark.kind == Envelope.Kind.END;
            queue.add(mark);
            update();
            waiters.signalAllForItems();
        } finally {
            lock.unlock();
        }
        waiters.tellOfItems();
    }

    /// The next item or mark; null if there is none at this moment. The taker calls [#finished] when it is done
    /// with it.
    @Nullable
    public Envelope poll() {
        return announced(pollQuietly());
    }

    private @Nullable Envelope announced(@Nullable Envelope head) {
        if (head != null && (!head.isMark() || room > 0)) {
            announceRoom();
        }
        return head;
    }

    /// As [#poll]. The producer hears of the room by [#announceRoom], which the consumer owes before it does
    /// anything slow.
    @Nullable
    public Envelope pollQuietly() {
        lock.lock();
        try {
            return pollLocked();
        } finally {
            lock.unlock();
        }
    }

    private @Nullable Envelope pollLocked() {
        Envelope head = queue.head();
        if (head == null || marking) {
            return null;
        }
        if (head.isMark()) {
            if (outstanding.get() > 0) {
                return null;
            }
            marking = true;
        } else {
            ToLongFunction<Envelope> own = turns;
            head.sequence = own == null ? polled++ : own.applyAsLong(head);
            passed++;
        }
        outstanding.incrementAndGet();
        queue.remove();
        update();
        return head;
    }

    /// The next item or mark, waiting for it; null if the link was cancelled, or if `deadline` ([System#nanoTime])
    /// has passed.
    ///
    /// @param missing how many items the only taker can use: it stays asleep while there are fewer, no mark follows
    ///     them, and the link has room for more
    /// @param waiter  the caller's, which says what it waits for; null if it is none of the run's threads
    @Nullable
    public Envelope take(int missing, long deadline, @Nullable Waiter waiter) throws InterruptedException {
        Envelope head = null;
        lock.lockInterruptibly();
        try {
            while (!cancelled) {
                int enough = policy.consumerWakesAt(missing);
                long left = deadline == Long.MAX_VALUE ? Long.MAX_VALUE : deadline - System.nanoTime();
                if (queue.items() >= enough || queue.hasMark() || left <= 0) {
                    head = pollLocked();
                }
                if (head != null || left <= 0) {
                    break;
                }
                waiters.awaitItems(enough, left, waiter);
            }
        } finally {
            lock.unlock();
        }
        return announced(head);
    }

    /// Records that nothing more will be put for one item or mark taken from this link.
    public void finished() {
        if (outstanding.decrementAndGet() == 0 && (markAtHead || marking)) {
            lock.lock();
            try {
                // Meanwhile another thread may have taken the mark that waited for this, and be
                // forwarding it.
                if (outstanding.get() == 0) {
                    marking = false;
                }
                update();
                waiters.signalAllForItems();
            } finally {
                lock.unlock();
            }
            waiters.tellOfItems();
        }
    }

    /// Ends the link: nothing waits on it any more, nothing more comes out of it, and what it holds or is put later
    /// is disposed.
    public void cancel() {
        List<Envelope> left;
        lock.lock();
        try {
            if (cancelled) {
                return;
            }
            cancelled = true;
            left = queue.removeAll();
            update();
            waiters.signalAll();
        } finally {
            lock.unlock();
        }
        left.forEach(disposer);
    }

    /// Ends the link as if its producer had ended now: what it holds is disposed and the end comes next.
    public void truncate() {
        List<Envelope> left;
        lock.lock();
        try {
            if (cancelled) {
                return;
            }
            truncated = true;
            left = queue.removeAll();
            queue.add(Envelope.end());
            update();
            waiters.signalAll();
        } finally {
            lock.unlock();
        }
        left.forEach(disposer);
        waiters.tellOfItems();
    }

    private void update() {
        Envelope head = queue.head();
        boolean mark = head != null && head.isMark();
        // Before `outstanding` is read. What is the same is not written again, which would cost a fence.
        if (mark != markAtHead) {
            markAtHead = mark;
        }
        int canTake = marking || (mark && outstanding.get() > 0) ? 0 : Math.max(queue.items(), mark ? 1 : 0);
        if (canTake != available) {
            available = canTake;
        }
        int free = cancelled ? 0 : Math.max(0, queue.room());
        if (free != room) {
            room = free;
        }
        if (passing != null && queue.isOvertaken()) {
            passing.overtaken();
        }
    }

    /// Lets results that are late be passed, in input order; called once, before the run starts.
    public void passesLate(LatePassing rule) {
        rule.of(queue, lock, waiters, this::update);
        passing = rule;
    }

    /// Lets results of the stage behind this link pass on in turns of their own, instead of in the order in which
    /// their inputs are taken from here; called once, before the run starts.
    ///
    /// @param turn   the number of an item among all, from 0; asked once for each, under the lock
    /// @param output in input order, of the same stage
    public void inTurns(ToLongFunction<Envelope> turn, Link output) {
        turns = turn;
        output.queue.takesTurns();
    }

    /// How many finished items may wait beyond one for each running function.
    public int buffer() {
        lock.lock();
        try {
            return policy.buffer();
        } finally {
            lock.unlock();
        }
    }

    /// Lets the link hold more items by itself, unless it is [resized][#resize]: see [LinkPolicy#grows]. Called
    /// before the run starts.
    public void grows(boolean bounded) {
        policy.grows(bounded);
    }

    /// Gives the link another size; a number below zero leaves that one as it is. With less room than what it
    /// holds, it has none until enough was taken.
    public void resize(int newBuffer, int newProducers) {
        lock.lock();
        try {
            policy.resize(newBuffer, newProducers);
            queue.resized();
            update();
            waiters.signalRoom(producersToWake());
            // Fewer items than before may now be all that there can be.
            waiters.signalAllForItems();
        } finally {
            lock.unlock();
        }
        waiters.tellOfRoom();
    }

    public LinkStats stats(long now) {
        lock.lock();
        try {
            return queue.stats(name, consumer, passed, now);
        } finally {
            lock.unlock();
        }
    }
}
