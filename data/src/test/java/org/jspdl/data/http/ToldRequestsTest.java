package org.jspdl.data.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.SSLSocketFactory;
import org.jspdl.data.storage.Storage;
import org.jspdl.data.storage.StorageException;
import org.jspdl.data.storage.StorageOptions;
import org.jspdl.data.storage.StoredObject;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Lease;
import org.jspdl.stats.RemoteRequest;
import org.jspdl.testkit.storage.Faults;
import org.jspdl.testkit.storage.ObjectContent;
import org.jspdl.testkit.storage.ObjectServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What is told of each request to another machine.
class ToldRequestsTest {
    private final List<RemoteRequest> told = new CopyOnWriteArrayList<>();
    private final BufferPool pool = BufferPool.create("test", 64 << 20);
    private ObjectServer server;

    @BeforeEach
    void start() throws IOException {
        server = ObjectServer.start(Faults.none());
        server.put("/b/a.bin", ObjectContent.seeded(3, 1_000_000));
    }

    @AfterEach
    void stop() throws IOException {
        pool.close();
        server.close();
    }

    private static StorageOptions options(List<RemoteRequest> told) {
        return StorageOptions.defaults().withoutHedging().requests(told::add);
    }

    /// Storage whose pauses take no time, and at which trouble ends after the first.
    private HttpStorage healing() {
        StorageOptions options = options(told);
        SkippingClock clock = new SkippingClock(_ -> server.faults(Faults.none()));
        ConnectionPool connections = new ConnectionPool(
                options,
                (SSLSocketFactory) SSLSocketFactory.getDefault(),
                new ProxySettings(Map.of()),
                NameLookups.ofSystem());
        return new HttpStorage(new RangeClient(options, Authorizer.anonymous(), connections, clock));
    }

    @Test
    void aRequestIsToldWithItsRangeItsThreadAndItsTimes() throws IOException {
        long before = System.nanoTime();
        try (Storage storage = Storage.open(options(told));
                StoredObject object = storage.object(server.url("/b/a.bin"));
                Lease lease = object.read(500, 100, pool)) {
            assertThat(lease.byteSize()).isEqualTo(100);
        }

        assertThat(told).singleElement().satisfies(request -> {
            assertThat(request.what()).isEqualTo("GET bytes 500-599");
            assertThat(request.location()).isEqualTo(server.url("/b/a.bin"));
            assertThat(request.thread()).isEqualTo(Thread.currentThread().threadId());
            assertThat(request.attempts()).isEqualTo(1);
            assertThat(request.start()).isBetween(before, request.end());
            assertThat(request.queued()).isPositive().isLessThanOrEqualTo(request.took());
            assertThat(request.trouble()).isEmpty();
        });
    }

    @Test
    void aRepeatedRequestIsToldOnceWithItsAttemptsAndWhatWasWrong() throws IOException {
        server.faults(Faults.none().unavailable(1, Duration.ZERO));
        try (Storage storage = healing();
                StoredObject object = storage.object(server.url("/b/a.bin"));
                Lease lease = object.readAll(pool, 1 << 20)) {
            assertThat(lease.byteSize()).isEqualTo(1_000_000);
        }

        assertThat(told).singleElement().satisfies(request -> {
            assertThat(request.what()).isEqualTo("GET");
            assertThat(request.attempts()).isEqualTo(2);
            assertThat(request.trouble()).contains("503");
            assertThat(request).asString().contains("2 attempts, ", " between them, ", "503");
        });
    }

    @Test
    void aRequestThatFailedIsToldAndSecretsOfItsAddressAreNot() {
        try (Storage storage = Storage.open(options(told));
                StoredObject object = storage.object(server.url("/b/none.bin") + "?sig=hidden")) {
            assertThatThrownBy(() -> object.readAll(pool, 1 << 20)).isInstanceOf(StorageException.class);
        } catch (IOException unexpected) {
            throw new AssertionError(unexpected);
        }

        assertThat(told).singleElement().satisfies(request -> {
            assertThat(request.trouble()).isNotEmpty();
            assertThat(request.location()).endsWith("/b/none.bin?...");
            assertThat(request.toString()).doesNotContain("hidden");
        });
    }
}
