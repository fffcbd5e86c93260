package org.jspdl.data.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.SplittableRandom;
import org.jspdl.data.storage.Storage;
import org.jspdl.data.storage.StorageException;
import org.jspdl.data.storage.StorageOptions;
import org.jspdl.data.storage.StoredObject;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Lease;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Objects of which a server tells the end, but not before how large they are.
class UnknownLengthTest {
    private static final String CHUNKED = "Transfer-Encoding: chunked\r\n";

    private final BufferPool pool = BufferPool.create("test", 64 << 20);
    private RawServer server;
    private Storage storage;

    @BeforeEach
    void start() throws IOException {
        server = new RawServer();
        storage = Storage.open(StorageOptions.defaults()
                .readDeadline(Duration.ofSeconds(20))
                .retries(new StorageOptions.Retries(Duration.ofMillis(1), Duration.ofMillis(10), 1)));
    }

    @AfterEach
    void stop() throws IOException {
        storage.close();
        assertThat(pool.outstanding()).isZero();
        pool.close();
        server.close();
    }

    private void answer(String headers, String body, boolean closes) {
        server.put("/a", new RawServer.Response("HTTP/1.1 200 OK\r\n" + headers + "\r\n" + body, "", closes));
    }

    private static byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        new SplittableRandom(count).nextBytes(bytes);
        return bytes;
    }

    private static String chunks(byte[] content, int size) {
        StringBuilder body = new StringBuilder();
        for (int at = 0; at < content.length; at += size) {
            int length = Math.min(size, content.length - at);
            body.append(Integer.toHexString(length)).append("\r\n");
            body.append(new String(content, at, length, StandardCharsets.ISO_8859_1))
                    .append("\r\n");
        }
        return body + "0\r\n\r\n";
    }

    private void assertRead(byte[] content, long limit) throws IOException {
        try (StoredObject object = storage.object(server.url("/a"));
                Lease lease = object.readAll(pool, limit)) {
            assertThat(lease.segment().mismatch(MemorySegment.ofArray(content))).isEqualTo(-1);
            assertThat(object.size()).isEqualTo(content.length);
        }
    }

    private void assertRefused(long limit, String message) {
        assertThatThrownBy(() -> {
                    try (StoredObject object = storage.object(server.url("/a"))) {
                        object.readAll(pool, limit).close();
                    }
                })
                .isInstanceOf(StorageException.class)
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 1_000, 262_143, 262_144, 262_145, 524_288, 3_000_001})
    void aWholeObjectInChunksIsReadUpToTheLimit(int size) throws IOException {
        byte[] content = bytes(size);
        answer(CHUNKED, chunks(content, 70_001), false);

        assertRead(content, size);
        assertRead(content, 1L << 40);
        if (size > 1) {
            assertRefused(size - 1, "more than the");
        }
    }

    @Test
    void anEmptyOneIsNamed() {
        answer(CHUNKED, "0\r\n\r\n", false);

        assertRefused(100, "the object is empty");
    }

    @Test
    void oneThatBreaksOffIsReadAgainFromTheBeginning() throws Exception {
        byte[] content = bytes(600_000);
        String whole = chunks(content, 50_000);
        answer(CHUNKED, whole.substring(0, 400_000), true);
        Thread healer = Thread.ofVirtual().start(() -> {
            try {
                server.awaitResponse();
            } catch (InterruptedException impossible) {
                Thread.currentThread().interrupt();
            }
            answer(CHUNKED, whole, false);
        });

        assertRead(content, 1 << 20);
        assertThat(storage.stats().damaged()).isPositive();
        healer.join();
    }

    @Test
    void whatOnlyTheEndOfTheConnectionEndsIsRefused() {
        answer("", "0123456789", true);

        assertRefused(100, "does not say how large the object is, nor where it ends");
    }

    @Test
    void whatIsCompressedOnTheWayIsRefused() {
        answer(CHUNKED + "Content-Encoding: gzip\r\n", chunks(bytes(100), 10), false);

        assertRefused(1_000, "sends it compressed, with the Content-Encoding 'gzip'");
    }

    @Test
    void aRangeOfOneIsRefusedWithWhatCanBeDone() {
        answer(CHUNKED, chunks(bytes(100), 10), false);

        assertThatThrownBy(() -> {
                    try (StoredObject object = storage.object(server.url("/a"))) {
                        object.read(0, 10, pool).close();
                    }
                })
                .isInstanceOf(StorageException.class)
                .hasMessageContaining("can only be read as a whole");
    }
}
