package org.jspdl.data.shards;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.ReentrantLock;
import org.jspdl.source.Cursor;
import org.jspdl.source.Position;
import org.jspdl.source.Source;
import org.jspecify.annotations.Nullable;

/// How many samples each of some remote shards has: asked for when one of them is first needed, of all at once, and
/// remembered.
///
/// Asking means a request or two for each shard: one after the other, a thousand of them take a minute. Safe for any
/// thread.
final class ShardSizes {
    /// The storage bounds the requests of each host; this bounds the indexes that are in memory.
    private static final int AT_ONCE = 256;

    private final List<Source<ShardSample>> shards;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile @Nullable List<OptionalLong> known;

    private ShardSizes(List<Source<ShardSample>> shards) {
        this.shards = List.copyOf(shards);
    }

    /// The same shards, which ask for their sizes together.
    static List<Source<ShardSample>> together(List<Source<ShardSample>> shards) {
        ShardSizes sizes = new ShardSizes(shards);
        List<Source<ShardSample>> sized = new ArrayList<>(shards.size());
        for (int i = 0; i < shards.size(); i++) {
            sized.add(new Sized(shards.get(i), sizes, i));
        }
        return sized;
    }

    private OptionalLong of(int shard) {
        List<OptionalLong> sizes = known;
        if (sizes == null) {
            lock.lock();
            try {
                sizes = known;
                if (sizes == null) {
                    sizes = ask();
                    known = sizes;
                }
            } finally {
                lock.unlock();
            }
        }
        return sizes.get(shard);
    }

    private List<OptionalLong> ask() {
        Semaphore places = new Semaphore(AT_ONCE);
        List<Future<OptionalLong>> asked = new ArrayList<>(shards.size());
        try (ExecutorService threads = Executors.newThreadPerTaskExecutor(
                Thread.ofVirtual().name("jspdl-shard-size-", 0).factory())) {
            try {
                for (Source<ShardSample> shard : shards) {
                    places.acquire();
                    asked.add(threads.submit(() -> {
                        try {
                            return shard.size();
                        } finally {
                            places.release();
                        }
                    }));
                }
                List<OptionalLong> sizes = new ArrayList<>(shards.size());
                for (Future<OptionalLong> each : asked) {
                    sizes.add(each.get());
                }
                return List.copyOf(sizes);
            } catch (InterruptedException interrupted) {
                threads.shutdownNow();
                Thread.currentThread().interrupt();
                throw new UncheckedIOException(new IOException("asking for the sizes of shards was interrupted"));
            } catch (ExecutionException failed) {
                threads.shutdownNow();
                throw failed.getCause() instanceof RuntimeException cause
                        ? cause
                        : new UncheckedIOException(new IOException("cannot ask for the sizes of shards", failed));
            }
        }
    }

    private record Sized(Source<ShardSample> shard, ShardSizes sizes, int number) implements Source<ShardSample> {
        @Override
        public Cursor<ShardSample> open(long epoch, Position from) throws Exception {
            return shard.open(epoch, from);
        }

        @Override
        public OptionalLong size() {
            return sizes.of(number);
        }

        @Override
        public String identity() {
            return shard.identity();
        }

        @Override
        public Resume resume() {
            return shard.resume();
        }
    }
}
