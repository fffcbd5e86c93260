package org.jspdl.python.ring;

import java.util.ArrayDeque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/// How far the loader may run ahead of the trainer: a number of batches that the trainer has not taken yet, or more if
/// they are small.
///
/// An adaptive one begins with [#LEAST] batches. It allows one more where the trainer keeps finding none ready although
/// the loader had to wait for it before: the loader is fast enough, but not evenly. Of a loader that is too slow, and
/// had to wait only while the trainer was busy elsewhere, as at the start or with validation, one more batch would be
/// no use. It allows one less whenever the trainer has found a batch ready [#CALM] times in a row.
///
/// An adaptive one may be all that there is: batches that the run is still making [count][#confines], too, while the
/// trainer is busy with one. When it waits, the run has no other limit than its own: whatever a trainer keeps, it gets
/// the next. As soon as a trainer waits [by habit][StandStills], such a limit allows at once as many as would have
/// spared it the wait, up to those that a run beside holds. Thread-safe.
public final class PrefetchLimit {
    /// Batches of this total size may always lie ready.
    public static final long ALWAYS_BYTES = 1L << 20;

    /// Batches that an adaptive limit begins with: one in the trainer's hands, one that lies ready.
    static final int LEAST = 2;

    /// Batches that an adaptive limit allows, if they take no more than [#ADAPTIVE_BYTES].
    static final int MOST = 9;

    /// What an adaptive limit lets lie ready.
    static final long ADAPTIVE_BYTES = 256L << 20;

    /// Times that the trainer found none ready although the loader had had time, less those when it had not.
    static final int UNEVEN = 3;

    /// Where the limit is all that there is, it need not be as sure until it allows as much as a run beside holds:
    /// fewer than this many, and times when the loader had not had time count as one of so many.
    static final int AS_BESIDE = 4;

    private static final int LIGHTLY = 16;

    /// Batches in a row that the trainer found ready, after which an adaptive limit tries with one less.
    static final int CALM = 1000;

    /// Stands for the end of an epoch.
    private static final long END = -1;

    /// Trainers say of smaller ones that they have taken them before they ask for the next.
    private static final long PROMPT_BYTES = 1 << 16;

    private final boolean adapts;
    private int ahead;
    private final int most;
    private final LongSupplier clock;
    private final StandStills standStills;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition taken = lock.newCondition();
    private final ArrayDeque<Long> untaken = new ArrayDeque<>();
    private long untakenBytes;
    private long takenNumber;
    private long waitNanos;
    private long largest;
    private boolean hadTime;
    private int uneven; // in parts of a time
    private int calm;
    private int untakenBatches;
    private long batches;
    private Room room = (most, handed) -> {};
    private boolean confines;

    private PrefetchLimit(boolean adapts, int ahead, int most, LongSupplier clock) {
        this.adapts = adapts;
        this.ahead = ahead;
        this.most = Math.max(ahead, most);
        this.clock = clock;
        this.standStills = new StandStills(clock);
    }

    /// A limit for one trainer.
    ///
    /// @param prefetch batches that may lie ready beside the one that the trainer has, whatever their size; 0 for
    ///     an adaptive limit
    /// @param most     batches that may be out, however small
    public static PrefetchLimit of(int prefetch, int most) {
        return of(prefetch, most, System::nanoTime);
    }

    /// The same by a clock of nanoseconds, from anywhere.
    static PrefetchLimit of(int prefetch, int most, LongSupplier clock) {
        return prefetch == 0
                ? new PrefetchLimit(true, LEAST, most, clock)
                : new PrefetchLimit(false, prefetch + 1, most, clock);
    }

    /// Is told how many batches may be in flight, and how many were handed over.
    @FunctionalInterface
    public interface Room {
        /// Notes both, of which the second counts from the beginning of the run.
        void confine(int batches, long handedOver);
    }

    /// Has `run` told how many batches it may still make or have finished, whenever that changes; the largest
    /// number while the trainer waits, and always where batches are small. It hears of one after the other, since
    /// the lock is held meanwhile. Nothing where the limit does not adapt.
    public void confines(Room run) {
        if (adapts) {
            lock.lock();
            try {
                room = run;
                confines = true;
            } finally {
                lock.unlock();
            }
        }
    }

