package org.jspdl.data.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.stream.Stream;
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
import org.junit.jupiter.params.provider.MethodSource;

/// Responses that say in more than one way where they end, or go on behind their end: whatever an object holds, a read
/// of another object never sees it.
class ResponseFramingTest {
    private static final String MINE = "0123456789";
    private static final String OTHER = "abcdefghij";
    private static final String FORGED = response("206 Partial Content", range("Content-Length: 10\r\n"), "FORGED....");

    private final BufferPool pool = BufferPool.create("test", 1 << 20);
    private RawServer server;
    private Storage storage;

    @BeforeEach
    void start() throws IOException {
        server = new RawServer();
        storage = Storage.open(
                StorageOptions.defaults().readDeadline(Duration.ofSeconds(20)).requestsPerHost(1));
        server.put("/other", new RawServer.Response(good(OTHER), "", false));
        server.put("/mine", new RawServer.Response(good(MINE), "", false));
    }

    @AfterEach
    void stop() throws IOException {
        storage.close();
        pool.close();
        server.close();
    }

    private static String good(String bytes) {
        return response("206 Partial Content", range("Content-Length: 10\r\n"), bytes);
    }

    private static String range(String headers) {
        return "Content-Range: bytes 0-9/10\r\n" + headers;
    }

    private static String response(String status, String headers, String body) {
        return "HTTP/1.1 " + status + "\r\n" + headers + "\r\n" + body;
    }

    private static String partial(String headers, String body) {
        return response("206 Partial Content", range(headers), body);
    }

    /// @param expected in the message; empty if the bytes are read
    record Row(String name, String bytes, boolean closes, String expected) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static Row right(String name, String bytes) {
        return new Row(name, bytes, false, "");
    }

    private static Row refused(String name, String bytes, String expected) {
        return new Row(name, bytes, false, expected);
    }

