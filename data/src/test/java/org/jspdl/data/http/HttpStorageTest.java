package org.jspdl.data.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspdl.data.storage.ByteRange;
import org.jspdl.data.storage.Storage;
import org.jspdl.data.storage.StorageException;
import org.jspdl.data.storage.StorageException.Kind;
import org.jspdl.data.storage.StorageOptions;
import org.jspdl.data.storage.StoredObject;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Lease;
import org.jspdl.testkit.storage.Faults;
import org.jspdl.testkit.storage.ObjectContent;
import org.jspdl.testkit.storage.ObjectServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HttpStorageTest {
    private static final long SEED = 11;
    /// No test waits for it, so that it holds on slow machines.
    private static final StorageOptions PATIENT = StorageOptions.defaults().readDeadline(Duration.ofMinutes(3));

    private ObjectServer server;
    private BufferPool pool;

    @BeforeEach
    void start() throws IOException {
        server = ObjectServer.start(Faults.none());
        server.put("/b/a b.bin", ObjectContent.seeded(SEED, 1_000_000));
        server.put("/b/empty", ObjectContent.of(new byte[0]));
        pool = BufferPool.create("test", 64 << 20);
    }

    @AfterEach
    void stop() throws IOException {
        pool.close();
        server.close();
    }

    private static boolean isRight(Lease lease, long offset) {
        try (lease) {
            MemorySegment segment = lease.segment();
            for (long i = 0; i < segment.byteSize(); i++) {
                if (segment.get(ValueLayout.JAVA_BYTE, i) != ObjectContent.byteAt(SEED, offset + i)) {
                    return false;
                }
            }
            return true;
        }
    }

    /// Has what a first read needs loaded and connected, so that a deadline is about the server.
    private void readOnce() throws IOException {
        try (Storage storage = Storage.open(PATIENT);
                StoredObject object = storage.object(server.url("/b/a b.bin"))) {
            assertThat(isRight(object.read(0, 10, pool), 0)).isTrue();
        }
    }

    private static void assertFails(Callable<?> call, Kind kind, String text) {
        assertThatThrownBy(call::call)
                .isInstanceOfSatisfying(
                        StorageException.class,
                        failure -> assertThat(failure.kind()).isEqualTo(kind))
                .hasMessageContaining(text);
    }

    @Test
    void aWholeObjectTakesOneRequest() throws IOException {
        try (Storage storage = Storage.open(PATIENT);
                StoredObject object = storage.object(server.url("/b/a b.bin"))) {
            assertThat(isRight(object.readAll(pool, 1 << 20), 0)).isTrue();
            assertThat(object.size()).isEqualTo(1_000_000);
            assertThat(object.version()).startsWith("\"");
            assertThat(server.counts().requests()).isEqualTo(1);
            assertThat(storage.stats().bytes()).isEqualTo(1_000_000);
        }
    }

    @Test
    void rangesOfEverySizeArriveOnOneConnection() throws IOException {
        try (Storage storage = Storage.open(PATIENT);
                StoredObject object = storage.object(server.url("/b/a b.bin"))) {
            for (int length : new int[] {1, 2, 200, 1_023, 1_024, 1_300, 16_384, 16_385, 100_000, 500_000}) {
                assertThat(isRight(object.read(12_345, length, pool), 12_345)).isTrue();
            }
            assertThat(server.counts().connections()).isEqualTo(1);
            assertThat(server.counts().requests()).isEqualTo(10);
        }
    }

    @Test
    void neighboringRangesShareARequestAndDistantOnesDoNot() throws IOException {
        List<ByteRange> ranges = List.of(
                new ByteRange(900_000, 10_000),
                new ByteRange(1_000, 50),
                new ByteRange(60_000, 3_000),
                new ByteRange(2_000, 7_000),
                new ByteRange(905_000, 10));
        try (Storage storage = Storage.open(PATIENT);
                StoredObject object = storage.object(server.url("/b/a b.bin"))) {
            List<Lease> leases = object.read(ranges, pool);

            for (int i = 0; i < ranges.size(); i++) {
                assertThat(isRight(leases.get(i), ranges.get(i).offset())).isTrue();
            }
            assertThat(server.counts().requests()).isEqualTo(3);
        }
    }

    @Test
    void aLongReadIsSplit() throws IOException {
        try (Storage storage = Storage.open(PATIENT.largestRequestBytes(100_000));
                StoredObject object = storage.object(server.url("/b/a b.bin"))) {
            assertThat(isRight(object.read(5, 950_000, pool), 5)).isTrue();
            assertThat(server.counts().requests()).isEqualTo(10);
        }
    }

    @Test
    void saysWhatIsWrong() throws IOException {
        try (Storage storage = Storage.open(PATIENT);
                StoredObject object = storage.object(server.url("/b/a b.bin"));
                StoredObject none = storage.object(server.url("/b/none") + "?signature=secret");
                StoredObject empty = storage.object(server.url("/b/empty"))) {
            assertFails(() -> none.readAll(pool, 10), Kind.MISSING, "/b/none?...: the server said 404 (NoSuchKey)");
            assertFails(none::size, Kind.MISSING, "no such object");
            assertFails(() -> object.readAll(pool, 10), Kind.RANGE, "1,000,000 bytes, more than the 10 allowed");
            assertFails(() -> empty.readAll(pool, 10), Kind.RANGE, "is empty");
            assertFails(() -> object.read(1_000_000, 5, pool), Kind.RANGE, "416");
            assertFails(
                    () -> object.read(999_999, 5, pool), Kind.RANGE, "cannot read 5 bytes at 999,999, it has 1,000");
            assertFails(() -> storage.list(server.url("/b")), Kind.UNSUPPORTED, "list nothing");
            assertFails(() -> storage.object("http:///x"), Kind.UNSUPPORTED, "no address");
            assertThatThrownBy(() -> none.readAll(pool, 10)).hasMessageNotContaining("secret");
            assertThat(pool.outstanding()).isZero();
            assertThat(storage.stats().retries()).isZero();
        }
    }

    @Test
    void aServerWithoutRangesIsRefusedForRangesOnly() throws IOException {
        server.ignoreRanges();
        try (Storage storage = Storage.open(PATIENT);
                StoredObject object = storage.object(server.url("/b/a b.bin"))) {
            assertFails(() -> object.read(5, 10, pool), Kind.UNSUPPORTED, "sends the whole object");
            assertThat(isRight(object.readAll(pool, 1 << 20), 0)).isTrue();
            assertThat(isRight(object.read(0, 1_000_000, pool), 0)).isTrue();
        }
    }

    @Test
    void anObjectThatIsReplacedWhileItIsOpenIsNoticed() throws IOException {
        try (Storage storage = Storage.open(PATIENT);
                StoredObject object = storage.object(server.url("/b/a b.bin"))) {
            assertThat(isRight(object.read(0, 10, pool), 0)).isTrue();
            server.put("/b/a b.bin", ObjectContent.seeded(SEED + 1, 1_000_000));

            assertFails(() -> object.read(0, 10, pool), Kind.CHANGED, "replaced while it was read");
        }
    }

    @Test
    void everyFaultIsSurvived() throws Exception {
        List<Faults> storms = List.of(
                Faults.none().unavailable(0.3, Duration.ZERO).seed(5),
                Faults.none().reset(0.3).seed(6),
                Faults.none().truncated(0.3).seed(7),
                Faults.none().wrongRange(0.3).seed(8));
        for (Faults storm : storms) {
            server.faults(storm);
            try (Storage storage = Storage.open(PATIENT);
                    StoredObject object = storage.object(server.url("/b/a b.bin"))) {
                List<ParallelTasks.Task> reads = new ArrayList<>();
                for (int i = 0; i < 60; i++) {
                    long offset = i * 10_000L;
                    reads.add(() -> assertThat(isRight(object.read(offset, 9_000, pool), offset))
                            .isTrue());
                }
                reads.add(() ->
                        assertThat(isRight(object.readAll(pool, 1 << 20), 0)).isTrue());

                ParallelTasks.run(reads);

                assertThat(storage.stats().retries()).isPositive();
            }
        }
    }

    @Test
    void theServerIsNotAskedBeforeItWantsToBe() throws IOException {
        server.faults(Faults.none().unavailable(1, Duration.ofHours(1)));
        try (Storage storage = Storage.open(PATIENT);
                StoredObject object = storage.object(server.url("/b/a b.bin"))) {
            assertFails(
                    () -> object.read(0, 10, pool),
                    Kind.UNAVAILABLE,
                    "gave up after 1 attempt within 180000 ms: the server said 503 (SlowDown)");
            assertThat(server.counts().requests()).isEqualTo(1);
            assertThat(storage.stats().throttled()).isEqualTo(1);
        }
    }

    @Test
    void theRetryBudgetBoundsWhatAStorageInTroubleIsAsked() throws Exception {
        readOnce();
        try (Storage storage = Storage.open(PATIENT.readDeadline(Duration.ofSeconds(4)));
                StoredObject object = storage.object(server.url("/b/a b.bin"))) {
            server.faults(Faults.none().unavailable(1, Duration.ZERO));
            List<ParallelTasks.Task> reads = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                reads.add(() -> assertFails(() -> object.read(0, 10, pool), Kind.UNAVAILABLE, "gave up after "));
            }
            long begun = System.nanoTime();
            ParallelTasks.run(reads);
            double seconds = (System.nanoTime() - begun) / 1e9;

            // a first request for each, a reserve of 50 and 41 that they earned, 10 for each second;
            // without a budget each read would ask six times in its four seconds
            assertThat(server.counts().requests()).isGreaterThan(50).isLessThanOrEqualTo((long) (292 + 10 * seconds));
        }
    }

    @Test
    void aReadThatTakesTooLongIsGivenUp() throws IOException {
        readOnce();
        try (Storage storage = Storage.open(PATIENT.readDeadline(Duration.ofSeconds(1)));
                StoredObject object = storage.object(server.url("/b/a b.bin"))) {
            server.faults(Faults.latency(Duration.ofSeconds(30)));
            assertFails(() -> object.read(0, 10, pool), Kind.UNAVAILABLE, "in time");
        }
    }

    @Test
    void aBodyThatDripsIsGivenUp() throws IOException {
        readOnce();
        try (Storage storage = Storage.open(PATIENT.readDeadline(Duration.ofSeconds(1)));
                StoredObject object = storage.object(server.url("/b/a b.bin"))) {
            server.faults(Faults.none().slow(1, 1_000));
            assertFails(() -> object.readAll(pool, 1 << 20), Kind.UNAVAILABLE, "in time");
            assertThat(pool.outstanding()).isZero();
        }
    }

    @Test
    void anInterruptedReadEndsAtOnce() throws Exception {
        server.faults(Faults.latency(Duration.ofSeconds(30)));
        try (Storage storage = Storage.open(PATIENT);
                StoredObject object = storage.object(server.url("/b/a b.bin"))) {
            CountDownLatch ended = new CountDownLatch(1);
            Thread reader = Thread.ofVirtual().start(() -> {
                assertThatThrownBy(() -> object.read(0, 10, pool)).isInstanceOf(InterruptedIOException.class);
                ended.countDown();
            });
            while (server.counts().requests() == 0) {
                Thread.onSpinWait();
            }
            reader.interrupt();

            assertThat(ended.await(100, java.util.concurrent.TimeUnit.SECONDS)).isTrue();
            assertThat(pool.outstanding()).isZero();
        }
    }

    @Test
    void closingTheStorageEndsItsReads() throws Exception {
        server.faults(Faults.latency(Duration.ofMinutes(3)));
        CountDownLatch ended = new CountDownLatch(1);
        try (Storage storage = Storage.open(PATIENT);
                StoredObject object = storage.object(server.url("/b/a b.bin"))) {
            Thread.ofVirtual().start(() -> {
                assertThatThrownBy(() -> object.read(0, 10, pool)).isInstanceOf(StorageException.class);
                ended.countDown();
            });
            while (server.counts().requests() == 0) {
                Thread.onSpinWait();
            }
        }
        assertThat(ended.await(100, java.util.concurrent.TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void requestsToOneHostAreLimited() throws Exception {
        server.faults(Faults.latency(Duration.ofMillis(50)));
        try (Storage storage = Storage.open(PATIENT.requestsPerHost(3));
                StoredObject object = storage.object(server.url("/b/a b.bin"))) {
            List<ParallelTasks.Task> reads = new ArrayList<>();
            for (int i = 0; i < 30; i++) {
                reads.add(() -> object.read(5, 10, pool).close());
            }
            ParallelTasks.run(reads);

            assertThat(server.counts().mostInFlight()).isEqualTo(3);
            assertThat(server.counts().connections()).isEqualTo(3);
        }
    }

    @Test
    void aConnectionThatTheServerClosedMeanwhileCostsNothing() throws Exception {
        try (Storage storage = Storage.open(PATIENT);
                StoredObject object = storage.object(server.url("/b/a b.bin"))) {
            assertThat(isRight(object.read(0, 10, pool), 0)).isTrue();
            server.dropConnections();

            assertThat(isRight(object.read(10, 10, pool), 10)).isTrue();
            assertThat(storage.stats().retries()).isZero();
        }
    }
}
