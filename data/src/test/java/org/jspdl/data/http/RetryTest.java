package org.jspdl.data.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import javax.net.ssl.SSLSocketFactory;
import org.jspdl.data.http.pace.Backoff;
import org.jspdl.data.http.pace.RetryClock;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// How long a storage in trouble is asked again, with pauses that take no time.
class RetryTest {
    private static final long SEED = 3;
    private static final Duration DEADLINE = Duration.ofSeconds(60);

    private final BufferPool pool = BufferPool.create("test", 64 << 20);
    private ObjectServer server;

    @BeforeEach
    void start() throws IOException {
        server = ObjectServer.start(Faults.none());
        server.put("/b/a.bin", ObjectContent.seeded(SEED, 1_000_000));
    }

    @AfterEach
    void stop() throws IOException {
        pool.close();
        server.close();
    }

    @Test
    void aRequestThatWasSignedForAnotherRegionNamesTheBucketsRegion() {
        UnexpectedResponseException wrong = UnexpectedResponseException.of(
                400,
                "<Error><Code>AuthorizationHeaderMalformed</Code><Region>eu-west-1</Region></Error>",
                "",
                Duration.ZERO);

        assertThat(wrong.isRetryable()).isFalse();
        assertThat(wrong.reason()).endsWith("another region than the bucket's; set AWS_REGION to eu-west-1");
    }

    private static HttpStorage storage(RetryClock clock) {
        return storage(clock, DEADLINE);
    }

    private static HttpStorage storage(RetryClock clock, Duration deadline) {
        StorageOptions options = StorageOptions.defaults().readDeadline(deadline);
        ConnectionPool connections = new ConnectionPool(
                options,
                (SSLSocketFactory) SSLSocketFactory.getDefault(),
                new ProxySettings(Map.of()),
                NameLookups.ofSystem());
        return new HttpStorage(new RangeClient(options, Authorizer.anonymous(), connections, clock));
    }

    private SkippingClock healedAfter(Duration trouble) {
        LongConsumer heal = skipped -> {
            if (skipped >= trouble.toNanos()) {
                server.faults(Faults.none());
            }
        };
        return new SkippingClock(heal);
    }

