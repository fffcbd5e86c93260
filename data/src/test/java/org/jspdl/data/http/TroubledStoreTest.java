package org.jspdl.data.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspdl.data.http.pace.HostPermits;
import org.jspdl.data.storage.Storage;
import org.jspdl.data.storage.StorageOptions;
import org.jspdl.data.storage.StorageStats;
import org.jspdl.data.storage.StoredObject;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Lease;
import org.jspdl.testkit.storage.Faults;
import org.jspdl.testkit.storage.ObjectContent;
import org.jspdl.testkit.storage.ObjectServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Many readers of a store that is in trouble for a while: they lose nothing and end nothing.
class TroubledStoreTest {
    private static final long SEED = 5;
    private static final int BYTES = 4_000_000;
    /// Of a brown-out or a minute of SlowDown: a part of a second unless there is time.
    private static final boolean CAMPAIGN = Boolean.getBoolean("campaign");
    private static final StorageOptions OPTIONS = CAMPAIGN
            ? StorageOptions.defaults()
            : StorageOptions.defaults()
                    .retries(new StorageOptions.Retries(Duration.ofMillis(5), Duration.ofMillis(100), 0.2));

    /// Requests that the store in trouble has to get at least: of each reader its first, and repeated ones.
    private static final long MEANWHILE = 60;

    private final BufferPool pool = BufferPool.create("test", 64 << 20);
    private ObjectServer server;

    @BeforeEach
    void start() throws IOException {
        server = ObjectServer.start(Faults.none());
        server.put("/b/a.bin", ObjectContent.seeded(SEED, BYTES));
    }

    @AfterEach
    void stop() throws IOException {
        pool.close();
        server.close();
    }

    /// What became of reading.
    ///
    /// @param seconds how long the trouble lasted
    private record Through(StorageStats stats, double seconds) {}

    /// Reads by 32 readers, of which the last `after` reads come after the trouble: that lasts for a while from the
    /// moment at which the readers are in it.
    private Through readThrough(Faults trouble, Duration wait, int after) throws Exception {
        server.faults(trouble);
        long begun = System.nanoTime();
        AtomicLong ended = new AtomicLong();
        AtomicLong healed = new AtomicLong(Long.MAX_VALUE);
        AtomicLong reads = new AtomicLong();
        Thread healer = Thread.ofPlatform().start(() -> {
            try {
                while (server.counts().requests() < MEANWHILE) {
                    Thread.onSpinWait();
                }
                Thread.sleep(wait);
            } catch (InterruptedException early) {
                Thread.currentThread().interrupt();
            }
            healed.set(reads.get());
            server.faults(Faults.none());
            ended.set(System.nanoTime());
        });
        try (Storage storage = Storage.open(OPTIONS);
                StoredObject object = storage.object(server.url("/b/a.bin"))) {
            List<ParallelTasks.Task> readers = new ArrayList<>();
            for (int reader = 0; reader < 32; reader++) {
                int own = reader;
                readers.add(() -> {
                    for (int i = 0;
                            reads.getAndIncrement() < Math.min(1_000_000, healed.get()) + after || i == 0;
                            i++) {
                        long offset = (own * 7919L + i * 104_729L) % (BYTES - 1_000);
                        readRight(object, offset);
                    }
                });
            }
            ParallelTasks.run(readers);
            healer.join();
            return new Through(storage.stats(), (ended.get() - begun) / 1e9);
        }
    }

    private void readRight(StoredObject object, long offset) throws IOException {
        try (Lease lease = object.read(offset, 1_000, pool)) {
            for (int i = 0; i < 1_000; i += 37) {
                assertThat(lease.segment().get(ValueLayout.JAVA_BYTE, i))
                        .isEqualTo(ObjectContent.byteAt(SEED, offset + i));
            }
        }
    }

    @Test
    void aBrownOutLosesNothing() throws Exception {
        Through read =
                readThrough(Faults.none().reset(1), CAMPAIGN ? Duration.ofSeconds(30) : Duration.ofMillis(700), 2_000);

        assertThat(read.stats().retries()).isPositive();
    }

    @Test
    void aStoreThatSaysSlowDownIsAskedLessAndLosesNothing() throws Exception {
        Duration trouble = CAMPAIGN ? Duration.ofMinutes(1) : Duration.ofMillis(700);
        Through read = readThrough(Faults.none().unavailable(1, Duration.ZERO), trouble, 2_000);

        assertThat(read.stats().throttled()).isPositive();
        assertThat(read.stats().throttled())
                .as("the first requests, what the budget has, and what time and pauses give")
                .isLessThan((long) (32 + 50 + 11 * (read.seconds() + 1) + 32));
    }

