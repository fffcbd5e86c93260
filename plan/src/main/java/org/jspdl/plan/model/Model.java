package org.jspdl.plan.model;

import java.io.IOException;
import java.util.List;
import java.util.Map;

/// An opened model. Any number of threads may run it at once; closed by its owner after the last run.
///
/// Equal inputs give equal outputs, to the bit, in every process whose model has the same content and the same
/// [#identity].
public interface Model extends AutoCloseable {
    /// What outputs depend on beside the model's file and its inputs: the library, its version, and what it chooses
    /// its arithmetic by.
    String identity();

    /// What it takes, in its order.
    List<ModelTensor> inputs();

    /// What it gives, in its order.
    List<ModelTensor> outputs();

    /// Takes what a run gives.
    @FunctionalInterface
    interface Taker {
        /// Takes an output, whose elements are valid until this returns.
        void take(String output, ModelValue value) throws IOException;
    }

    /// Runs it once, on this thread alone.
    ///
    /// @param inputs  all that it takes, by name, which stay the caller's
    /// @param outputs which are wanted; given to `taker` in this order
    /// @throws IOException if it fails for these inputs; the message says what the library says
    void run(Map<String, ModelValue> inputs, List<String> outputs, Taker taker) throws IOException;

    @Override
    void close();
}
