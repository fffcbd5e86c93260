package org.jspdl.media.stream;

import java.util.concurrent.atomic.AtomicLong;

/// How many native objects of this package are open in this process, for leak checks only.
///
/// Static on purpose: a leak check has no other way to find what a test forgot.
final class LiveHandles {
    private static final AtomicLong OPEN = new AtomicLong();

    private LiveHandles() {}

    static void opened() {
        OPEN.incrementAndGet();
    }

    static void closed() {
        OPEN.decrementAndGet();
    }

    static long count() {
        return OPEN.get();
    }
}
