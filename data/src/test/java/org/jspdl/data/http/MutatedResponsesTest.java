package org.jspdl.data.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.jspdl.data.http.pace.Cancellation;
import org.jspdl.data.http.range.Scatter;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.StorageException;
import org.jspdl.data.storage.StorageOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A campaign against the HTTP client: responses whose heads and framing are changed, cut, repeated and mixed, from a
/// printed seed.
///
/// A read gives the right bytes or fails by name. If the connection would be used again, the next response on it is the
/// one to the next request. 5,000 responses, with `-Pcampaign` 100,000, or `-Djspdl.campaign.count=N`.
class MutatedResponsesTest {
    private static final String MINE = "ABCDEFGHIJ";
    private static final String OTHER = "KLMNOPQRST";
    private static final String PARTIAL = "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 0-9/10\r\n";
    private static final Location ROW = Location.of("http://localhost/row");

    private static final List<String> WHOLE = List.of(
            PARTIAL + "Content-Length: 10\r\nETag: \"v\"\r\n\r\n" + MINE,
            PARTIAL + "Transfer-Encoding: chunked\r\n\r\n4\r\nABCD\r\n6\r\nEFGHIJ\r\n0\r\n\r\n",
            PARTIAL + "Transfer-Encoding: chunked\r\n\r\na;x=y\r\nABCDEFGHIJ\r\n0\r\nsum: 1\r\n\r\n",
            PARTIAL + "Connection: close\r\n\r\n" + MINE,
            "HTTP/1.1 100 Continue\r\n\r\n" + PARTIAL + "Content-Length: 10\r\n\r\n" + MINE,
            "HTTP/1.1 200 OK\r\nContent-Length: 10\r\nConnection: keep-alive\r\n\r\n" + MINE,
            "HTTP/1.0 206 Partial Content\r\nContent-Range: bytes 0-9/10\r\nContent-Length: 10\r\n"
                    + "Connection: keep-alive\r\n\r\n" + MINE,
            "HTTP/1.1 404 Not Found\r\nContent-Length: 3\r\n\r\n...",
            "HTTP/1.1 503 Slow Down\r\nRetry-After: 1\r\nContent-Length: 0\r\n\r\n",
            "HTTP/1.1 302 Found\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n\r\n",
            "HTTP/1.1 204 No Content\r\n\r\n",
            "HTTP/1.1 304 Not Modified\r\nContent-Length: 10\r\n\r\n");

    /// What stands behind a response, and is asked for by nobody: even if it is taken for the response, as it may
    /// be where the beginning of that was cut off, it is of another range.
    private static final List<String> FORGED = WHOLE.stream()
            .limit(5)
            .map(whole -> whole.replace("bytes 0-9/10", "bytes 3-12/20").replace(MINE, "FORGED...."))
            .toList();

    private static final String[] PIECES = {
        "\r\n",
        "\n",
        "\r",
        " ",
        "\t",
        "\0",
        ":",
        ";",
        ",",
        "0",
        "a",
        "-1",
        "+",
        "0x",
        "7fffffff",
        "80000000",
        "ffffffffffffffff",
        "9223372036854775807",
        "99999999999999",
        "\r\n\r\n",
        "0\r\n\r\n",
        "Content-Length: 10\r\n",
        "Content-Length: 3\r\n",
        "content-length:10,10\r\n",
        "Transfer-Encoding: chunked\r\n",
        "Transfer-Encoding: identity\r\n",
        "Transfer-Encoding: gzip, chunked\r\n",
        "Connection: keep-alive\r\n",
        "Connection: close\r\n",
        "Content-Range: bytes 0-9/10\r\n",
        "Content-Range: bytes 0-9/*\r\n",
        "HTTP/1.1 100 Continue\r\n\r\n",
        "HTTP/1.1 204 No Content\r\n\r\n",
        "Retry-After: 99999999999999\r\n",
        "\u00ff",
        " chunked",
        "X: y\r\n "
    };

    /// Gives what a server sent, in pieces of any size; what it has not sent does not come.
    private static final class Script implements Transport {
        private final SplittableRandom random;
        private byte[] bytes;
        private int at;
        private final boolean ends;

        Script(byte[] bytes, boolean ends, SplittableRandom random) {
            this.bytes = bytes;
            this.ends = ends;
            this.random = random;
        }

        void then(byte[] more) {
            ByteBuffer all = ByteBuffer.allocate(bytes.length - at + more.length);
            bytes = all.put(bytes, at, bytes.length - at).put(more).array();
            at = 0;
        }

        @Override
        public void write(ByteBuffer request) {}

        @Override
        public int read(ByteBuffer target) throws IOException {
            if (at == bytes.length) {
                if (ends) {
                    return -1;
                }
                throw new SocketTimeoutException("nothing more");
            }
            int count = Math.min(1 + random.nextInt(40), Math.min(target.remaining(), bytes.length - at));
            target.put(bytes, at, count);
            at += count;
            return count;
        }

