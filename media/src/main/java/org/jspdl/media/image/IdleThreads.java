package org.jspdl.media.image;

import java.util.Objects;
import java.util.concurrent.Executor;

/// Threads of the caller that help to decode a large picture while they have nothing else to do.
///
/// A thread that decodes a picture offers pieces of it to `executor` and decodes pieces itself until none is left; it
/// waits for nobody who has not begun. So threads that are busy, or an executor that refuses, cost nothing, and the
/// executor may be the one that the decoding threads belong to.
///
/// @param executor which may run several tasks at once; the caller's, and never closed here
/// @param threads  how many threads decode one picture at most, the one that decodes it anyway among them
public record IdleThreads(Executor executor, int threads) {
    /// @throws IllegalArgumentException if there is not one thread
    public IdleThreads {
        Objects.requireNonNull(executor);
        if (threads < 1) {
            throw new IllegalArgumentException("threads must be at least 1 but was " + threads);
        }
    }
}
