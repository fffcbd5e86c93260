package org.jspdl.data.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import org.jspdl.data.storage.RequestHeaders;
import org.jspdl.data.storage.Storage;
import org.jspdl.data.storage.StorageException;
import org.jspdl.data.storage.StorageException.Kind;
import org.jspdl.data.storage.StorageOptions;
import org.jspdl.data.storage.StoredObject;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Lease;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What a user says to one server is heard by no other.
class GivenHeadersTest {
    private static final String CONTENT = "0123456789";

    private final BufferPool pool = BufferPool.create("test", 1 << 20);
    private RawServer server;
    private RawServer other;

    @BeforeEach
    void start() throws IOException {
        server = new RawServer();
        other = new RawServer();
        server.put("/a", content());
        other.put("/b", content());
    }

    @AfterEach
    void stop() throws IOException {
        pool.close();
        server.close();
        other.close();
    }

    private static RawServer.Response content() {
        return answer("200 OK", "Content-Length: 10\r\n", CONTENT);
    }

    private static RawServer.Response answer(String status, String headers, String body) {
        return new RawServer.Response("HTTP/1.1 " + status + "\r\n" + headers + "\r\n" + body, "", false);
    }

    private Storage storage(RequestHeaders headers) {
        return Storage.open(StorageOptions.defaults().headers(headers));
    }

    private String read(Storage storage, String url) throws IOException {
        try (StoredObject object = storage.object(url);
                Lease lease = object.readAll(pool, 100)) {
            return new String(lease.segment().toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8);
        }
    }

    @Test
    void aServerIsToldWhatIsForIt() throws IOException {
        RequestHeaders headers = RequestHeaders.none()
                .bearer(server.url(""), "t-1")
                .with(server.url(""), "user-agent", "mine")
                .basic(other.url(""), "me", "secret");
        try (Storage storage = storage(headers)) {
            assertThat(read(storage, server.url("/a"))).isEqualTo(CONTENT);
            assertThat(read(storage, other.url("/b"))).isEqualTo(CONTENT);
        }

        assertThat(server.asked("/a")).contains("Authorization: Bearer t-1\n").doesNotContain("Basic", "jspdl");
        assertThat(server.asked("/a").toLowerCase(java.util.Locale.ROOT)).containsOnlyOnce("user-agent: mine");
        assertThat(other.asked("/b"))
                .contains("Authorization: Basic bWU6c2VjcmV0\n")
                .doesNotContain("Bearer");
    }

    @Test
    void whereAServerRedirectsToIsNotToldWhatIsForTheServer() throws IOException {
        server.put("/there", answer("302 Found", "Location: " + other.url("/b") + "\r\nContent-Length: 0\r\n", ""));
        server.put("/here", answer("302 Found", "Location: /a\r\nContent-Length: 0\r\n", ""));
        try (Storage storage = storage(RequestHeaders.none().bearer(server.url(""), "t-1"))) {
            assertThat(read(storage, server.url("/there"))).isEqualTo(CONTENT);
            assertThat(read(storage, server.url("/here"))).isEqualTo(CONTENT);
        }

        assertThat(server.asked("/there")).contains("t-1");
        assertThat(server.asked("/a")).contains("t-1");
        assertThat(other.asked("/b")).contains("Host").doesNotContain("t-1");
    }

    @Test
    void aRefusedTokenFailsAtOnceAndIsNotShown() throws IOException {
        server.put("/a", answer("401 Unauthorized", "WWW-Authenticate: Bearer\r\nContent-Length: 0\r\n", ""));
        try (Storage storage = storage(RequestHeaders.none().bearer(server.url(""), "t-1"))) {
            assertThatThrownBy(() -> read(storage, server.url("/a")))
                    .isInstanceOfSatisfying(
                            StorageException.class,
                            failure -> assertThat(failure.kind()).isEqualTo(Kind.DENIED))
                    .hasMessageContaining("401")
                    .hasMessageNotContaining("t-1");
            assertThat(storage.stats().requests()).isEqualTo(1);
        }
    }
}
