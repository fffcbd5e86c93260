package org.jspdl.data.http;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/// The two directions of one connection. One thread at a time; any thread may close it, which ends a blocked call.
interface Transport extends Closeable {

    /// Writes all that remains of `bytes`.
    void write(ByteBuffer bytes) throws IOException;

    /// Reads at least one byte into what remains of `target`; -1 at the end.
    int read(ByteBuffer target) throws IOException;

    /// Whether bytes have arrived that were not read; never waits.
    boolean hasUnread() throws IOException;
}
