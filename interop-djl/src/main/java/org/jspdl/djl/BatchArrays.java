package org.jspdl.djl;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import java.nio.LongBuffer;
import org.jspdl.memory.Tensor;

/// What a batch gives to a trainer: arrays that go into the model, and arrays that it should give.
///
/// Filled by a [BatchReader]. Arrays belong to the batch and end with it.
public final class BatchArrays {
    private final NDManager manager;
    private final NDList data = new NDList();
    private final NDList labels = new NDList();

    BatchArrays(NDManager manager) {
        this.manager = manager;
    }

    /// Adds an input of the model, over the memory of `tensor`.
    public BatchArrays data(Tensor tensor) {
        return data(DjlArrays.view(tensor, manager));
    }

    /// Adds an input of the model that was made by [#manager].
    public BatchArrays data(NDArray array) {
        data.add(array);
        return this;
    }

    /// Adds what the model should give, over the memory of `tensor`.
    public BatchArrays label(Tensor tensor) {
        return label(DjlArrays.view(tensor, manager));
    }

    /// Adds the numbers of classes, copied into an INT64 array.
    public BatchArrays label(long[] classes) {
        return label(manager.create(
                LongBuffer.wrap(classes), new ai.djl.ndarray.types.Shape(classes.length), DataType.INT64));
    }

    /// Adds what the model should give, made by [#manager].
    public BatchArrays label(NDArray array) {
        labels.add(array);
        return this;
    }

    /// Makes arrays that end with the batch, for conversions on the engine's side.
    public NDManager manager() {
        return manager;
    }

    NDList allData() {
        return data;
    }

    NDList allLabels() {
        return labels;
    }
}
