package org.jspdl.benchmarks;

import static org.jspdl.pipeline.StageOptions.io;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.zip.CRC32C;
import org.jspdl.pipeline.ByteBudget;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.Pipelines;
import org.jspdl.pipeline.Run;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.pipeline.StageOptions;
import org.jspdl.source.Permutation;
import org.jspdl.source.Samplers;

/// What input order costs where 1 % of the items take 100 times as long as the others, under a byte budget: five runs
/// of each order in alternation, the hash of what input order delivers, and the most bytes in flight. Then the same
/// where the budget holds no more than [#FEW] items, also with items that are deferred, and each of these runs once
/// more, in the order that its items had come in: all of it, and from the middle on, as a trainer goes on that was
/// killed.
///
/// Run: `java -cp 'benchmarks/target/benchmarks.jar:benchmarks/target/lib/*' org.jspdl.benchmarks.RareSlowItems
/// [ITEMS]`
public final class RareSlowItems {
    private static final int ROUNDS = 5;
    private static final int WORKERS = 16;
    private static final int ITEM_BYTES = 1_000;
    private static final long BUDGET_BYTES = 4_200L * ITEM_BYTES;
    private static final long QUICK_NANOS = 500_000;
    /// Fewer than a slow item lets pass.
    private static final int FEW = 64;
    private static final Duration LATE = Duration.ofMillis(5);

    private RareSlowItems() {}

    private record Result(double itemsPerSecond, long hash, long mostBytes, List<Long> order) {}

    /// With the number of items of a run, 20,000 by default.
    public static void main(String[] arguments) {
        int items = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 20_000;
        double[] completion = new double[ROUNDS];
        double[] input = new double[ROUNDS];
        long[] hashes = new long[ROUNDS];
        long mostBytes = 0;
        for (int round = 0; round < ROUNDS; round++) {
            completion[round] = run(io(WORKERS), items, BUDGET_BYTES).itemsPerSecond;
            Result ordered = run(io(WORKERS).inputOrder(), items, BUDGET_BYTES);
            input[round] = ordered.itemsPerSecond;
            hashes[round] = ordered.hash;
            mostBytes = Math.max(mostBytes, ordered.mostBytes);
        }
        Arrays.sort(completion);
        Arrays.sort(input);
        System.out.printf(
                Locale.ROOT,
                "%,d items, 1 %% of them 100 times as slow, %d workers; medians of %d runs in alternation%n"
                        + "completion order  %,.0f items/s%ninput order       %,.0f items/s, %.1f %% of it%n"
                        + "hashes in input order: %s, %s%nmost bytes in flight: %,d of %,d%n",
                items,
                WORKERS,
                ROUNDS,
                completion[ROUNDS / 2],
                input[ROUNDS / 2],
                100 * input[ROUNDS / 2] / completion[ROUNDS / 2],
                Long.toHexString(hashes[0]),
                Arrays.stream(hashes).distinct().count() == 1 ? "all equal" : "NOT EQUAL",
                mostBytes,
                BUDGET_BYTES);
        narrow(items);
    }

