package org.jspdl.observe.faults;

import static java.util.Objects.requireNonNull;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.jspdl.observe.Pauses;
import org.jspdl.observe.Report;
import org.jspdl.observe.Watch;
import org.jspdl.pipeline.ByteBudget;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.Remainder;
import org.jspdl.pipeline.Run;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.pipeline.StageOptions;
import org.jspdl.stats.PipelineStats;
import org.jspecify.annotations.Nullable;

/// Runs the pipeline of a case for a while, as it is or with its remedy.
final class FaultyRun implements AutoCloseable {
    private static final int ITEM_BYTES = 1_000;
    private static final int LIVE_BLOCKS = 300;
    private static final int BLOCK = 100_000;

    private final FaultCase fault;
    private final boolean remedied;
    private final List<Closeable> open = new ArrayList<>();
    private final @Nullable SlowDisk disk;
    private final @Nullable LimitedStore store;
    private final byte[][] live = new byte[LIVE_BLOCKS][];
    private final AtomicLong allocated = new AtomicLong();

    FaultyRun(FaultCase fault, boolean remedied, Path folder) throws Exception {
        this.fault = fault;
        this.remedied = remedied;
        double speed = 1e6 / fault.strength() * (remedied ? 2 : 1);
        disk = fault.fault() == Fault.THROTTLED_DISK ? SlowDisk.open(folder, speed * BLOCK) : null;
        store = fault.fault() == Fault.LIMITED_STORE ? LimitedStore.open(speed) : null;
        if (disk != null) {
            open.add(disk);
        }
        if (store != null) {
            open.add(store);
        }
        if (fault.fault() == Fault.BUSY_MACHINE && !remedied) {
            open.add(Hogs.start(3));
        }
    }

    /// Runs for `time` and reports.
    Report run(Duration time) throws Exception {
        Watch watch = Watch.every(Duration.ofMillis(50));
        RunOptions options = RunOptions.defaults();
        if (fault.fault() == Fault.LITTLE_MEMORY && !remedied) {
            options = options.byteBudget(new ByteBudget((long) ITEM_BYTES * Math.max(2, fault.batch()), ITEM_BYTES));
        }
        long end = System.nanoTime() + time.toNanos();
        PipelineStats last;
        try (Run<List<Object>> run = pipeline().start(watch.on(options))) {
            Iterator<List<Object>> items = run.iterator();
            int consumer = fault.fault() == Fault.SLOW_CONSUMER
                    ? fault.batch() * fault.strength() / (remedied ? 2 : 1)
                    : fault.consumer();
            while (System.nanoTime() < end && items.hasNext()) {
                items.next();
                pause(consumer);
            }
            last = run.stats();
        }
        return watch.report(last);
    }

    private Pipeline<List<Object>> pipeline() {
        Pipeline<Object> pipeline = Pipeline.from(this::items).map(item -> (Object) item);
        if (fault.fault() == Fault.LITTLE_MEMORY) {
            pipeline = pipeline.weigh(item -> ITEM_BYTES);
        }
        @Nullable Pipeline<List<Object>> batched = null;
        for (int i = 1; i < fault.stages().size(); i++) {
            FaultCase.Setting setting = fault.stages().get(i);
            int number = i;
            if (batched == null) {
                pipeline = pipeline.pipe(setting.name(), item -> work(number, item), options(number));
                if (i == fault.batchAfter()) {
                    batched = pipeline.batch(fault.batch(), Remainder.KEEP);
                }
            } else {
                batched = batched.pipe(setting.name(), items -> workAll(number, items), options(number));
            }
        }
        return requireNonNull(batched).named("case").prefetch(fault.sink() + (roomier() ? 32 : 0));
    }

    private boolean roomier() {
        return fault.fault() == Fault.TINY_QUEUES && remedied;
    }

    private Iterator<Long> items() {
        return new Iterator<>() {
            private long next;

            @Override
            public boolean hasNext() {
                return true;
            }

            @Override
            public Long next() {
                if (fault.fault() == Fault.SLOW_SOURCE) {
                    pause(remedied ? fault.strength() / 2 : fault.strength());
                }
                return next++;
            }
        };
    }

    private StageOptions options(int number) {
        FaultCase.Setting setting = fault.stages().get(number);
        int slots =
                setting.slots() + (remedied && number == fault.faulty() && fault.fault() == Fault.FEW_SLOTS ? 1 : 0);
        StageOptions options = setting.computes() ? StageOptions.cpu(slots) : StageOptions.io(slots);
        options = options.buffer(setting.buffer() + (roomier() ? 32 : 0));
        return setting.ordered() ? options.inputOrder() : options;
    }

    private List<Object> workAll(int number, List<Object> items) throws Exception {
        for (Object item : items) {
            work(number, item);
        }
        return items;
    }

    private Object work(int number, Object item) throws Exception {
        FaultCase.Setting setting = fault.stages().get(number);
        boolean faulty = number == fault.faulty();
        SplittableRandom random = new SplittableRandom(((Long) item) * 31 + number);
        switch (fault.fault()) {
            case THROTTLED_DISK -> {
                if (faulty) {
                    requireNonNull(disk).read(BLOCK / 2 + random.nextInt(BLOCK));
                    return item;
                }
            }
            case LIMITED_STORE -> {
                if (faulty) {
                    requireNonNull(store).get();
                    return item;
                }
            }
            case LONG_TAIL -> {
                if (faulty) {
                    boolean slow = random.nextInt(33) == 0 && !remedied;
                    pause(slow ? 25 * setting.micros() : setting.micros() / 3);
                    return item;
                }
            }
            case TINY_QUEUES -> {
                pause(random.nextInt(4) == 0 ? 3 * setting.micros() : setting.micros() / 3);
                return item;
            }
            case GARBAGE -> {
                if (faulty) {
                    allocate();
                }
            }
            default -> {}
        }
        boolean halved = faulty
                && remedied
                && fault.fault().remedy() == org.jspdl.observe.diagnosis.Remedy.Kind.FASTER_STAGE
                && fault.fault() != Fault.SLOW_SOURCE;
        int micros = halved ? setting.micros() / 2 : setting.micros();
        if (setting.computes()) {
            compute(micros);
        } else {
            pause((int) (micros * (0.7 + 0.6 * random.nextDouble())));
        }
        return item;
    }

    /// Fills the heap with what lives for a while, so that collections have much to copy.
    private void allocate() {
        for (int i = 0; i < 20; i++) {
            live[(int) (allocated.getAndIncrement() % LIVE_BLOCKS)] = new byte[BLOCK];
        }
    }

    private static void pause(int micros) {
        Pauses.micros(micros);
    }

    /// Work that takes so long on a processor of its own, and as much longer as it has to share it.
    private static void compute(int micros) {
        double sum = 0;
        long rounds = (long) (micros * Calibration.ROUNDS_PER_MICRO);
        for (long i = 0; i < rounds; i++) {
            sum += Math.sqrt(i + sum);
        }
        if (sum == 42) {
            throw new IllegalStateException();
        }
    }

    @Override
    public void close() throws IOException {
        for (Closeable each : open.reversed()) {
            each.close();
        }
    }
}
