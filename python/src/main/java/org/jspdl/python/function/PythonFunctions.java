package org.jspdl.python.function;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspdl.memory.SlabProvider;
import org.jspdl.plan.function.SampleFunctions;
import org.jspecify.annotations.Nullable;

/// The functions of the trainer's program, each in helper processes that last as long as this process does, over all
/// runs.
///
/// Thread-safe.
public final class PythonFunctions implements SampleFunctions, AutoCloseable {
    private final Map<String, HelperPool> functions = new LinkedHashMap<>();
    private @Nullable FunctionMemory memory;

    /// None.
    public PythonFunctions() {}

    /// Starts the helpers of those functions that are not there yet.
    ///
    /// @param described as the trainer describes them, JSON; empty for none
    /// @throws IOException if they cannot be started
    public synchronized void add(String described) throws IOException {
        for (FunctionSpec spec : FunctionSpec.parse(described)) {
            if (!functions.containsKey(spec.key())) {
                functions.put(spec.key(), HelperPool.start(spec, shared()));
            }
        }
    }

    private FunctionMemory shared() throws IOException {
        FunctionMemory there = memory;
        if (there == null) {
            there = FunctionMemory.create();
            memory = there;
        }
        return there;
    }

    /// Whether there are any.
    public synchronized boolean isEmpty() {
        return functions.isEmpty();
    }

    @Override
    public synchronized SampleFunction named(String name) {
        HelperPool found = functions.get(name);
        if (found == null) {
            throw new IllegalArgumentException(
                    "the trainer has no function '" + name + "'; it has " + functions.keySet());
        }
        return found;
    }

    @Override
    public synchronized SlabProvider memory() {
        FunctionMemory there = memory;
        return there == null ? SlabProvider.nativeMemory() : there;
    }

    /// Ends all helpers at once, whatever they are at: there is nobody any more for whom they would do it.
    public synchronized void kill() {
        functions.values().forEach(HelperPool::kill);
    }

    @Override
    public synchronized void close() {
        functions.values().forEach(HelperPool::close);
    }
}
