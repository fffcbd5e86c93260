package org.jspdl.data.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspdl.data.cache.CachedStorage;
import org.jspdl.data.cache.MemoryCache;
import org.jspdl.data.storage.ByteRange;
import org.jspdl.data.storage.Storage;
import org.jspdl.data.storage.StorageException;
import org.jspdl.data.storage.StorageOptions;
import org.jspdl.data.storage.StoredObject;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Lease;
import org.jspdl.testkit.storage.ObjectContent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A server that speaks HTTP and does with every request what it likes: whatever it answers, what was read through one
/// object is of one version of it, byte by byte, or there is an error.
class MisbehavingServerTest {
    private static final int ROUNDS = Boolean.getBoolean("campaign") ? 3_000 : 80;
    private static final int FEWEST_BYTES = 2_000;

    private final BufferPool pool = BufferPool.create("test", 64 << 20);
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private HttpServer server;
    private volatile Misbehavior misbehavior = new Misbehavior(0);

    private enum Fault {
        NONE,
        WHOLE_FOR_A_RANGE,
        ANOTHER_RANGE,
        SHORTER_RANGE,
        LONGER_RANGE,
        SHORT_BODY,
        NO_RANGE_SAID,
        COMPRESSED_IN_TWO_LINES,
        TWO_TAGS,
        NO_CONTENT,
        NOT_MODIFIED,
        EMPTY_HEAD,
        NO_HEAD,
        NO_LENGTH_IN_HEAD,
        REDIRECTED,
        BUSY,
        REPLACED
    }

    /// How one round goes. The versions of the object have other bytes, and sometimes other sizes.
    private static final class Misbehavior {
        final long seed;
        final SplittableRandom random;
        final boolean resizes;
        final int tags;
        int version;

        Misbehavior(long seed) {
            this.seed = seed;
            this.random = new SplittableRandom(seed);
            this.resizes = random.nextBoolean();
            this.tags = random.nextInt(3);
        }

        synchronized Fault next() {
            Fault fault = random.nextInt(3) > 0 ? Fault.NONE : Fault.values()[random.nextInt(Fault.values().length)];
            if (fault == Fault.REPLACED) {
                version++;
            }
            return fault;
        }

        synchronized int version() {
            return version;
        }

        int size(int of) {
            return FEWEST_BYTES + (resizes ? of * 13 : 0);
        }

        byte[] bytes(int of, long first, long end) {
            byte[] bytes = new byte[(int) (end - first)];
            ObjectContent.seeded(seed * 1_000 + of, size(of)).copy(first, bytes);
            return bytes;
        }

