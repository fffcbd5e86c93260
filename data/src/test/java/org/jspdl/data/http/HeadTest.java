package org.jspdl.data.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspdl.data.storage.Storage;
import org.jspdl.data.storage.StorageException;
import org.jspdl.data.storage.StoredObject;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Servers whose answer to `HEAD` says nothing of the object, as programs do that know `GET` alone.
class HeadTest {
    private static final int SIZE = 1_000;

    private final AtomicInteger requests = new AtomicInteger();
    private volatile int status = 200;
    private volatile String length = "";
    private volatile String coding = "";
    private volatile int size = SIZE;
    private volatile boolean ranges = true;
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
        server.createContext("/", this::answer);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private void answer(HttpExchange exchange) throws IOException {
        requests.incrementAndGet();
        try (exchange) {
            exchange.getResponseHeaders().add("ETag", "\"one\"");
            if (exchange.getRequestMethod().equals("HEAD")) {
                if (!length.isEmpty()) {
                    exchange.getResponseHeaders().add("Content-Length", length);
                }
                if (!coding.isEmpty()) {
                    exchange.getResponseHeaders().add("Content-Encoding", coding);
                }
                exchange.sendResponseHeaders(status, -1);
            } else if (ranges && size == 0) {
                exchange.sendResponseHeaders(416, -1);
            } else if (ranges) {
                exchange.getResponseHeaders().add("Content-Range", "bytes 0-0/" + size);
                exchange.sendResponseHeaders(206, 1);
                exchange.getResponseBody().write(7);
            } else {
                exchange.sendResponseHeaders(200, size == 0 ? -1 : size);
                exchange.getResponseBody().write(new byte[size]);
            }
        }
    }

    private long size() throws IOException {
        try (Storage storage = Storage.open();
                StoredObject object =
                        storage.object("http://localhost:" + server.getAddress().getPort() + "/a")) {
            assertThat(object.version()).isEqualTo("\"one\"");
            return object.size();
        }
    }

    @ParameterizedTest
    @CsvSource({"405,'',''", "501,'',''", "200,0,''", "200,'',''", "200,77,gzip"})
    void theSizeIsAskedForByAByteWhereHeadSaysNothing(int answered, String told, String compressed) throws IOException {
        status = answered;
        length = told;
        coding = compressed;

        assertThat(size()).isEqualTo(SIZE);
        assertThat(requests).hasValue(2);
        ranges = false;
        assertThat(size()).as("of a server without ranges").isEqualTo(SIZE);
    }

    @Test
    void anObjectThatIsEmptyIsEmpty() throws IOException {
        length = "0";
        size = 0;

        assertThat(size()).isZero();
        ranges = false;
        assertThat(size()).isZero();
    }

    @Test
    void whatHeadRefusesForAReasonIsNotAskedForAgain() {
        status = 404;

        assertThatThrownBy(this::size)
                .isInstanceOfSatisfying(
                        StorageException.class,
                        failure -> assertThat(failure.kind()).isEqualTo(StorageException.Kind.MISSING));
        assertThat(requests).hasValue(1);
    }
}
