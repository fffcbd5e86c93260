package org.jspdl.media.stream;

import java.time.Duration;
import java.util.Optional;
import org.jspdl.input.MediaException;

/// The moment by which work on a source must be done. Safe for any thread.
public final class Deadline {
    private final String source;
    private final Optional<Duration> allowed;
    private final long startedAt = System.nanoTime();

    private Deadline(String source, Optional<Duration> allowed) {
        this.source = source;
        this.allowed = allowed;
    }

    /// The moment that lies `allowed` from now; none if that is empty.
    public static Deadline startingNow(String source, Optional<Duration> allowed) {
        return new Deadline(source, allowed);
    }

    /// Looks at the clock.
    ///
    /// @throws MediaException if the moment has passed
    public void check() {
        if (allowed.isPresent() && System.nanoTime() - startedAt > allowed.get().toNanos()) {
            throw MediaException.of(
                    source, "not done after " + allowed.get().toMillis() + " ms, the deadline in the limits");
        }
    }
}
