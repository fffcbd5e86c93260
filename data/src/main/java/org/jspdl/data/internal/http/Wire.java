package org.jspdl.data.internal.http;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/// The two directions of one connection. One thread at a time; any thread may close it, which ends a blocked call.
interface Wire extends Closeable {

    void write(byte[] bytes) throws IOException;

    /// Reads at least one byte into what remains of `target`; -1 at the end.
    int read(ByteBuffer target) throws IOException;
}
