package org.jspdl.data.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
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
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Bodies that are compressed though nobody asked for that, and those that broke off where no version tells two apart.
class ContentCodingTest {
    private final BufferPool pool = BufferPool.create("test", 1 << 20);
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

    private byte[] read(String path, boolean whole) throws IOException {
        try (StoredObject object = storage.object(server.url(path));
                Lease lease = whole ? object.readAll(pool, 100) : object.read(0, 5, pool)) {
            return lease.segment().toArray(ValueLayout.JAVA_BYTE);
        }
    }

    private void answer(String path, String headers, boolean whole) {
        String start = whole ? "HTTP/1.1 200 OK\r\n" : "HTTP/1.1 206 Partial\r\nContent-Range: bytes 0-4/9\r\n";
        server.put(path, new RawServer.Response(start + headers + "Content-Length: 5\r\n\r\nabcde", "", false));
    }

    @ParameterizedTest
    @CsvSource({"gzip, a.jpg", "x-gzip, a.tar", "'identity, gzip', a.jsonl", "br, a.txt", "zstd, a.gz", "deflate, a.gz"
    })
    void whatIsCompressedAndDoesNotSaySoIsRefused(String coding, String name) {
        for (boolean whole : new boolean[] {true, false}) {
            answer("/" + name, "Content-Encoding: " + coding + "\r\n", whole);

            assertThatThrownBy(() -> read("/" + name, whole))
                    .isInstanceOfSatisfying(
                            StorageException.class,
                            failure -> assertThat(failure.kind()).isEqualTo(StorageException.Kind.UNSUPPORTED))
                    .hasMessageContaining("sends it compressed, with the Content-Encoding");
        }
    }

    @ParameterizedTest
    @CsvSource({"gzip, a.tar.gz", "x-gzip, a.TGZ", "zstd, a.zst", "identity, a", "aws-chunked, a", "UTF-8, a.csv"})
    void whatIsCompressedAndSaysSoIsReadAsItIs(String coding, String name) throws IOException {
        for (boolean whole : new boolean[] {true, false}) {
            answer("/" + name, "Content-Encoding: " + coding + "\r\n", whole);

            assertThat(read("/" + name, whole)).asString().isEqualTo("abcde");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Encoding: gzip\r\nContent-Encoding: identity\r\n",
                "ETag: \"a\"\r\nETag: \"b\"\r\n",
                "Last-Modified: Thu, 01 Jan 2026 00:00:09 GMT\r\nLast-Modified: Thu, 01 Jan 2026 00:00:10 GMT\r\n"
            })
    void whatIsSaidTwiceAndMeansTwoThingsIsRefused(String headers) {
        for (boolean whole : new boolean[] {true, false}) {
            answer("/a", headers, whole);

            assertThatThrownBy(() -> read("/a", whole))
                    .isInstanceOfSatisfying(
                            StorageException.class,
                            failure -> assertThat(failure.kind()).isEqualTo(StorageException.Kind.UNSUPPORTED));
        }
        answer("/a", "ETag: \"a\"\r\nETag: \"a\"\r\nContent-Encoding: identity\r\nContent-Encoding: x\r\n", true);
        assertThatCode(() -> read("/a", true)).doesNotThrowAnyException();
    }

    /// What comes after a break could be another object's: nothing would tell.
    @Test
    void aWholeObjectWithoutAVersionIsReadAgainFromItsBeginning() throws Exception {
        server.put("/a", new RawServer.Response("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nol", "", true));
        Thread healer = Thread.ofVirtual().start(() -> {
            try {
                server.awaitResponse();
                answer("/a", "", true);
            } catch (InterruptedException gone) {
                // the test has ended
            }
        });

        assertThat(read("/a", true)).asString().isEqualTo("abcde");

        healer.join();
        assertThat(server.asked("/a")).doesNotContain("Range");
    }
}
