package org.jspdl.data.shards.pack;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspdl.memory.Closeables;
import org.jspecify.annotations.Nullable;

/// Gives samples their places in shards, in the order of the input, and finishes shards that are complete.
final class ShardAssigner implements AutoCloseable {
    private final ShardStore store;
    private final PackJournal journal;
    private final Set<OpenShard> unfinished = ConcurrentHashMap.newKeySet();
    private final ConcurrentLinkedQueue<PackJournal.Packed> packed = new ConcurrentLinkedQueue<>();
    private @Nullable OpenShard current;
    private long next;

    ShardAssigner(ShardStore store, PackJournal journal, long next) {
        this.store = store;
        this.journal = journal;
        this.next = next;
    }

    /// A sample and where it belongs.
    record Placed(PackedSample sample, OpenShard shard, long place) implements AutoCloseable {
        @Override
        public void close() {
            sample.close();
        }
    }

    /// Gives `sample` its place; one thread at a time.
    Placed place(PackedSample sample) throws IOException {
        OpenShard shard = current;
        if (shard != null && shard.isFullFor(sample)) {
            end();
            shard = null;
        }
        if (shard == null) {
            shard = OpenShard.create(store, next++);
            unfinished.add(shard);
            current = shard;
        }
        return new Placed(sample, shard, shard.place(sample));
    }

    /// Says that no more samples come into the last shard; by the thread that gives places, or after it.
    void end() throws IOException {
        OpenShard shard = current;
        current = null;
        if (shard != null && shard.seal()) {
            finish(shard);
        }
    }

    /// Writes a sample to its place; any thread. How many bytes it took.
    long write(Placed placed) throws IOException {
        try (placed) {
            if (placed.shard().write(placed.place(), placed.sample().bytes().segment())) {
                finish(placed.shard());
            }
            return placed.sample().bytes().byteSize();
        }
    }

    private void finish(OpenShard shard) throws IOException {
        PackJournal.Packed finished = shard.finish();
        unfinished.remove(shard);
        journal.packed(finished);
        packed.add(finished);
    }

    /// The shards that were finished, in no order.
    Iterable<PackJournal.Packed> packed() {
        return packed;
    }

    @Override
    public void close() throws IOException {
        try {
            Closeables.closeAll(unfinished);
        } catch (UncheckedIOException failure) {
            throw failure.getCause();
        }
    }
}
