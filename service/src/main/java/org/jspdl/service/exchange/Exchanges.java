package org.jspdl.service.exchange;

import java.net.URI;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.zip.CRC32C;

/// Sends requests for pieces to workers. Thread-safe; closed after the last request has ended.
public interface Exchanges extends AutoCloseable {
    /// The header that tells the checksum of a body: CRC-32C, as eight hexadecimal digits.
    String CHECKSUM = "Jspdl-Crc32c";

    /// The header that tells loaders apart, which turns are dealt to fairly: any text of at most [#LONGEST_LOADER]
    /// characters.
    String LOADER = "Jspdl-Loader";

    /// Characters of a loader's name that count.
    int LONGEST_LOADER = 64;

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
    record Sent(CompletableFuture<Answer> answer, Runnable end) {
        /// Waits for the answer, which is the caller's then. If it does not come in time, or the wait is
        /// interrupted, the request is [given up][#giveUp].
        ///
        /// @throws CancellationException if the request was ended by another thread
        public Answer take(long nanos) throws InterruptedException, TimeoutException, ExecutionException {
            try {
                return answer.get(nanos, TimeUnit.NANOSECONDS);
            } catch (InterruptedException | TimeoutException late) {
                giveUp();
                throw late;
            }
        }

        /// By who would have taken the answer, instead of that: ends the request, and releases an answer that
        /// came just before, which [#end] leaves alone.
        public void giveUp() {
            end.run();
            if (answer.state() == Future.State.SUCCESS) {
                answer.resultNow().body().close();
            }
        }
    }
}
