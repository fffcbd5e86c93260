package org.jspdl.pipeline.internal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/// Threads that begin together, again and again. Of many short races more interleavings come than of one long one.
/// An extension of a test, which ends the threads after it.
public final class Race implements AfterEachCallback {
    private static final Duration PATIENCE = Duration.ofSeconds(100);

    private final ExecutorService threads = Executors.newCachedThreadPool(
            task -> Thread.ofPlatform().daemon().name("test-race").unstarted(task));

    /// What one thread does.
    @FunctionalInterface
    public interface Racer {
        /// Runs to its end, or throws what went wrong.
        void run() throws Exception;
    }

    /// Runs all racers at once and waits for them.
    ///
    /// @throws AssertionError if one fails, or is not done after 100 s
    public void run(List<Racer> racers) throws InterruptedException {
        CyclicBarrier start = new CyclicBarrier(racers.size());
        AtomicInteger awake = new AtomicInteger();
        List<Future<?>> running = new ArrayList<>();
        for (Racer racer : racers) {
            running.add(threads.submit(() -> {
                start.await();
                meet(awake, racers.size());
                racer.run();
                return null;
            }));
        }
        for (Future<?> each : running) {
            try {
                each.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            } catch (ExecutionException failure) {
                throw new AssertionError("a racer failed", failure.getCause());
            } catch (TimeoutException stuck) {
                throw new AssertionError("a racer did not end within " + PATIENCE.toSeconds() + " s", stuck);
            }
        }
    }

    /// Spins until all are awake, or for so long that some must be waiting for a processor: a barrier alone wakes
    /// one after the other.
    public static void meet(AtomicInteger awake, int racers) {
        awake.incrementAndGet();
        for (int spins = 0; awake.get() < racers && spins < 2_000; spins++) {
            Thread.onSpinWait();
        }
    }

    @Override
    public void afterEach(ExtensionContext test) throws InterruptedException {
        threads.shutdownNow();
        if (!threads.awaitTermination(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            throw new AssertionError("racers go on after the race");
        }
    }
}