    private void tellRoom() {
        boolean bounded = !untaken.isEmpty() && largest >= ALWAYS_BYTES;
        room.confine(bounded ? Math.max(0, ahead - untakenBatches) : Integer.MAX_VALUE, batches);
    }

    /// Waits until one more may be handed over.
    public void await() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            if (spent()) {
                long began = clock.getAsLong();
                try {
                    while (spent()) {
                        taken.await();
                    }
                } finally {
                    waitNanos += clock.getAsLong() - began;
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /// Counts `nanos` in which the trainer had not begun to take anything.
    public void waited(long nanos) {
        lock.lock();
        try {
            waitNanos += nanos;
        } finally {
            lock.unlock();
        }
    }

    private boolean spent() {
        boolean spent = untaken.size() >= ahead && isMuch();
        hadTime |= spent && untakenBatches >= ahead;
        return spent;
    }

    private boolean isMuch() {
        return untakenBytes >= ALWAYS_BYTES || untaken.size() >= most;
    }

    /// The trainer has taken something and asks for more.
    private void adapt() {
        if (!untaken.isEmpty()) {
            if (++calm >= CALM) {
                ahead = Math.max(LEAST, ahead - 1);
                calm = 0;
            }
            return;
        }
        calm = 0;
        int less = confines && ahead < AS_BESIDE ? 1 : LIGHTLY;
        uneven = hadTime ? uneven + LIGHTLY : Math.max(0, uneven - less);
        hadTime = false;
        int makeable = standStills.makeable();
        while (confines && makeable-- > 0 && ahead < AS_BESIDE && mayAllowMore()) {
            ahead++;
            uneven = 0;
        }
        if (uneven >= UNEVEN * LIGHTLY && mayAllowMore()) {
            ahead++;
            uneven = 0;
        }
    }

    private boolean mayAllowMore() {
        return largest >= PROMPT_BYTES && ahead < Math.min(MOST, most) && ahead * largest <= ADAPTIVE_BYTES;
    }

    /// Whether one more must wait.
    public boolean isSpent() {
        lock.lock();
        try {
            return spent();
        } finally {
            lock.unlock();
        }
    }

    /// Notes that one more batch was handed over; whether the trainer had taken all before.
    public boolean handOver(long bytes) {
        lock.lock();
        try {
            untakenBytes += bytes;
            largest = Math.max(largest, bytes);
            untaken.addLast(bytes);
            untakenBatches++;
            batches++;
            standStills.made();
            if (untakenBatches >= ahead && isMuch()) {
                standStills.full();
            }
            tellRoom();
            return untaken.size() == 1;
        } finally {
            lock.unlock();
        }
    }

    /// Notes that the end of an epoch was handed over.
    public void endEpoch() {
        lock.lock();
        try {
            untaken.addLast(END);
            standStills.pause();
            tellRoom();
        } finally {
            lock.unlock();
        }
    }

    /// Notes that the trainer has taken all up to `number`.
    public void taken(long number) {
        lock.lock();
        try {
            boolean more = takenNumber < number;
            while (takenNumber < number && !untaken.isEmpty()) {
                long bytes = untaken.removeFirst();
                if (bytes != END) {
                    untakenBytes -= bytes;
                    untakenBatches--;
                    standStills.took(untakenBatches < ahead);
                }
                takenNumber++;
            }
            if (adapts && more) {
                adapt();
                tellRoom();
            }
            taken.signal();
        } finally {
            lock.unlock();
        }
    }

    /// How many batches may lie ready beside the one that the trainer has, whatever their size.
    public int prefetch() {
        lock.lock();
        try {
            return ahead - 1;
        } finally {
            lock.unlock();
        }
    }

    /// How long the loader has waited.
    public long waitNanos() {
        lock.lock();
        try {
            return waitNanos;
        } finally {
            lock.unlock();
        }
    }
}