        void tag(Headers headers, int of) {
            switch (tags) {
                case 0 -> headers.add("ETag", "\"v" + of + "\"");
                case 1 -> headers.add("ETag", "W/\"v" + of + "\"");
                default -> headers.add("Last-Modified", "Thu, 01 Jan 2026 00:00:" + (10 + of) + " GMT");
            }
        }
    }

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
        threads.close();
        assertThat(pool.outstanding()).isZero();
        pool.close();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            answer(exchange, misbehavior, misbehavior.next());
        } catch (IOException early) {
            // a body that was to end early, or whose reader is gone
        }
    }

    private static void answer(HttpExchange exchange, Misbehavior now, Fault fault) throws IOException {
        int version = now.version();
        int size = now.size(version);
        Headers headers = exchange.getResponseHeaders();
        switch (fault) {
            case BUSY -> exchange.sendResponseHeaders(503, -1);
            case NO_CONTENT -> exchange.sendResponseHeaders(204, -1);
            case NOT_MODIFIED -> exchange.sendResponseHeaders(304, -1);
            case REDIRECTED -> {
                headers.add("Location", "moved" + now.seed);
                exchange.sendResponseHeaders(302, -1);
            }
            default -> {
                now.tag(headers, version);
                if (fault == Fault.TWO_TAGS) {
                    headers.add("ETag", "\"another\"");
                    headers.add("ETag", "\"one\"");
                }
                if (fault == Fault.COMPRESSED_IN_TWO_LINES) {
                    headers.add("Content-Encoding", "gzip");
                    headers.add("Content-Encoding", "identity");
                }
                if (exchange.getRequestMethod().equals("HEAD")) {
                    head(exchange, fault, size);
                } else {
                    body(exchange, now, fault, version);
                }
            }
        }
    }

    private static void head(HttpExchange exchange, Fault fault, int size) throws IOException {
        if (fault == Fault.NO_HEAD) {
            exchange.sendResponseHeaders(405, -1);
            return;
        }
        if (fault != Fault.NO_LENGTH_IN_HEAD) {
            exchange.getResponseHeaders().add("Content-Length", fault == Fault.EMPTY_HEAD ? "0" : "" + size);
        }
        exchange.sendResponseHeaders(200, -1);
    }

    private static void body(HttpExchange exchange, Misbehavior now, Fault fault, int version) throws IOException {
        int size = now.size(version);
        String range = exchange.getRequestHeaders().getFirst("Range");
        long first = 0;
        long end = size;
        if (range != null && fault != Fault.WHOLE_FOR_A_RANGE) {
            String[] bounds = range.substring("bytes=".length()).split("-");
            first = Long.parseLong(bounds[0]);
            end = Math.min(size, Long.parseLong(bounds[1]) + 1);
            if (fault == Fault.ANOTHER_RANGE && first > 0) {
                first--;
                end--;
            }
            if (fault == Fault.SHORTER_RANGE && end - first > 1) {
                end--;
            }
            if (fault == Fault.LONGER_RANGE) {
                end = Math.min(size, end + 1);
            }
            if (fault != Fault.NO_RANGE_SAID) {
                exchange.getResponseHeaders().add("Content-Range", "bytes " + first + "-" + (end - 1) + "/" + size);
            }
        }
        byte[] bytes = now.bytes(version, first, end);
        exchange.sendResponseHeaders(range == null || fault == Fault.WHOLE_FOR_A_RANGE ? 200 : 206, bytes.length);
        exchange.getResponseBody().write(bytes, 0, fault == Fault.SHORT_BODY ? bytes.length / 2 : bytes.length);
    }

    /// What was read through one object so far.
    private final class Reading {
        private final StoredObject object;
        private final SplittableRandom random;
        private final String round;
        private final List<Integer> possible = new ArrayList<>();
        int right;
        int refused;

        Reading(StoredObject object, long seed, String round) {
            this.object = object;
            this.random = new SplittableRandom(~seed);
            this.round = round;
            for (int version = 0; version < 40; version++) {
                possible.add(version);
            }
        }

        void step() throws IOException {
            try {
                long offset = random.nextInt(FEWEST_BYTES - 100);
                switch (random.nextInt(5)) {
                    case 0 -> keep(offset, object.read(offset, 50, pool));
                    case 1 -> {
                        List<Lease> leases =
                                object.read(List.of(new ByteRange(offset, 20), new ByteRange(offset + 60, 40)), pool);
                        keep(offset, leases.get(0));
                        keep(offset + 60, leases.get(1));
                    }
                    case 2 -> keepSize(object.size());
                    case 3 -> {
                        Lease all = object.readAll(pool, 1 << 20);
                        long size = all.byteSize();
                        keep(0, all);
                        keepSize(size);
                    }
                    default -> {
                        byte[] target = new byte[70];
                        object.read(offset, MemorySegment.ofArray(target));
                        keep(offset, target);
                    }
                }
                right++;
            } catch (StorageException answer) {
                refused++;
            }
        }

        private void keep(long offset, Lease lease) {
            try (lease) {
                keep(offset, lease.segment().toArray(ValueLayout.JAVA_BYTE));
            }
        }

        private void keep(long offset, byte[] read) {
            possible.removeIf(version ->
                    !java.util.Arrays.equals(read, misbehavior.bytes(version, offset, offset + read.length)));
            assertThat(possible)
                    .as("%s: the versions that all bytes are of", round)
                    .isNotEmpty();
        }

        private void keepSize(long size) {
            possible.removeIf(version -> misbehavior.size(version) != size);
            assertThat(possible).as("%s: the versions of %s bytes", round, size).isNotEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatIsReadThroughOneObjectIsOfOneVersionOrRefused(boolean cached) throws IOException {
        StorageOptions options = StorageOptions.defaults()
                .readDeadline(Duration.ofSeconds(20))
                .retries(new StorageOptions.Retries(Duration.ofNanos(1), Duration.ofNanos(2), 1));
        int right = 0;
        int refused = 0;
        for (long seed = 0; seed < ROUNDS; seed++) {
            misbehavior = new Misbehavior(seed);
            String url = "http://localhost:" + server.getAddress().getPort() + "/data/object" + seed;
            try (Storage storage = Storage.open(options);
                    MemoryCache cache = MemoryCache.create(1 << 20)) {
                Storage read = cached ? CachedStorage.of(storage, cache) : storage;
                for (int opened = 0; opened < 3; opened++) {
                    try (StoredObject object = read.object(url)) {
                        Reading reading = new Reading(object, seed * 10 + opened, "seed " + seed);
                        for (int i = 0; i < 5; i++) {
                            reading.step();
                        }
                        right += reading.right;
                        refused += reading.refused;
                    }
                }
            }
        }
        assertThat(right).isGreaterThan(ROUNDS * 3);
        assertThat(refused).isGreaterThan(ROUNDS / 10);
    }
}
