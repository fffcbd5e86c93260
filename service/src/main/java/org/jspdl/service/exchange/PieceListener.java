package org.jspdl.service.exchange;

import java.io.IOException;

/// Listens at a port, and hands requests over. Thread-safe; closing it ends what is under way.
public interface PieceListener extends AutoCloseable {
    /// Begins to answer.
    void start();

    /// Where it listens.
    int port();

    @Override
    void close() throws IOException;
}
