package org.jspdl.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/// Makes closeable items and knows what became of each.
public final class Tracker {
    private final ConcurrentLinkedQueue<Item> made = new ConcurrentLinkedQueue<>();

    /// An item that must be closed exactly once, by the engine or by the consumer.
    public final class Item implements AutoCloseable {
        private final long id;
        private final AtomicInteger closed = new AtomicInteger();

        private Item(long id) {
            this.id = id;
        }

        /// What the item was made for.
        public long id() {
            return id;
        }

        /// How often it was closed.
        public int timesClosed() {
            return closed.get();
        }

        /// Closes this item and returns a new one in its place, as a decoding function does.
        public Item replaced() {
            close();
            return item(id);
        }

        @Override
        public void close() {
            closed.incrementAndGet();
        }

        @Override
        public String toString() {
            return "item " + id + " closed " + closed + " times";
        }
    }

    /// A new item.
    public Item item(long id) {
        Item item = new Item(id);
        made.add(item);
        return item;
    }

    /// Every item made so far, in the order of making.
    public List<Item> items() {
        return new ArrayList<>(made);
    }

    /// How many items are open.
    public long open() {
        return made.stream().filter(item -> item.timesClosed() == 0).count();
    }

    /// Checks that nothing is open and nothing was closed twice.
    public void assertEachClosedOnce() {
        assertThat(made.stream().filter(item -> item.timesClosed() != 1))
                .as("of %d items, those not closed once", made.size())
                .isEmpty();
    }
}