    private static void narrow(int items) {
        long budget = (long) FEW * ITEM_BYTES;
        double[] completion = new double[ROUNDS];
        double[] input = new double[ROUNDS];
        double[] deferred = new double[ROUNDS];
        double[] again = new double[ROUNDS];
        double[] rest = new double[ROUNDS];
        long mostBytes = 0;
        long mostAgain = 0;
        boolean same = true;
        for (int round = 0; round < ROUNDS; round++) {
            completion[round] = run(io(WORKERS), items, budget).itemsPerSecond;
            input[round] = run(io(WORKERS).inputOrder(), items, budget).itemsPerSecond;
            Result late = run(io(WORKERS).defer(LATE), items, budget);
            deferred[round] = late.itemsPerSecond;
            mostBytes = Math.max(mostBytes, late.mostBytes);
            Result rerun = again(late.order, items, budget);
            again[round] = rerun.itemsPerSecond;
            List<Long> half = late.order.subList(items / 2, items);
            Result resumed = again(half, items, budget);
            rest[round] = resumed.itemsPerSecond;
            mostAgain = Math.max(mostAgain, Math.max(rerun.mostBytes, resumed.mostBytes));
            same &= rerun.hash == late.hash && rerun.order.equals(late.order) && resumed.order.equals(half);
        }
        Arrays.sort(completion);
        Arrays.sort(input);
        Arrays.sort(deferred);
        Arrays.sort(again);
        Arrays.sort(rest);
        System.out.printf(
                Locale.ROOT,
                "a budget of %d items: completion order %,.0f items/s, input order %,.0f (%.1f %%), deferred after %d ms"
                        + " %,.0f (%.1f %%), at most %,d of %,d bytes in flight%n",
                FEW,
                completion[ROUNDS / 2],
                input[ROUNDS / 2],
                100 * input[ROUNDS / 2] / completion[ROUNDS / 2],
                LATE.toMillis(),
                deferred[ROUNDS / 2],
                100 * deferred[ROUNDS / 2] / completion[ROUNDS / 2],
                mostBytes,
                budget);
        System.out.printf(
                Locale.ROOT,
                "the deferred runs again, in the order of their items: %,.0f items/s (%.1f %% of completion order, %.1f %%"
                        + " of the first run), from the middle on %,.0f (%.1f %%), %s, at most %,d of %,d bytes in flight%n",
                again[ROUNDS / 2],
                100 * again[ROUNDS / 2] / completion[ROUNDS / 2],
                100 * again[ROUNDS / 2] / deferred[ROUNDS / 2],
                rest[ROUNDS / 2],
                100 * rest[ROUNDS / 2] / completion[ROUNDS / 2],
                same ? "each with the same items in the same order" : "NOT THE SAME",
                mostAgain,
                budget);
    }

    private static Pipeline<byte[]> pipeline(StageOptions options, int items) {
        return Pipeline.from(Samplers.sequential(items))
                .pipe("work", item -> work(item, items), options)
                .weigh(bytes -> bytes.length);
    }

    private static RunOptions options(long budget) {
        return RunOptions.defaults().byteBudget(new ByteBudget(budget, ITEM_BYTES));
    }

    private static Result run(StageOptions options, int items, long budget) {
        return taken(() -> pipeline(options, items).start(options(budget)), items);
    }

    /// A rerun of items that came in this order.
    private static Result again(List<Long> order, int items, long budget) {
        return taken(
                () -> Pipelines.gathered(pipeline(io(WORKERS).defer(LATE), items), 0, order, options(budget)),
                order.size());
    }

    private static Result taken(Supplier<Run<byte[]>> start, int items) {
        CRC32C hash = new CRC32C();
        List<Long> order = new ArrayList<>(items);
        long began = System.nanoTime();
        try (Run<byte[]> run = start.get()) {
            for (byte[] bytes : run) {
                hash.update(bytes, 0, Long.BYTES);
                order.add(number(bytes));
            }
            double seconds = (System.nanoTime() - began) / 1e9;
            if (order.size() != items) {
                throw new IllegalStateException(order.size() + " of " + items + " items came");
            }
            return new Result(
                    items / seconds, hash.getValue(), run.stats().budget().peakBytes(), order);
        }
    }

    private static long number(byte[] bytes) {
        long number = 0;
        for (int i = Long.BYTES - 1; i >= 0; i--) {
            number = number << 8 | (bytes[i] & 0xFF);
        }
        return number;
    }

    private static byte[] work(long item, int items) {
        boolean slow = Permutation.of(items, 7, 0).apply(item) % 100 == 0;
        LockSupport.parkNanos((slow ? 100 : 1) * QUICK_NANOS);
        byte[] bytes = new byte[ITEM_BYTES];
        for (int i = 0; i < Long.BYTES; i++) {
            bytes[i] = (byte) (item >> (8 * i));
        }
        return bytes;
    }
}
