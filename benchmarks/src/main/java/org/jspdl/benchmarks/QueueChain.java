package org.jspdl.benchmarks;

import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/// Steps as loops of platform threads between bounded queues; a marker behind the last item ends each loop.
final class QueueChain {
    private static final Long END = Long.MIN_VALUE;

    private final Work work;
    private final int concurrency;
    private final int buffer;

    QueueChain(Work work, int concurrency, int buffer) {
        this.work = work;
        this.concurrency = concurrency;
        this.buffer = buffer;
    }

    long sum(List<Long> items) throws InterruptedException {
        try (ExecutorService threads =
                Executors.newThreadPerTaskExecutor(Thread.ofPlatform().daemon().factory())) {
            BlockingQueue<Long> first = new ArrayBlockingQueue<>(buffer);
            BlockingQueue<Long> last = first;
            for (int step = 0; step < Work.STEPS; step++) {
                last = startStep(threads, last);
            }
            Future<?> _ = threads.submit(() -> {
                for (Long item : items) {
                    first.put(item);
                }
                first.put(END);
                return null;
            });
            return drain(last);
        }
    }

    private BlockingQueue<Long> startStep(ExecutorService threads, BlockingQueue<Long> input) {
        BlockingQueue<Long> output = new ArrayBlockingQueue<>(buffer);
        AtomicInteger running = new AtomicInteger(concurrency);
        for (int worker = 0; worker < concurrency; worker++) {
            Future<?> _ = threads.submit(() -> {
                for (Long item = input.take(); !item.equals(END); item = input.take()) {
                    output.put(work.step(item));
                }
                // The last worker passes the marker on, the others leave it for their siblings.
                (running.decrementAndGet() == 0 ? output : input).put(END);
                return null;
            });
        }
        return output;
    }

    private static long drain(BlockingQueue<Long> queue) throws InterruptedException {
        long sum = 0;
        for (Long item = queue.take(); !item.equals(END); item = queue.take()) {
            sum += item;
        }
        return sum;
    }
}