    private static void assertFails(Callable<?> call, Kind kind, String text) {
        assertThatThrownBy(call::call)
                .isInstanceOfSatisfying(
                        StorageException.class,
                        failure -> assertThat(failure.kind()).isEqualTo(kind))
                .hasMessageContaining(text);
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 10, 30})
    void aStoreThatPausesIsWaitedFor(int seconds) throws IOException {
        List<Faults> troubles = List.of(
                Faults.none().unavailable(1, Duration.ZERO),
                Faults.none().reset(1),
                Faults.none().wrongRange(1));
        for (Faults trouble : troubles) {
            server.faults(trouble);
            try (HttpStorage storage = storage(healedAfter(Duration.ofSeconds(seconds)));
                    StoredObject object = storage.object(server.url("/b/a.bin"));
                    Lease lease = object.read(500_000, 1_000, pool)) {
                MemorySegment bytes = lease.segment();
                for (int i = 0; i < 1_000; i++) {
                    assertThat(bytes.get(ValueLayout.JAVA_BYTE, i)).isEqualTo(ObjectContent.byteAt(SEED, 500_000 + i));
                }
            }
        }
    }

    @Test
    void theDeadlineDecidesWhenAStoreIsGivenUp() throws IOException {
        server.faults(Faults.none().unavailable(1, Duration.ZERO));
        SkippingClock clock = new SkippingClock(_ -> {});
        try (HttpStorage storage = storage(clock);
                StoredObject object = storage.object(server.url("/b/a.bin"))) {
            assertFails(() -> object.read(0, 10, pool), Kind.UNAVAILABLE, "within 60000 ms: the server said 503");

            assertThat(Duration.ofNanos(clock.skipped())).isBetween(DEADLINE.minusSeconds(10), DEADLINE);
            assertThat(server.counts().requests()).isBetween(8L, 60L);
        }
    }

    @Test
    void theAnswerBeforeALastAttemptThatWasCutShortIsTold() throws IOException {
        server.faults(Faults.none().unavailable(1, Duration.ZERO));
        RetryClock clock = new RetryClock() {
            @Override
            public long nanos() {
                return System.nanoTime();
            }

            @Override
            public void pause(long nanos, BooleanSupplier cut) {
                server.faults(Faults.latency(DEADLINE));
            }
        };
        try (HttpStorage storage = storage(clock, Duration.ofSeconds(8));
                StoredObject object = storage.object(server.url("/b/a.bin"))) {
            assertFails(() -> object.read(0, 10, pool), Kind.UNAVAILABLE, "within 8000 ms: the server said 503");
        }
    }

    @Test
    void aHostThatWasNeverThereIsGivenUpSoonerThanOneThatIsAway() throws IOException {
        String address = server.url("/b/a.bin");
        SkippingClock never = new SkippingClock(_ -> {});
        SkippingClock away = new SkippingClock(_ -> {});
        try (HttpStorage stranger = storage(never);
                HttpStorage known = storage(away)) {
            try (StoredObject object = known.object(address)) {
                object.read(0, 10, pool).close();
                server.close();
                assertFails(() -> object.read(0, 10, pool), Kind.UNAVAILABLE, "within 60000 ms: ");
            }
            StoredObject none = stranger.object(address);
            assertFails(() -> none.read(0, 10, pool), Kind.UNAVAILABLE, "within 20000 ms: Connection refused");
            none.close();
        }
        assertThat(Duration.ofNanos(never.skipped())).isLessThan(Duration.ofSeconds(20));
        assertThat(Duration.ofNanos(away.skipped())).isGreaterThan(DEADLINE.minusSeconds(10));
    }

    @Test
    void aBrokenReadGoesOnWhereItWas() throws IOException {
        server.faults(Faults.none().truncated(1));
        try (HttpStorage storage = storage(new SkippingClock(_ -> {}));
                StoredObject object = storage.object(server.url("/b/a.bin"))) {
            assertFails(() -> object.readAll(pool, 1 << 20), Kind.UNAVAILABLE, "gave up after ");
            // halves of halves: nothing was fetched twice
            assertThat(storage.stats().bytes()).isBetween(900_000L, 1_000_000L);
            assertThat(storage.stats().damaged()).isGreaterThan(6);
            assertThat(pool.outstanding()).isZero();
        }
    }

    @Test
    void whatNoRetryCanHelpFailsAtOnce() throws IOException {
        SkippingClock clock = new SkippingClock(_ -> {});
        try (HttpStorage storage = storage(clock);
                StoredObject none = storage.object(server.url("/b/none"))) {
            assertFails(() -> none.readAll(pool, 10), Kind.MISSING, "404");
            assertThat(server.counts().requests()).isEqualTo(1);
            server.requireCredentials("somebody", "");
            assertFails(() -> none.readAll(pool, 10), Kind.DENIED, "403");
            assertThat(server.counts().requests()).isEqualTo(2);
            for (String scheme : List.of("http", "https")) {
                try (StoredObject object = storage.object(scheme + "://nowhere.invalid/a.bin")) {
                    assertFails(() -> object.read(0, 10, pool), Kind.UNAVAILABLE, ": unknown host nowhere.invalid");
                }
            }
            assertThat(storage.stats().retries()).isZero();
            assertThat(clock.skipped()).isZero();
        }
    }

    @Test
    void whatAServerAsksForIsUnderstoodHoweverLargeItIs() {
        Instant now = Instant.parse("2026-01-01T00:00:00Z");
        assertThat(Backoff.retryAfter("7", "", now)).isEqualTo(Duration.ofSeconds(7));
        assertThat(Backoff.retryAfter("Thu, 01 Jan 2026 00:00:09 GMT", "", now)).isEqualTo(Duration.ofSeconds(9));
        // a clock that is an hour late would have it wait beyond every deadline
        assertThat(Backoff.retryAfter("Thu, 01 Jan 2026 01:00:09 GMT", "Thu, 01 Jan 2026 01:00:04 GMT", now))
                .isEqualTo(Duration.ofSeconds(5));
        assertThat(Backoff.retryAfter("Thu, 01 Jan 2026 00:00:09 GMT", "today", now))
                .isEqualTo(Duration.ofSeconds(9));
        for (String absurd : List.of("99999999999999", "9223372036854775807", "Fri, 31 Dec 9999 23:59:59 GMT")) {
            assertThat(Backoff.nanos(StorageOptions.defaults().retries(), 1, Backoff.retryAfter(absurd, "", now), 1))
                    .isGreaterThan(DEADLINE.toNanos());
        }
        for (String none : List.of("", "-5", "soon", "99999999999999999999999", "Thu, 01 Jan 2020 00:00:00 GMT")) {
            assertThat(Backoff.retryAfter(none, "", now)).isEqualTo(Duration.ZERO);
        }
    }

    @Test
    void waitsEndBeforeTheDeadline() {
        for (int retry = 1; retry < 40; retry++) {
            assertThat(Backoff.nanos(StorageOptions.defaults().retries(), retry, Duration.ZERO, 1_000))
                    .isBetween(0L, 999L);
            assertThat(Backoff.nanos(StorageOptions.defaults().retries(), retry, Duration.ZERO, -5))
                    .isZero();
        }
    }
}
