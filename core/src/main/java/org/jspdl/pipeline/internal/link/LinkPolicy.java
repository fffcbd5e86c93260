package org.jspdl.pipeline.internal.link;

import java.util.Collection;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// How many items a link may hold, and when a sleeping thread is worth waking: every threshold of a link.
///
/// - A single producer wakes when half of the capacity is free: it makes several items before it sleeps again.
/// - A consumer of groups wakes when what it lacks has come, but at half of the buffer at the latest, so that the
///   producer has room meanwhile.
/// - A producer announces items between two calls when the consumer would wake for them: one wake-up serves several
///   items.
/// - The buffer grows when its producer is quick and the consumer empties it again and again: waking threads is then
///   the greater cost.
/// - In input order many more finished items may wait behind a late one, while hardly any is ready: a rare slow item
///   holds up its own call only.
///
/// Changed under the link's lock. What is worth waking others for may be asked by anybody.
final class LinkPolicy {
    /// The most items for which a link makes room by itself.
    static final int MOST = 256;
    /// The most finished items that wait behind a late one, beyond the capacity: what 40 workers finish meanwhile,
    /// if one item takes 100 times as long as others.
    static final int MOST_BEHIND_LATE = 4096;
    /// Items that follow each other more quickly are not worth a wake-up each.
    private static final long QUICK_NANOS = 20_000;
    private static final int WINDOW = 64;
    /// This many of a window's items have to find the link empty or leave it full.
    private static final int AT_AN_END = WINDOW / 16;
    /// One after the other; a run's first items always meet an empty link.
    private static final int WINDOWS = 2;

    private final LongSupplier clock;
    private int buffer;
    private int producers;
    private int capacity;
    private int gathers = 1;
    /// The buffer from which the link grows, and to which it returns; below zero if it never grows.
    private int smallest = -1;
    /// How many more items may wait behind a late one; 0 before the first item has shown that it is light.
    private int behindLate;
    private Waiting waiting = Waiting.NONE;
    private volatile int producerWakesAt;
    private volatile int announcedAt;

    private int items;
    private int atAnEnd;
    private int quick;
    private int slow;
    private long windowBegan;

    /// Which items may wait behind a late one.
    private enum Waiting {
        NONE,
        LIGHT,
        ALL
    }

    /// @param buffer    finished items that may wait beyond one for each running function
    /// @param producers the most functions that hold a reservation while they run
    LinkPolicy(int buffer, int producers) {
        this(buffer, producers, System::nanoTime);
    }

    /// @param clock nanoseconds
    LinkPolicy(int buffer, int producers, LongSupplier clock) {
        this.clock = clock;
        resize(buffer, producers);
    }

    /// Takes other numbers, which stay; one below zero leaves that one as it is.
    void resize(int newBuffer, int newProducers) {
        if (newBuffer >= 0) {
            smallest = -1;
            waiting = Waiting.NONE;
            behindLate = 0;
        }
        size(newBuffer < 0 ? buffer : newBuffer, newProducers < 0 ? producers : newProducers);
    }

    private void size(int newBuffer, int newProducers) {
        buffer = newBuffer;
        producers = newProducers;
        capacity = Math.addExact(buffer, producers);
        producerWakesAt = producers == 1 ? Math.max(1, capacity / 2) : 1;
        announcedAt = consumerWakesAt(gathers);
    }

    /// Says how many items the consumer takes before it does anything.
    void gathers(int count) {
        gathers = count;
        announcedAt = consumerWakesAt(gathers);
    }

    /// Lets [#MOST_BEHIND_LATE] items wait behind a late one, and the buffer grow up to [#MOST] while items are
    /// quick, unless it is resized.
    ///
    /// @param bounded whether something else bounds the bytes of items in flight: then items of any size wait, and
    ///     the buffer stays as it is
    void grows(boolean bounded) {
        waiting = bounded ? Waiting.ALL : Waiting.LIGHT;
        behindLate = bounded ? MOST_BEHIND_LATE : 0;
        smallest = bounded ? -1 : buffer;
        windowBegan = clock.getAsLong();
    }

    /// How many items may be held beyond the capacity while so many are ready.
    int beyond(int ready) {
        return ready < Math.max(1, buffer / 2) ? behindLate : 0;
    }

    int buffer() {
        return buffer;
    }

    /// Items that are held, and results that are still to come, at most.
    int capacity() {
        return capacity;
    }

    /// How many waiting producers to wake for so much room, at most.
    int producersToWake(int room) {
        return room >= producerWakesAt ? room : 0;
    }

    /// How many items a consumer that lacks `missing` waits for.
    int consumerWakesAt(int missing) {
        return Math.max(1, Math.min(missing, buffer / 2));
    }

    /// Whether so many items are worth telling the consumer of between two calls.
    boolean isWorthAnnouncing(int available) {
        return available >= announcedAt;
    }

    /// Takes note of an item; true if the buffer has another size now.
    ///
    /// A link that is neither emptied nor filled has room enough. What is slow gains nothing by more room, which
    /// would only put more items on their way.
    ///
    /// @param end whether the item found the link empty or left it full
    boolean passed(boolean end, @Nullable Object item) {
        if (smallest < 0 && waiting != Waiting.LIGHT) {
            return false;
        }
        boolean light = isLight(item);
        if (waiting == Waiting.LIGHT) {
            waiting = light ? waiting : Waiting.NONE;
            behindLate = light ? MOST_BEHIND_LATE : 0;
        }
        if (smallest < 0) {
            return false;
        }
        if (!light) {
            int before = buffer;
            size(smallest, producers);
            smallest = -1;
            return buffer != before;
        }
        atAnEnd += end ? 1 : 0;
        items++;
        return items == WINDOW && judge(clock.getAsLong());
    }

    /// Whether many such items can wait: those that own nothing, and do not hold many others.
    private static boolean isLight(@Nullable Object item) {
        return !(item instanceof AutoCloseable)
                && !(item instanceof Collection<?>)
                && item != null
                && !item.getClass().isArray();
    }

    /// Ends a window.
    private boolean judge(long now) {
        boolean inTime = now - windowBegan < WINDOW * QUICK_NANOS;
        boolean narrow = atAnEnd >= AT_AN_END;
        items = 0;
        atAnEnd = 0;
        windowBegan = now;
        quick = inTime ? quick + 1 : 0;
        slow = inTime ? 0 : slow + 1;
        int wanted = buffer;
        if (slow >= WINDOWS) {
            wanted = smallest;
        } else if (quick >= WINDOWS && narrow) {
            wanted = Math.max(buffer, Math.min(MOST, 2 * buffer));
        }
        if (wanted == buffer) {
            return false;
        }
        size(wanted, producers);
        return true;
    }
}
