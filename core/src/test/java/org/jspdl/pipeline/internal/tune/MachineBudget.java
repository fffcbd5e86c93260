package org.jspdl.pipeline.internal.tune;

import static org.jspdl.pipeline.StageOptions.auto;
import static org.jspdl.pipeline.StageOptions.cpu;
import static org.jspdl.pipeline.StageOptions.io;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Iterator;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Lease;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.Run;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.pipeline.TuningBudget;
import org.jspdl.source.Sources;
import org.jspdl.stats.LinkStats;
import org.jspdl.stats.TuningStep;

/// Whether tuning keeps its budgets on this machine: resident memory of the process and requests under way, looked at
/// each 10 ms, also while items grow and the store gets slower. `benchmarks/tuning budget` starts it, with a heap that
/// is resident from the start. Other programs may run meanwhile: they make looks later, and the file says how late.
final class MachineBudget {
    private static final int MOST_REQUESTS = 48;
    private static final long MB = 1 << 20;
    /// Code that Java makes while it runs.
    private static final long CODE_BYTES = 64 * MB;
    private static final double ROOM = 3;
    private static final double GROWTH = 1.8;
    private static final long BETWEEN_LOOKS = Duration.ofMillis(10).toNanos();
    private static final int PAGE = 4_096;

    private final SplittableRandom random;
    private final long seed;
    private final double tuned;
    private final double changing;
    private final AtomicInteger requests = new AtomicInteger();
    private final int consumerMicros;
    private volatile long itemBytes;
    private volatile long latencyNanos;
    private volatile boolean ended;
    private long looks;
    private long longestGap;
    private long mostBytes;
    private int mostRequests;

    private MachineBudget(long seed, double scale) {
        this.seed = seed;
        this.random = new SplittableRandom(seed);
        this.tuned = 60 * scale;
        this.changing = 20 * scale;
        this.itemBytes = Math.round(SimulatedWork.between(random, 0.25, 4) * MB);
        this.latencyNanos = Math.round(SimulatedWork.between(random, 0.01, 0.08) * 1e9);
        this.consumerMicros = random.nextBoolean() ? 0 : 2_000 + random.nextInt(8_000);
    }

    /// `FILE FIRST-SEED LAST-SEED [SCALE]`.
    public static void main(String[] arguments) throws Exception {
        double scale = arguments.length > 3 ? Double.parseDouble(arguments[3]) : 1;
        for (long seed = Long.parseLong(arguments[1]); seed <= Long.parseLong(arguments[2]); seed++) {
            String line = new MachineBudget(seed, scale).measure();
            System.out.println(line);
            Files.writeString(Path.of(arguments[0]), line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        }
    }

    private static long resident() throws IOException {
        return Long.parseLong(Files.readString(Path.of("/proc/self/statm")).split(" ", 3)[1]) * PAGE;
    }

    private Pipeline<Lease> pipeline(BufferPool pool) {
        return Pipeline.from(Sources.range(Integer.MAX_VALUE))
                .pipe(
                        "fetch",
                        item -> fetch(pool),
                        io(auto().startingAt(4).atMost(MOST_REQUESTS)).buffer(auto()))
                .pipe("use", MachineBudget::touched, cpu(auto()).buffer(auto()));
    }

    private Lease fetch(BufferPool pool) throws InterruptedException {
        int now = requests.incrementAndGet();
        try {
            synchronized (this) {
                mostRequests = Math.max(mostRequests, now);
            }
            Thread.sleep(Duration.ofNanos(latencyNanos));
        } finally {
            requests.decrementAndGet();
        }
        return touched(pool.lease(itemBytes));
    }

    private static Lease touched(Lease lease) {
        lease.segment().fill((byte) 1);
        return lease;
    }

    private String measure() throws Exception {
        try (BufferPool pool = BufferPool.unbounded("budget")) {
            int atFirst;
            try (Run<Lease> run = pipeline(pool).start()) {
                take(run.iterator(), 2);
                atFirst = run.stats().links().stream()
                        .mapToInt(LinkStats::capacity)
                        .sum();
            }
            long limit = Math.round((resident() + CODE_BYTES + ROOM * atFirst * itemBytes) / 0.9);
            Thread sampler = Thread.ofPlatform().start(this::sample);
            String decisions;
            try (Run<Lease> run =
                    pipeline(pool).start(RunOptions.defaults().tuning(TuningBudget.MACHINE.memoryBytes(limit)))) {
                Iterator<Lease> items = run.iterator();
                take(items, tuned);
                latencyNanos *= 2;
                long before = itemBytes;
                for (int step = 1; step <= 20; step++) {
                    itemBytes = Math.round(before * Math.pow(GROWTH, step / 20.0));
                    take(items, changing / 20);
                }
                take(items, changing);
                decisions = String.join(
                        "; ",
                        run.stats().tuning().steps().stream()
                                .map(TuningStep::toString)
                                .toList());
            } finally {
                ended = true;
                sampler.join();
            }
            return String.format(
                    Locale.ROOT,
                    "%d\tof %d MB at most %d MB\t%s\tof %d requests at most %d\tlooks %d, the longest pause %.1f ms\t%s",
                    seed,
                    limit / MB,
                    mostBytes / MB,
                    mostBytes <= limit && mostRequests <= MOST_REQUESTS ? "kept" : "BROKEN",
                    MOST_REQUESTS,
                    mostRequests,
                    looks,
                    longestGap / 1e6,
                    decisions);
        }
    }

    private void take(Iterator<Lease> items, double seconds) {
        long end = System.nanoTime() + Math.round(seconds * 1e9);
        while (System.nanoTime() < end) {
            items.next().close();
            if (consumerMicros > 0) {
                LockSupport.parkNanos(consumerMicros * 1_000L);
            }
        }
    }

    private void sample() {
        long last = System.nanoTime();
        while (!ended) {
            LockSupport.parkNanos(this, BETWEEN_LOOKS);
            try {
                mostBytes = Math.max(mostBytes, resident());
            } catch (IOException unreadable) {
                throw new IllegalStateException("/proc/self/statm cannot be read", unreadable);
            }
            long now = System.nanoTime();
            longestGap = Math.max(longestGap, now - last);
            last = now;
            looks++;
        }
    }
}