    @Test
    void aStormOfFaultsLosesNothing() throws Exception {
        Faults storm = Faults.none()
                .seed(11)
                .unavailable(0.2, Duration.ZERO)
                .reset(0.1)
                .truncated(0.1)
                .wrongRange(0.1)
                .slow(0.05, 20_000);
        Through read = readThrough(storm, CAMPAIGN ? Duration.ofMinutes(1) : Duration.ofMillis(700), 500);

        assertThat(read.stats().retries()).isPositive();
    }

    @Test
    void slowReadsAreSentASecondTimeAndNeverMoreThanTheirShare() throws Exception {
        int reads = CAMPAIGN ? 20_000 : 1_500;
        server.faults(Faults.latency(Duration.ofMillis(2)).seed(7).tail(0.01, Duration.ofSeconds(10)));
        try (Storage storage = Storage.open(OPTIONS);
                StoredObject object = storage.object(server.url("/b/a.bin"))) {
            // healthy reads first, so that it is known what slow is; one of a hundred stalls from here on
            long[] nanos = new long[reads];
            for (int i = 0; i < reads; i++) {
                long begun = System.nanoTime();
                readRight(object, i * 1_777L % (BYTES - 1_000));
                nanos[i] = System.nanoTime() - begun;
            }
            StorageStats stats = storage.stats();
            Arrays.sort(nanos);
            System.out.printf(
                    "1 %% of reads stalled for 10 s: median %.1f ms, p99 %.1f ms, p99.9 %.1f ms, most %.1f ms; %d of %d"
                            + " sent twice%n",
                    nanos[reads / 2] / 1e6,
                    nanos[(int) (reads * 0.99)] / 1e6,
                    nanos[(int) (reads * 0.999)] / 1e6,
                    nanos[reads - 1] / 1e6,
                    stats.hedged(),
                    reads);
            assertThat(stats.hedged()).isPositive().isLessThanOrEqualTo((long) (0.03 * reads));
            assertThat(stats.requests()).isLessThanOrEqualTo((long) (1.03 * reads));
            assertThat(nanos[(int) (reads * 0.99)])
                    .isLessThan(Duration.ofSeconds(5).toNanos());
        }
    }

    @Test
    @Tag("campaign")
    void stallsOfOnePercentLeaveTheLastPermilleWithinFourTimesTheMedian() throws Exception {
        server.faults(Faults.latency(Duration.ofMillis(50)));
        try (Storage storage = Storage.open(StorageOptions.defaults());
                StoredObject object = storage.object(server.url("/b/a.bin"))) {
            readInParallel(object, 2_000);
            server.faults(Faults.latency(Duration.ofMillis(50)).seed(7).tail(0.01, Duration.ofSeconds(10)));
            long[] nanos = readInParallel(object, 20_000);
            Arrays.sort(nanos);
            System.out.printf(
                    "median %.1f ms, p99.9 %.1f ms, %s%n", nanos[10_000] / 1e6, nanos[19_980] / 1e6, storage.stats());
            assertThat(nanos[19_980]).isLessThan(4 * nanos[10_000]);
        }
    }

    private long[] readInParallel(StoredObject object, int reads) throws IOException {
        long[] nanos = new long[reads];
        List<ParallelTasks.Task> readers = new ArrayList<>();
        for (int reader = 0; reader < 20; reader++) {
            int own = reader;
            readers.add(() -> {
                for (int i = own; i < reads; i += 20) {
                    long begun = System.nanoTime();
                    readRight(object, i * 1_777L % (BYTES - 1_000));
                    nanos[i] = System.nanoTime() - begun;
                }
            });
        }
        ParallelTasks.run(readers);
        return nanos;
    }

    @Test
    void permitsFallWhenAHostHasTooManyRequestsAndComeBack() {
        HostPermits permits = new HostPermits(100);
        for (int i = 0; i < 100; i++) {
            permits.throttled(); // what was sent together counts once
        }
        assertThat(permits.limit()).isBetween(49, 70);
        for (int i = 0; i < 10_000; i++) {
            permits.throttled();
        }
        assertThat(permits.limit()).isEqualTo(1);
        assertThat(permits.availablePermits()).isEqualTo(1);
        for (int i = 0; i < 20_000; i++) {
            permits.answered();
        }
        assertThat(permits.limit()).isEqualTo(100);
        assertThat(permits.availablePermits()).isEqualTo(100);
    }
}