        @Override
        public boolean hasUnread() {
            return at < bytes.length;
        }

        @Override
        public void close() {}
    }

    /// Changes anything but the bytes of the body, of which there is no telling whether they are right.
    private static byte[] mutant(SplittableRandom random) {
        StringBuilder text = new StringBuilder(WHOLE.get(random.nextInt(WHOLE.size())));
        for (int edit = random.nextInt(4); edit >= 0; edit--) {
            int at = random.nextInt(text.length());
            if (text.charAt(at) >= 'A' && text.charAt(at) <= 'J' && text.indexOf("\r\n\r\n") < at) {
                continue;
            }
            switch (random.nextInt(6)) {
                case 0 -> text.setCharAt(at, (char) random.nextInt(256));
                case 1 -> text.deleteCharAt(at);
                case 2 -> text.insert(at, PIECES[random.nextInt(PIECES.length)]);
                case 3 -> text.insert(Math.max(0, text.indexOf("\r\n") + 2), PIECES[random.nextInt(PIECES.length)]);
                case 4 -> text.append(FORGED.get(random.nextInt(FORGED.size())));
                default -> text.setLength(Math.max(1, at));
            }
            if (text.isEmpty()) {
                text.append('x');
            }
        }
        return text.toString().getBytes(ISO_8859_1);
    }

    /// The bytes of the object, or, where the head was changed so that it ends early, those that stand right behind
    /// it.
    private static boolean isWhatWasSent(String value, String response) {
        return value.equals(MINE) || response.contains("\n\r\n" + value) || response.contains("\n\n" + value);
    }

    /// The value, or what was said instead.
    private record Outcome(Optional<String> value, boolean keeps) {}

    private static Outcome read(RangeClient client, Connection connection, ObjectRequest object, Arena arena)
            throws IOException {
        MemorySegment target = arena.allocate(10);
        RangeRead read = new RangeRead(
                object, new MetadataTracker(), Scatter.of(0, target), client.counters(), new Cancellation());
        RangeClient.Attempt<ObjectMetadata> attempt = client.exchange(read.request(), read, connection);
        return new Outcome(
                attempt.value().map(_ -> new String(target.toArray(ValueLayout.JAVA_BYTE), ISO_8859_1)),
                attempt.keepsConnection());
    }

    @Test
    @Timeout(value = 20, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aMutatedResponseIsRightOrRefusedAndTheNextOneIsItsOwn() throws IOException {
        long seed = Long.getLong("jspdl.campaign.seed", 20_261_122);
        int count = Integer.getInteger("jspdl.campaign.count", Boolean.getBoolean("campaign") ? 100_000 : 5_000);
        long right = 0;
        long refused = 0;
        long longest = 0;
        ObjectRequest object = ObjectRequest.get(ROW, HttpAddress.parse(ROW));
        byte[] next = (PARTIAL + "Content-Length: 10\r\n\r\n" + OTHER).getBytes(ISO_8859_1);
        try (RangeClient client = new RangeClient(StorageOptions.defaults(), Authorizer.anonymous())) {
            for (int round = 0; round < count; round++) {
                SplittableRandom random = new SplittableRandom(seed + round);
                byte[] mutant = mutant(random);
                String shown = "seed " + (seed + round) + ": " + new String(mutant, ISO_8859_1);
                Script script = new Script(mutant, random.nextBoolean(), random);
                long began = System.nanoTime();
                try (Arena arena = Arena.ofConfined();
                        Connection connection = new Connection(script, Optional.empty())) {
                    Outcome outcome = read(client, connection, object, arena);
                    if (outcome.value().isPresent()) {
                        assertThat(isWhatWasSent(outcome.value().get(), new String(mutant, ISO_8859_1)))
                                .as(shown)
                                .isTrue();
                        right++;
                    }
                    if (outcome.keeps() && !connection.hasUnread()) {
                        script.then(next);
                        assertThat(read(client, connection, object, arena).value())
                                .as(shown)
                                .hasValue(OTHER);
                    }
                } catch (UnexpectedResponseException | StorageException named) {
                    refused++;
                } catch (IOException failed) {
                    assertThat(failed.getMessage()).as(shown).isNotBlank();
                    refused++;
                } catch (RuntimeException | Error stray) {
                    throw new AssertionError(shown, stray);
                }
                longest = Math.max(longest, System.nanoTime() - began);
            }
        }
        System.out.printf(
                "mutated HTTP responses, seeds from %d: %,d read right, %,d refused, longest %.1f ms%n",
                seed, right, refused, longest / 1e6);
        assertThat(right).isPositive();
        assertThat(refused).isPositive();
    }
}
