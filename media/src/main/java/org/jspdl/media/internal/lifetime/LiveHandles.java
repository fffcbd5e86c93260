package org.jspdl.media.internal.lifetime;

import java.util.concurrent.atomic.AtomicLong;

/// How many C objects of FFmpeg are open in this process, for leak checks only.
///
/// Static on purpose: a leak check has no other way to find what a test forgot.
public final class LiveHandles {
    private static final AtomicLong OPEN = new AtomicLong();

    private LiveHandles() {}

    /// Counts one more.
    public static void opened() {
        OPEN.incrementAndGet();
    }

    /// Counts one less.
    public static void closed() {
        OPEN.decrementAndGet();
    }

    /// How many there are.
    public static long count() {
        return OPEN.get();
    }
}
