package org.jspdl.data.http.pace;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/// Time as retries see it.
public interface RetryClock {

    /// Nanoseconds since a fixed origin.
    long nanos();

    /// Waits, at most until `cut`, which is checked whenever the thread is unparked.
    ///
    /// @throws InterruptedIOException if the thread was interrupted
    void pause(long nanos, BooleanSupplier cut) throws IOException;

    /// The time of this machine.
    static RetryClock system() {
        return new RetryClock() {
            @Override
            public long nanos() {
                return System.nanoTime();
            }

            @Override
            public void pause(long nanos, BooleanSupplier cut) throws IOException {
                long until = System.nanoTime() + nanos;
                for (long left = nanos; left > 0 && !cut.getAsBoolean(); left = until - System.nanoTime()) {
                    if (Thread.currentThread().isInterrupted()) {
                        throw new InterruptedIOException("the read was interrupted");
                    }
                    LockSupport.parkNanos(left);
                }
            }
        };
    }
}
