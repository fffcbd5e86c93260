package org.jspdl.media.internal.codec;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/// Divides the first files between the decoder in Java and a library that makes the same samples.
///
/// Until the JIT compiler has compiled it, which takes it some files and some time, the decoder in Java is several
/// times slower than the library. It gets one file of eight until it has decoded one as quickly, byte for byte, or
/// until there were many. Safe for use by any number of threads.
public final class Warmup {
    private static final int EVERY = 8;
    private static final int FIRST_FILES = 128;
    private static final int MOST_FILES = 1024;
    /// For all decoders of the process.
    public static final Warmup OF_PROCESS = new Warmup(MOST_FILES);

    private final int most;
    private final AtomicInteger files = new AtomicInteger();
    private final LongAdder libraryNanos = new LongAdder();
    private final LongAdder libraryBytes = new LongAdder();
    private volatile boolean over;

    private Warmup(int most) {
        this.most = most;
        this.over = most == 0;
    }

    /// One that is over.
    public static Warmup none() {
        return new Warmup(0);
    }

    /// Ends it now: tests want to know who decodes.
    public void end() {
        over = true;
    }

    /// Whether the decoder in Java takes every file from now on.
    boolean isOver() {
        return over;
    }

    /// Whether it takes the next one.
    boolean takesNext() {
        if (over) {
            return true;
        }
        int file = files.getAndIncrement();
        if (file >= most) {
            over = true;
        }
        return file >= FIRST_FILES && file % EVERY == 0;
    }

    /// Reports how long a file took the library.
    void library(long bytes, long nanos) {
        libraryBytes.add(bytes);
        libraryNanos.add(nanos);
    }

    /// Reports how long a file took the decoder in Java.
    void java(long bytes, long nanos) {
        long known = libraryBytes.sum();
        if (known > 0 && (double) nanos / bytes <= (double) libraryNanos.sum() / known) {
            over = true;
        }
    }
}
