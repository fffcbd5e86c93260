package org.jspdl.media.internal.codec;

import java.util.function.Supplier;
import org.jspdl.media.internal.helper.Helper;
import org.jspdl.media.internal.helper.HelperCommand;
import org.jspdl.media.internal.helper.HelperLostException;
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

    /// As many as may be lost, one file in a hundred, before a busy machine of two processors has started more.
    private static final int SPARES_AT_START = 6;

    private final Scope scope;
    private final long deadlineNanos;
    private final Supplier<HelperCommand> command;
    /// Made when a native codec first needs it: it is a file, and most runs decode nothing natively.
    private final Supplier<InFlight> inFlight;
    private @Nullable HelperPool pool;
    private boolean closed;

    /// @param deadlineNanos how long decoding a file may take, in nanoseconds
    public CodecIsolation(Scope scope, long deadlineNanos, JpegLibrary library) {
        this(scope, deadlineNanos, () -> CodecHelper.command(library), InFlight::ofProcess);
    }

    /// The same for helpers of another kind.
    public CodecIsolation(Scope scope, long deadlineNanos, Supplier<HelperCommand> command) {
        this(scope, deadlineNanos, command, InFlight::ofProcess);
    }

    CodecIsolation(Scope scope, long deadlineNanos, Supplier<HelperCommand> command, InFlight inFlight) {
        this(scope, deadlineNanos, command, () -> inFlight);
    }

    private CodecIsolation(
            Scope scope, long deadlineNanos, Supplier<HelperCommand> command, Supplier<InFlight> inFlight) {
        this.scope = scope;
        this.deadlineNanos = deadlineNanos;
        this.command = command;
        this.inFlight = inFlight;
    }

    /// What is decoded in helpers.
    public Scope scope() {
        return scope;
    }

    /// How long decoding a file may take, in nanoseconds.
    public long deadlineNanos() {
        return deadlineNanos;
    }

    /// What there is reason to suspect.
    public Suspects suspects() {
        return inFlight.get().suspects();
    }

    /// Where a context notes what it is decoding here.
    public InFlight.Slot slot() {
        return inFlight.get().slot();
    }

    /// The helpers, of which none runs before one is taken.
    public synchronized HelperPool pool() {
        if (closed) {
            throw new IllegalStateException("the decoder is closed");
        }
        HelperPool known = pool;
        if (known == null) {
            known = scope == Scope.ALL
                    ? new HelperPool(command.get(), deadlineNanos, 2, SPARES_AT_START)
                    : new HelperPool(command.get(), deadlineNanos, 1);
            pool = known;
        }
        return known;
    }

    /// Takes back a helper that was not lost.
    public void release(Helper helper) {
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

    /// Takes what is left of a helper that was lost over a file, which is suspect from now on, unless the helper
    /// was told to end.
    ///
    /// @throws IllegalStateException if the decoder was closed, which ends helpers that are at work: nothing is
    ///     suspect
    public void lost(Helper helper, HelperLostException why, String format, long key) {
        HelperPool from;
        boolean ended;
        synchronized (this) {
            from = pool;
            ended = closed;
        }
        if (from == null) {
            helper.close();
        } else {
            from.lost(helper, why);
        }
        if (ended) {
            throw new IllegalStateException("the decoder is closed");
        }
        if (!why.wasToldToEnd()) {
            suspects().convict(format, key);
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
