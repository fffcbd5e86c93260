package org.jspdl.media.internal.helper;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/// One helper process. Used by one thread at a time, which owns it and closes it, which ends the process.
///
/// A call has exceeded its deadline when the process has used so much processor time, or four times as much has passed
/// by the clock: a file is not to blame for what else the machine is doing. While the helper waits for an answer to a
/// question, neither counts.
public final class Helper implements AutoCloseable {
    /// What large requests wrote beyond this is freed after them.
    private static final long KEPT = 32L << 20;
    private static final long MOST_TO_START = TimeUnit.SECONDS.toNanos(60);
    private static final int CLOCK_FACTOR = 4;
    /// SIGHUP, SIGINT and SIGTERM: what ends the processes of a terminal or a container.
    private static final Set<Integer> ENDING = Set.of(1, 2, 15);
    private static final long IDLE = Long.MAX_VALUE;
    private static final long OVERRUN = Long.MIN_VALUE;

    private final HelperPool pool;
    private final Process process;
    private final SharedMemory memory;
    private final byte[] request = new byte[Long.BYTES];
    /// When the call under way has to be over, by [System#nanoTime].
    private final AtomicLong deadline = new AtomicLong(IDLE);
    private volatile long processorAtCall;
    /// When the helper was last given the word, and what it may take from then on.
    private volatile long clockAtCall;

    private volatile long processorLeft;
    private volatile long clockLeft;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment callTime = arena.allocate(ValueLayout.JAVA_LONG, 2);
    private final AtomicBoolean watched = new AtomicBoolean();
    private final AtomicBoolean closed = new AtomicBoolean();
    private final Pieces pieces = new Pieces();
    private long used;

    private Helper(HelperPool pool, Process process, SharedMemory memory) {
        this.pool = pool;
        this.process = process;
        this.memory = memory;
    }

    /// Starts one; it is ready after [#awaitReady].
    static Helper start(HelperPool pool, HelperCommand command, StartCache cache) throws IOException {
        SharedMemory memory = SharedMemory.create();
        try {
            return new Helper(pool, command.start(memory.path(), cache), memory);
        } catch (IOException | RuntimeException failure) {
            memory.close();
            throw failure;
        }
    }

    /// Whether it got ready to serve, rather than ended or took too long.
    boolean awaitReady() {
        long end = System.nanoTime() + MOST_TO_START;
        processorAtCall = -1;
        deadline.set(end);
        pool.later(this::check, MOST_TO_START);
        try {
            boolean ready = process.getInputStream().read() == HelperServer.ANSWER;
            return deadline.compareAndSet(end, IDLE) && ready;
        } catch (IOException ended) {
            return false;
        }
    }

    /// The memory that is shared, of at least `byteSize` bytes; valid until the next call of this method.
    public MemorySegment memory(long byteSize) {
        trimMemory();
        used = byteSize;
        return memory.atLeast(byteSize);
    }

    /// The same, of at least `byteSize` bytes in all, for a call that is under way; what was given for it before
    /// stays valid until the next call of [#memory].
    public MemorySegment grow(long byteSize) {
        used = Math.max(used, byteSize);
        return memory.grow(used);
    }

    /// Memory that what it makes may stay in.
    public Pieces pieces() {
        return pieces;
    }

    /// Frees what a large request took, and ends it.
    void trim() {
        pieces.end();
        trimMemory();
    }

    private void trimMemory() {
        if (used > KEPT) {
            memory.trim(KEPT);
            used = 0;
        }
    }

    /// Lets the helper answer the request in the memory, and returns when it has.
    ///
    /// @throws HelperLostException if it ended, or did not answer in time: the helper is of no use any more
    public void call() throws HelperLostException {
        processorLeft = pool.deadlineNanos();
        clockLeft = CLOCK_FACTOR * pool.deadlineNanos();
        goOn();
    }

    /// Lets the helper go on with a call in which it asked something that is answered now; returns when it asks
    /// again or is done. All parts of a call share one deadline.
    ///
    /// @throws HelperLostException as [#call]
    public void goOn() throws HelperLostException {
        if (processorLeft <= 0 || clockLeft <= 0) {
            throw overrun();
        }
        long begin = System.nanoTime();
        long end = begin + processorLeft;
        processorAtCall = Kernel.processorNanos(process.pid(), callTime);
        clockAtCall = begin;
        deadline.set(end);
        watch();
        boolean answered = exchange();
        if (!deadline.compareAndSet(end, IDLE)) {
            throw overrun();
        }
        if (!answered) {
            throw ended();
        }
        long passed = System.nanoTime() - begin;
        long processor = Kernel.processorNanos(process.pid(), callTime);
        clockLeft -= passed;
        processorLeft -= processor < 0 || processorAtCall < 0 ? passed : processor - processorAtCall;
    }

    private HelperLostException overrun() {
        return new HelperLostException(
                String.format("was not done after %,d ms", TimeUnit.NANOSECONDS.toMillis(pool.deadlineNanos())), true);
    }

    private boolean exchange() {
        try {
            ByteBuffer.wrap(request).putLong(used);
            process.getOutputStream().write(request);
            process.getOutputStream().flush();
            return process.getInputStream().read() == HelperServer.ANSWER;
        } catch (IOException ended) {
            return false;
        }
    }

    private HelperLostException ended() {
        process.destroyForcibly();
        int status = process.onExit().join().exitValue();
        int signal = status - HelperCommand.SIGNALED;
        return ENDING.contains(signal)
                ? new HelperLostException("was told to end (signal " + signal + ")", false, true)
                : new HelperLostException(
                        signal > 0 ? "crashed (signal " + signal + ")" : "crashed (status " + status + ")", false);
    }

    /// Sees to it that the deadline is looked at: once for each period of it rather than for each call.
    private void watch() {
        if (!watched.get() && watched.compareAndSet(false, true)) {
            pool.later(this::check, pool.deadlineNanos());
        }
    }

    private void check() {
        long end = deadline.get();
        if (end == OVERRUN) {
            return;
        }
        if (end == IDLE) {
            watched.set(false);
            if (deadline.get() != IDLE) {
                watch();
            }
            return;
        }
        long left = timeLeft(end);
        if (left <= 0 && deadline.compareAndSet(end, OVERRUN)) {
            process.destroyForcibly();
        } else {
            pool.later(this::check, Math.max(left, 0));
        }
    }

    private long timeLeft(long end) {
        long left = end - System.nanoTime();
        if (left > 0 || processorAtCall < 0) {
            return left;
        }
        try (Arena time = Arena.ofConfined()) {
            long used = Kernel.processorNanos(process.pid(), time.allocate(ValueLayout.JAVA_LONG, 2)) - processorAtCall;
            long mostByClock = clockAtCall + clockLeft - System.nanoTime();
            return Math.min(mostByClock, processorLeft - Math.max(used, 0));
        }
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            process.destroyForcibly();
            memory.close();
            pieces.close();
            arena.close();
            pool.closed(this);
        }
    }

    /// Ends the process from any thread, so that whoever waits for it goes on.
    void kill() {
        process.destroyForcibly();
    }
}
