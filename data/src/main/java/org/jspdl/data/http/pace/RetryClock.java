package org.jspdl.data.http.pace;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;

/// Time as retries see it.
public interface RetryClock {

    /// Nanoseconds since a fixed origin.
    long nanos();

    /// Waits.
    ///
    /// @throws InterruptedIOException if the thread was interrupted
    void pause(long nanos) throws IOException;

    /// The time of this machine.
    static RetryClock system() {
        return new RetryClock() {
            @Override
            public long nanos() {
                return System.nanoTime();
            }

            @Override
            public void pause(long nanos) throws IOException {
                try {
                    Thread.sleep(Duration.ofNanos(nanos));
                } catch (InterruptedException interrupt) {
                    Thread.currentThread().interrupt();
                    throw new InterruptedIOException("the read was interrupted");
                }
            }
        };
    }
}
