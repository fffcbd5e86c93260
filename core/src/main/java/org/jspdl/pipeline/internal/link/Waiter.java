package org.jspdl.pipeline.internal.link;

import java.util.function.BooleanSupplier;

/// Is told when a thread waits, and what for.
public interface Waiter {
    /// Records what the thread is about to wait for: `condition` takes no lock, and is true as soon as the thread
    /// has a reason to wake up.
    void parks(BooleanSupplier condition);

    /// Records that the thread goes on.
    void resumes();
}
