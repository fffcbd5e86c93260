package org.jspdl.python.function;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SequencedMap;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspdl.memory.BufferPool;
import org.jspdl.plan.function.SampleFunctions;
import org.jspecify.annotations.Nullable;

/// The helper processes of one function, each with a thread that talks to it. Thread-safe.
///
/// They are platform threads: reading a pipe holds the carrier of a virtual thread, and with as many helpers at work as
/// there are carriers nothing else of the loader would go on. A call goes to the helper that is done first.
final class HelperPool implements SampleFunctions.SampleFunction, AutoCloseable {
    /// In a row that come to nothing.
    private static final int MOST_STARTS = 3;

    private final FunctionSpec spec;
    private final FunctionMemory memory;
    private final BufferPool pool;
    private final LinkedBlockingQueue<Call> calls = new LinkedBlockingQueue<>();
    private final List<Thread> threads = new ArrayList<>();
    private final Set<Helper> helpers = ConcurrentHashMap.newKeySet();
    private final AtomicInteger serving = new AtomicInteger();
    private volatile boolean killed;
    private final AtomicInteger fruitless = new AtomicInteger();
    private final AtomicReference<@Nullable FunctionException> broken = new AtomicReference<>();

    /// A call that waits for a helper, or is made. Compared by identity.
    private static final class Call {
        private final String sample;
        private final SequencedMap<String, ?> fields;
        private final long seed;
        private final CompletableFuture<SampleFunctions.Made> made = new CompletableFuture<>();

        Call(String sample, SequencedMap<String, ?> fields, long seed) {
            this.sample = sample;
            this.fields = fields;
            this.seed = seed;
        }
    }

    private HelperPool(FunctionSpec spec, FunctionMemory memory) {
        this.spec = spec;
        this.memory = memory;
        this.pool = BufferPool.unbounded("function " + spec.key(), memory);
    }

    /// Starts the helpers.
    ///
    /// @throws IOException if they cannot be started
    static HelperPool start(FunctionSpec spec, FunctionMemory memory) throws IOException {
        HelperPool all = new HelperPool(spec, memory);
        try {
            for (int i = 0; i < spec.processes(); i++) {
                Helper helper = all.started();
                all.serving.incrementAndGet();
                all.threads.add(Thread.ofPlatform()
                        .name("jspdl-function-" + spec.key() + "-" + i)
                        .daemon()
                        .start(() -> all.serve(helper)));
            }
        } catch (Throwable failure) {
            all.close();
            throw failure;
        }
        return all;
    }

    private Helper started() throws IOException {
        Helper helper = Helper.start(spec, memory, pool);
        helpers.add(helper);
        if (killed) {
            helper.destroy();
        }
        return helper;
    }

    @Override
    public SampleFunctions.Made apply(String sample, SequencedMap<String, ?> fields, long seed)
            throws FunctionException, IOException, InterruptedException {
        Call call = new Call(sample, fields, seed);
        calls.add(call);
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return call.made.get();
                } catch (InterruptedException stop) {
                    if (calls.remove(call)) {
                        throw stop;
                    }
                    interrupted = true; // a helper has the sample's memory until it is done
                }
            }
        } catch (ExecutionException failed) {
            throw failure(failed);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static IOException failure(ExecutionException failed) throws FunctionException {
        return switch (failed.getCause()) {
            case FunctionException failure -> throw failure;
            case IOException failure -> failure;
            case RuntimeException failure -> throw failure;
            case Error failure -> throw failure;
            case null, default -> new IOException(failed.getMessage(), failed);
        };
    }

    private void serve(Helper first) {
        Helper helper = first;
        try {
            while (true) {
                helper = make(calls.take(), helper);
            }
        } catch (InterruptedException closed) {
            end(helper);
        } finally {
            if (serving.decrementAndGet() == 0) {
                closeMemory();
            }
        }
    }

    /// Makes a call; the helper for the next.
    private Helper make(Call call, Helper helper) {
        FunctionException lasting = broken.get();
        if (lasting != null) {
            call.made.completeExceptionally(lasting);
            return helper;
        }
        try {
            SampleFunctions.Made made = helper.call(call.sample, call.fields, call.seed);
            fruitless.set(0);
            call.made.complete(made);
            return helper;
        } catch (FunctionException failed) {
            call.made.completeExceptionally(failed);
            return helper;
        } catch (HelperGoneException gone) {
            return inPlaceOf(helper, gone, call);
        } catch (RuntimeException | Error unexpected) { // which has ended the helper
            return another(helper, unexpected, call);
        }
    }

    private Helper inPlaceOf(Helper helper, HelperGoneException gone, Call call) {
        if (gone.isBroken() || (!helper.isReady() && fruitless.incrementAndGet() >= MOST_STARTS)) {
            end(helper);
            broken.compareAndSet(null, gone.failure());
            call.made.completeExceptionally(gone.failure());
            return helper;
        }
        return another(helper, gone.failure(), call);
    }

    /// Another helper; the one that is gone if there can be none, so that the next call tries again.
    private Helper another(Helper helper, Throwable failure, Call call) {
        end(helper);
        if (killed) {
            call.made.completeExceptionally(failure);
            return helper;
        }
        try {
            Helper fresh = started();
            call.made.completeExceptionally(failure);
            return fresh;
        } catch (IOException refused) {
            call.made.completeExceptionally(refused);
            return helper;
        }
    }

    private void closeMemory() {
        try {
            pool.close();
        } catch (IllegalStateException inUse) {
            // what samples still lie in is freed with them
        }
    }

    private void end(Helper helper) {
        helpers.remove(helper);
        helper.close();
    }

    /// Ends the helpers at once: a call that one was at fails, others wait until they are interrupted.
    void kill() {
        killed = true;
        helpers.forEach(Helper::destroy);
        close();
    }

    /// Ends the helpers when they have done what they are at. Nobody calls the function any more.
    @Override
    public void close() {
        threads.forEach(Thread::interrupt);
    }
}
