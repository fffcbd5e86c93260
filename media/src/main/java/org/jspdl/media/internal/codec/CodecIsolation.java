package org.jspdl.media.internal.codec;

import java.util.function.Supplier;
import org.jspdl.media.internal.helper.Helper;
import org.jspdl.media.internal.helper.HelperCommand;
import org.jspdl.media.internal.helper.HelperPool;
import org.jspdl.media.internal.helper.HelperStats;
import org.jspecify.annotations.Nullable;

/// Where the native codecs of one decoder work: in this process, in helpers, or in helpers where there is reason to.
///
/// Safe for use by any number of threads. Closing ends the helpers; calls under way in them fail.
public final class CodecIsolation implements AutoCloseable {
    /// What is decoded in helpers.
    public enum Scope {
        /// What crashed or exceeded its deadline before.
        SUSPECTS,
        /// Everything.
        ALL,
        /// Nothing.
        NONE
    }

    private final Scope scope;
    private final long deadlineNanos;
    private final Supplier<HelperCommand> command;
    private final InFlight inFlight;
    private @Nullable HelperPool pool;
    private boolean closed;

    /// @param deadlineNanos how long decoding a file may take, in nanoseconds
    public CodecIsolation(Scope scope, long deadlineNanos, JpegLibrary library) {
        this(scope, deadlineNanos, () -> CodecHelper.command(library), InFlight.ofProcess());
    }

    CodecIsolation(Scope scope, long deadlineNanos, Supplier<HelperCommand> command, InFlight inFlight) {
        this.scope = scope;
        this.deadlineNanos = deadlineNanos;
        this.command = command;
        this.inFlight = inFlight;
    }

    Scope scope() {
        return scope;
    }

    long deadlineNanos() {
        return deadlineNanos;
    }

    Suspects suspects() {
        return inFlight.suspects();
    }

    /// Where a context notes what it is decoding here.
    InFlight.Slot slot() {
        return inFlight.slot();
    }

    /// The helpers, of which none runs before one is taken.
    synchronized HelperPool pool() {
        if (closed) {
            throw new IllegalStateException("the decoder is closed");
        }
        HelperPool known = pool;
        if (known == null) {
            known = new HelperPool(command.get(), deadlineNanos, scope == Scope.ALL ? 2 : 1);
            pool = known;
        }
        return known;
    }

    /// Takes back a helper that was not lost.
    void release(Helper helper) {
        HelperPool from;
        synchronized (this) {
            from = pool;
        }
        if (from == null) {
            helper.close();
        } else {
            from.release(helper);
        }
    }

    /// What its helpers went through.
    public synchronized HelperStats stats() {
        return pool == null ? new HelperStats(0, 0, 0, 0) : pool.stats();
    }

    @Override
    public void close() {
        HelperPool ending;
        synchronized (this) {
            closed = true;
            ending = pool;
        }
        if (ending != null) {
            ending.close();
        }
    }
}
