package org.jspdl.service.exchange;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;

/// A request that a worker answers, once, on one thread.
public interface Asked {
    /// The method, such as `GET`.
    String method();

    /// The path, escaped, without a query.
    String path();

    /// The header that says who asks.
    Optional<String> authorization();

    /// Adds a header to the answer.
    void header(String name, String value);

    /// Answers with `parts`, which follow one another, and are read until this returns.
    ///
    /// @throws IOException if nobody takes the answer any more; the thread may have been interrupted for that
    void send(int status, List<MemorySegment> parts) throws IOException;

    /// Answers requests, each on a virtual thread of its own.
    @FunctionalInterface
    interface Handler {
        /// Answers `asked`.
        void answer(Asked asked) throws IOException;
    }
}
