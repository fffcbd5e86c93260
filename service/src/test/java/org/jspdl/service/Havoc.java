package org.jspdl.service;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/// Kills, stops and starts workers at random moments, until it has killed so many or is closed. One always serves.
final class Havoc implements AutoCloseable {
    /// Milliseconds between two deeds.
    private static final int LONGEST_PEACE = 80;

    private final List<WorkerProcess> workers;
    private final Random random;
    private final int mostKills;
    private final CountDownLatch end = new CountDownLatch(1);
    private final AtomicInteger kills = new AtomicInteger();
    private final AtomicInteger stops = new AtomicInteger();
    private final AtomicInteger starts = new AtomicInteger();
    private final CompletableFuture<Void> done;

    Havoc(List<WorkerProcess> workers, int mostKills, long seed) {
        this.mostKills = mostKills;
        this.workers = workers;
        this.random = new Random(seed);
        this.done =
                CompletableFuture.runAsync(this::act, task -> Thread.ofVirtual().start(task));
    }

    int kills() {
        return kills.get();
    }

    private void act() {
        try {
            while (kills.get() < mostKills && !end.await(random.nextInt(LONGEST_PEACE), TimeUnit.MILLISECONDS)) {
                actOn(workers.get(random.nextInt(workers.size())), random.nextInt(3));
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
        }
    }

    private void actOn(WorkerProcess worker, int deed) throws IOException, InterruptedException {
        boolean isServing = worker.isServing();
        boolean others = workers.stream().anyMatch(each -> each != worker && each.isServing());
        if (isServing && others && deed == 0) {
            worker.stop();
            stops.incrementAndGet();
        } else if (isServing && others && deed == 1) {
            worker.close();
            kills.incrementAndGet();
        } else if (!isServing && !worker.isStarting() && deed == 2) {
            worker.close();
            worker.start();
            starts.incrementAndGet();
        }
    }

    @Override
    public void close() {
        end.countDown();
        done.join();
    }

    @Override
    public String toString() {
        return kills + " kills, " + stops + " stops, " + starts + " starts";
    }
}