    static Stream<Row> rows() {
        String chunked = "Transfer-Encoding: chunked\r\n";
        String length = "Content-Length: 10\r\n";
        return Stream.of(
                right("a length", good(MINE)),
                right("chunks", partial(chunked, "4\r\n0123\r\n6\r\n456789\r\n0\r\n\r\n")),
                right("chunks of one byte", partial(chunked, ones() + "0\r\n\r\n")),
                right("a chunk with an extension", partial(chunked, "A;name=\"value\"\r\n" + MINE + "\r\n0\r\n\r\n")),
                right("chunks and trailers", partial(chunked, "a\r\n" + MINE + "\r\n0\r\nx-sum: 1\r\ny: 2\r\n\r\n")),
                right(
                        "coding in capitals",
                        partial("TRANSFER-ENCODING: Chunked\r\n", "a\r\n" + MINE + "\r\n0\r\n\r\n")),
                right("an interim response", response("100 Continue", "", "") + good(MINE)),
                right("hints first", response("103 Early Hints", "Link: </x>\r\n", "") + good(MINE)),
                new Row("until the connection ends", partial("", MINE), true, ""),
                new Row("more until the connection ends", partial("", MINE + FORGED), true, "longer than it says"),
                refused(
                        "chunks and more behind them",
                        partial(chunked, "a\r\n" + MINE + "\r\n0\r\n\r\n" + FORGED),
                        "longer"),
                refused("too many bytes in chunks", partial(chunked, "b\r\n" + MINE + "x\r\n0\r\n\r\n"), "longer"),
                refused(
                        "a chunk after the last byte",
                        partial(chunked, "a\r\n" + MINE + "\r\n5\r\nmore.\r\n0\r\n\r\n"),
                        "longer"),
                refused("a chunk longer than its size", partial(chunked, "a\r\n" + MINE + "x\r\n0\r\n\r\n"), "chunk"),
                refused(
                        "a chunk without a size",
                        partial(chunked, "\r\n" + MINE + "\r\n0\r\n\r\n"),
                        "chunk without a size"),
                refused(
                        "a negative chunk",
                        partial(chunked, "-a\r\n" + MINE + "\r\n0\r\n\r\n"),
                        "chunk without a size"),
                refused("a signed chunk", partial(chunked, "+a\r\n" + MINE + "\r\n0\r\n\r\n"), "chunk without a size"),
                refused(
                        "a hexadecimal prefix",
                        partial(chunked, "0xa\r\n" + MINE + "\r\n0\r\n\r\n"),
                        "chunk without a size"),
                refused("an endless size", partial(chunked, "0".repeat(40) + "a\r\n" + MINE + "\r\n0\r\n\r\n"), "size"),
                refused("lines that end with one character", partial(chunked, "a\n" + MINE + "\n0\n\n"), "no line"),
                refused(
                        "endless trailers",
                        partial(chunked, "a\r\n" + MINE + "\r\n0\r\n" + "x: y\r\n".repeat(500)),
                        "behind its last"),
                refused("a length and chunks", partial(length + chunked, "a\r\n" + MINE + "\r\n0\r\n\r\n"), "both"),
                refused("chunks and a length", partial(chunked + length, MINE), "both"),
                refused("a coding that nobody knows", partial("Transfer-Encoding: xchunked\r\n", MINE), "xchunked"),
                refused("two codings", partial("Transfer-Encoding: gzip, chunked\r\n", MINE), "gzip, chunked"),
                refused("identity", partial("Transfer-Encoding: identity\r\n", MINE), "identity"),
                refused("a coding twice", partial(chunked + chunked, "a\r\n" + MINE + "\r\n0\r\n\r\n"), "twice"),
                refused(
                        "chunks in HTTP/1.0",
                        partial(chunked, "a\r\n" + MINE + "\r\n0\r\n\r\n").replace("/1.1", "/1.0"),
                        "chunked"),
                refused("a length twice", partial(length + length, MINE), "twice"),
                refused("two lengths", partial(length + "Content-Length: 3\r\n", MINE), "twice"),
                refused("two lengths in one header", partial("Content-Length: 10, 10\r\n", MINE), "10, 10"),
                refused("a signed length", partial("Content-Length: +10\r\n", MINE), "+10"),
                refused("a negative length", partial("Content-Length: -10\r\n", MINE), "-10"),
                refused("a hexadecimal length", partial("Content-Length: 0xa\r\n", MINE), "0xa"),
                refused("an empty length", partial("Content-Length:\r\n", MINE), "where a number belongs"),
                refused(
                        "a length beyond all numbers",
                        partial("Content-Length: 99999999999999999999\r\n", MINE),
                        "99999"),
                refused("a space before the colon", partial("Content-Length : 10\r\n", MINE), "that is none"),
                refused("a folded header", partial("X: y\r\n Content-Length: 3\r\n" + length, MINE), "that is none"),
                refused("a line without a colon", partial("nonsense\r\n" + length, MINE), "that is none"),
                refused("a line of spaces", partial("  \r\n" + length, MINE), "that is none"),
                refused(
                        "a carriage return within",
                        partial("X: a\rContent-Length: 3\r\n" + length, MINE),
                        "control character"),
                refused("a zero byte", partial("X: a\0b\r\n" + length, MINE), "control character"),
                refused("two ranges", partial("Content-Range: bytes 0-9/10\r\n" + length, MINE), "twice"),
                refused("a body behind the body", good(MINE) + FORGED, "longer than it says"),
                refused("a switch of protocols", response("101 Switching Protocols", "", "") + FORGED, "101"),
                refused(
                        "endless interim responses",
                        response("102 Processing", "", "").repeat(1_000) + FORGED,
                        "102"),
                refused("no content, with content", response("204 No Content", length, MINE) + FORGED, "204"),
                refused("not modified, with a body", response("304 Not Modified", length, MINE) + FORGED, "304"),
                refused("an error with more than its length", response("404 Not Found", length, MINE) + FORGED, "404"),
                refused(
                        "a redirection with more",
                        response("302 Found", "Location: /mine\r\nContent-Length: 0\r\n", "") + FORGED,
                        "longer"));
    }

    private static String ones() {
        StringBuilder chunks = new StringBuilder();
        for (int i = 0; i < MINE.length(); i++) {
            chunks.append("1\r\n").append(MINE.charAt(i)).append("\r\n");
        }
        return chunks.toString();
    }

    private String read(String path) throws IOException {
        try (StoredObject object = storage.object(server.url(path));
                Lease lease = object.read(0, 10, pool)) {
            return text(lease.segment());
        }
    }

    private static String text(MemorySegment bytes) {
        return new String(bytes.toArray(ValueLayout.JAVA_BYTE), StandardCharsets.ISO_8859_1);
    }

