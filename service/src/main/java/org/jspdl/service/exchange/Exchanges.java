package org.jspdl.service.exchange;

import java.net.URI;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.zip.CRC32C;

/// Sends requests for pieces to workers. Thread-safe; closed after the last request has ended.
public interface Exchanges extends AutoCloseable {
    /// The header that tells the checksum of a body: CRC-32C, as eight hexadecimal digits.
    String CHECKSUM = "Jspdl-Crc32c";

    /// Bytes that an answer other than a piece may have.
    int MOST_OTHER = 4 << 20;

    /// Asks `worker` for `path`.
    ///
    /// @param mostBytes of a good answer; others may have [#MOST_OTHER]
    Sent send(URI worker, String path, long mostBytes);

    @Override
    void close();

    /// The value of the header that says who asks.
    static Optional<String> authorization(Optional<String> token) {
        return token.map(text -> "Bearer " + text);
    }

    /// A checksum as [#CHECKSUM] tells it.
    static String told(CRC32C sum) {
        return HexFormat.of().toHexDigits((int) sum.getValue());
    }

    /// A request under way.
    ///
    /// @param answer owned by whoever gets it from here
    /// @param end    ends the request, if it has not ended, and has what comes of it released; the future is then
    ///     cancelled. Called by any thread, more than once, and never after the answer was taken
    record Sent(CompletableFuture<Answer> answer, Runnable end) {}
}
