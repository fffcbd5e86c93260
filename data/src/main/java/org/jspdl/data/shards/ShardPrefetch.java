package org.jspdl.data.shards;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspdl.data.storage.StoredObject;
import org.jspdl.source.ShardOrders;
import org.jspecify.annotations.Nullable;

/// Fetches the beginnings of the shards that the next epoch begins with, so that a cache has them: on a virtual thread
/// of its own, which closing waits for.
///
/// @param thread the thread, once there is one
record ShardPrefetch(List<ShardFile> shards, AtomicReference<@Nullable Thread> thread) implements ShardOrders.Epoch {
    ShardPrefetch(List<ShardFile> shards) {
        this(shards, new AtomicReference<>());
    }

    @Override
    public void lastOpened() {
        if (!shards.isEmpty()) {
            Thread fetching = Thread.ofVirtual().name("jspdl-shard-prefetch").unstarted(this::fetch);
            thread.set(fetching);
            fetching.start();
        }
    }

    private void fetch() {
        for (ShardFile shard : shards) {
            if (!shard.location().isRemote() || Thread.currentThread().isInterrupted()) {
                continue;
            }
            try (StoredObject object = shard.object()) {
                long first = Math.min(object.size(), shard.options().readAheadBytes());
                if (first > 0) {
                    object.read(0, first, shard.pool()).close();
                }
            } catch (IOException | RuntimeException failure) {
                return; // the epoch that needs it says why
            }
        }
    }

    @Override
    public void close() {
        Thread fetching = thread.get();
        if (fetching == null) {
            return;
        }
        boolean interrupted = false;
        fetching.interrupt();
        while (fetching.isAlive()) {
            try {
                fetching.join();
            } catch (InterruptedException again) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
