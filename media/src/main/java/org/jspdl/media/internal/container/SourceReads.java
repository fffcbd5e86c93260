package org.jspdl.media.internal.container;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// The bytes of an open source, for somebody else who decodes them. One thread at a time.
public interface SourceReads extends AutoCloseable {
    /// Puts bytes from `position` on into native memory; how many, or -1 behind the end.
    int read(long position, MemorySegment into) throws IOException;

    /// How many bytes there are, -1 if unknown.
    long byteSize() throws IOException;

    /// Whether more than the next bytes can be read.
    boolean isSeekable();

    /// Whether the bytes lie in memory or in a file here, so that reading more than is needed costs little.
    boolean isLocal();

    /// How many bytes to ask for at a time.
    int bufferBytes();

    /// What can't be closed is left: nothing was written.
    @Override
    void close();
}
