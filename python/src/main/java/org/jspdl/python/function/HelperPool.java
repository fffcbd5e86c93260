package org.jspdl.python.function;

import java.io.IOException;
import java.util.SequencedMap;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspdl.memory.BufferPool;
import org.jspdl.plan.function.SampleFunctions;
import org.jspecify.annotations.Nullable;

/// The helper processes of one function. Thread-safe: who calls gets the helper that was used last, or waits for one.
final class HelperPool implements SampleFunctions.SampleFunction, AutoCloseable {
    /// In a row that come to nothing.
    private static final int MOST_STARTS = 3;

    private final FunctionSpec spec;
    private final FunctionMemory memory;
    private final BufferPool pool;
    private final LinkedBlockingDeque<Helper> idle = new LinkedBlockingDeque<>();
    private final AtomicInteger fruitless = new AtomicInteger();
    private final AtomicReference<@Nullable FunctionException> broken = new AtomicReference<>();

    private HelperPool(FunctionSpec spec, FunctionMemory memory) {
        this.spec = spec;
        this.memory = memory;
        this.pool = BufferPool.unbounded("function " + spec.key(), memory);
    }

    /// Starts the helpers.
    ///
    /// @throws IOException if they cannot be started
    static HelperPool start(FunctionSpec spec, FunctionMemory memory) throws IOException {
        HelperPool helpers = new HelperPool(spec, memory);
        for (int i = 0; i < spec.processes(); i++) {
            helpers.idle.add(Helper.start(spec, memory, helpers.pool));
        }
        return helpers;
    }

    @Override
    public SampleFunctions.Made apply(String sample, SequencedMap<String, ?> fields, long seed)
            throws FunctionException, IOException, InterruptedException {
        Helper helper = idle.takeFirst();
        try {
            FunctionException lasting = broken.get();
            if (lasting != null) {
                throw lasting;
            }
            SampleFunctions.Made made = helper.call(sample, fields, seed);
            fruitless.set(0);
            return made;
        } catch (HelperGoneException gone) {
            helper = inPlaceOf(helper, gone);
            throw gone.failure();
        } catch (RuntimeException | Error unexpected) { // which has ended it
            helper.close();
            helper = Helper.start(spec, memory, pool);
            throw unexpected;
        } finally {
            idle.addFirst(helper);
        }
    }

    private Helper inPlaceOf(Helper helper, HelperGoneException gone) throws IOException {
        helper.close();
        if (gone.isBroken() || (!helper.isReady() && fruitless.incrementAndGet() >= MOST_STARTS)) {
            broken.compareAndSet(null, gone.failure());
            return helper;
        }
        return Helper.start(spec, memory, pool);
    }

    /// Ends the helpers that are idle; the others end with this process.
    @Override
    public void close() {
        for (Helper helper = idle.poll(); helper != null; helper = idle.poll()) {
            helper.close();
        }
    }
}
