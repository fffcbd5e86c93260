package org.jspdl.pipeline.internal;

import java.util.concurrent.locks.ReentrantLock;
import org.jspdl.pipeline.internal.Lineage.Group;
import org.jspdl.pipeline.internal.Lineage.Origin;
import org.jspdl.pipeline.internal.Lineage.Part;
import org.jspdl.pipeline.internal.Lineage.Split;
import org.jspdl.source.Position;

/// Which source items were admitted and are not settled yet.
///
/// An item is settled when it was filtered, skipped by policy, or its last output was handed to the consumer. Memory is
/// bounded by the items in flight, however late a straggler is. The lock is a leaf: nothing else is locked while it is
/// held.
final class Ledger {
    private final ReentrantLock lock = new ReentrantLock();
    /// Sentinel of a circular list in the order of admission.
    private final Origin unsettled = new Origin(-1, -1, Position.START);
    private long inFlight;

    Ledger() {
        unsettled.previous = unsettled;
        unsettled.next = unsettled;
    }

    /// Records that the item at `position` has entered the run.
    Origin admit(int source, long epoch, Position position) {
        Origin origin = new Origin(source, epoch, position);
        lock.lock();
        try {
            Origin last = unsettled.previous;
            origin.previous = last;
            origin.next = unsettled;
            last.next = origin;
            unsettled.previous = origin;
            inFlight++;
        } finally {
            lock.unlock();
        }
        return origin;
    }

    /// Records that nothing more will come of an item.
    void settle(Lineage lineage) {
        lock.lock();
        try {
            settleLocked(lineage);
        } finally {
            lock.unlock();
        }
    }

    private void settleLocked(Lineage lineage) {
        switch (lineage) {
            case Origin origin -> unlink(origin);
            case Group group -> {
                for (Lineage member : group.members) {
                    settleLocked(member);
                }
            }
            case Part part -> {
                part.split.settled++;
                settleIfWhole(part.split);
            }
        }
    }

    private void unlink(Origin origin) {
        if (origin.settled) {
            throw new IllegalStateException("settled twice: " + origin.position);
        }
        origin.settled = true;
        origin.previous.next = origin.next;
        origin.next.previous = origin.previous;
        inFlight--;
    }

    /// The next part of a divided item.
    Part part(Split split) {
        lock.lock();
        try {
            return new Part(split, split.emitted++);
        } finally {
            lock.unlock();
        }
    }

    /// Records that a divided item has no more parts.
    void end(Split split) {
        lock.lock();
        try {
            split.ended = true;
            settleIfWhole(split);
        } finally {
            lock.unlock();
        }
    }

    private void settleIfWhole(Split split) {
        if (split.ended && split.settled == split.emitted) {
            settleLocked(split.parent);
        }
    }

    /// Source items that were admitted and are not settled.
    long inFlight() {
        lock.lock();
        try {
            return inFlight;
        } finally {
            lock.unlock();
        }
    }
}
