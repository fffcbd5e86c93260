package org.jspdl.pipeline.resume;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executor;
import org.jspdl.pipeline.Order;
import org.jspdl.pipeline.StageFunction;
import org.jspdl.pipeline.StageOptions;

/// What may change between a run and the one that resumes it: placement, concurrency and buffers. Drawn from a seed.
final class Tuning {
    private static final Executor THREAD_PER_TASK =
            task -> Thread.ofPlatform().daemon().name("test-executor").start(task);

    private final Random random;

    Tuning(long seed) {
        random = new Random(seed);
    }

    /// Options of a stage that keeps `order`.
    StageOptions options(Order order) {
        int concurrency = 1 + random.nextInt(4);
        StageOptions options = switch (random.nextInt(8)) {
            case 0, 1, 2 -> StageOptions.cpu(concurrency);
            case 3, 4, 5 -> StageOptions.io(concurrency);
            case 6 -> StageOptions.dedicated();
            default -> StageOptions.on(THREAD_PER_TASK, concurrency);
        };
        if (random.nextBoolean()) {
            options = options.buffer(1 + random.nextInt(6));
        }
        return order == Order.INPUT ? options.inputOrder() : options;
    }

    /// The same for a stage that makes one item of one; some of those without an order let items pass late ones
    /// only.
    StageOptions single(Order order) {
        StageOptions options = options(order);
        return order == Order.COMPLETION && random.nextInt(3) == 0
                ? options.defer(Duration.ofNanos(1 + random.nextInt(200_000)))
                : options;
    }

    /// How many finished items wait for the consumer.
    int sink() {
        return 1 + random.nextInt(6);
    }

    /// `function`, after giving other threads a chance to overtake the calling one.
    static <T, R> StageFunction<T, R> uneven(StageFunction<T, R> function) {
        return item -> {
            for (int i = Math.floorMod(item.hashCode(), 4); i > 0; i--) {
                pause();
            }
            return function.apply(item);
        };
    }

    @SuppressWarnings("ThreadPriorityCheck")
    private static void pause() {
        Thread.yield();
    }

    /// The elements of a list, through a function that javac can infer.
    static <T> StageFunction<List<T>, Iterable<T>> elements() {
        return list -> list;
    }
}