    @ParameterizedTest
    @MethodSource("rows")
    void aResponseIsRightOrRefusedAndTheNextReadGetsItsOwnBytes(Row row) throws IOException {
        server.put("/row", new RawServer.Response(row.bytes(), "", row.closes()));

        if (row.expected().isEmpty()) {
            assertThat(read("/row")).isEqualTo(MINE);
        } else {
            assertThatThrownBy(() -> read("/row"))
                    .isInstanceOf(StorageException.class)
                    .hasMessageContaining(row.expected());
        }

        assertThat(read("/other")).isEqualTo(OTHER);
        assertThat(storage.stats().retries()).isZero();
        assertThat(pool.outstanding()).isZero();
    }

    @ParameterizedTest
    @MethodSource("rows")
    void whatArrivesUnaskedAfterAResponseBelongsToNoOther(Row row) throws Exception {
        server.put("/row", new RawServer.Response(row.bytes(), FORGED, row.closes()));
        try {
            assertThat(read("/row")).isEqualTo(MINE);
        } catch (StorageException refused) {
            assertThat(refused.getMessage()).contains("/row");
        }
        server.awaitResponse();

        assertThat(read("/other")).isEqualTo(OTHER);
    }

    @Test
    void aBodyBehindTheResponseToHeadIsNotTheNextResponse() throws Exception {
        String head = response("200 OK", "Content-Length: " + FORGED.length() + "\r\n", "");
        for (RawServer.Response response : new RawServer.Response[] {
            new RawServer.Response(head + FORGED, "", false), new RawServer.Response(head, FORGED, false)
        }) {
            server.put("/row", response);
            try (StoredObject object = storage.object(server.url("/row"))) {
                assertThat(object.size()).isEqualTo(FORGED.length());
            } catch (StorageException refused) {
                assertThat(refused.getMessage()).contains("a body where none belongs");
            }
            server.awaitResponse();

            assertThat(read("/other")).isEqualTo(OTHER);
            server.awaitResponse();
        }
    }

    @Test
    void aPartIsNotTakenForTheWhole() throws IOException {
        server.put("/row", new RawServer.Response(good(MINE), "", false));
        try (StoredObject object = storage.object(server.url("/row"))) {
            assertThatThrownBy(() -> object.readAll(pool, 100))
                    .isInstanceOf(StorageException.class)
                    .hasMessageContaining("sends a part of the object when it is asked for the whole");
        }
        assertThat(read("/other")).isEqualTo(OTHER);
    }

    @Test
    void soundResponsesShareAConnection() throws IOException {
        server.put(
                "/chunks",
                new RawServer.Response(
                        partial("Transfer-Encoding: chunked\r\n", "a\r\n" + MINE + "\r\n0\r\n\r\n"), "", false));
        for (int i = 0; i < 20; i++) {
            assertThat(read("/chunks")).isEqualTo(MINE);
            assertThat(read("/other")).isEqualTo(OTHER);
        }
        assertThat(server.connections()).isEqualTo(1);
    }

    /// Whatever is cut into chunks, and wherever packets end: the bytes are those that were sent.
    @Test
    void chunksOfAllSizesAreJoined() throws IOException {
        SplittableRandom random = new SplittableRandom(15);
        for (int round = 0; round < 100; round++) {
            byte[] content = new byte[1 + random.nextInt(60_000)];
            random.nextBytes(content);
            StringBuilder body = new StringBuilder();
            for (int at = 0; at < content.length; ) {
                int size = Math.min(content.length - at, 1 + random.nextInt(random.nextBoolean() ? 20 : 20_000));
                body.append(Integer.toHexString(size)).append("\r\n");
                body.append(new String(content, at, size, StandardCharsets.ISO_8859_1))
                        .append("\r\n");
                at += size;
            }
            String head = "Content-Range: bytes 0-" + (content.length - 1) + "/" + content.length
                    + "\r\nTransfer-Encoding: chunked\r\n";
            server.put(
                    "/chunks",
                    new RawServer.Response(response("206 Partial Content", head, body + "0\r\n\r\n"), "", false));
            try (StoredObject object = storage.object(server.url("/chunks"));
                    Lease lease = object.read(0, content.length, pool)) {
                assertThat(lease.segment().mismatch(MemorySegment.ofArray(content)))
                        .as("round %d", round)
                        .isEqualTo(-1);
            }
            assertThat(read("/other")).isEqualTo(OTHER);
        }
        assertThat(server.connections()).isEqualTo(1);
    }
}
