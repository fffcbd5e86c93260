package org.jspdl.data.plan.value;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspdl.data.loader.TensorBatch;
import org.jspdl.memory.ElementType;

/// Sees that the elements of a field have one type in all batches: files whose columns have others would change it
/// between two batches. Safe for any thread.
public final class SameTypes {
    private final Map<String, Met> met = new ConcurrentHashMap<>();

    private record Met(ElementType type, String sample) {}

    /// No batch was met.
    public SameTypes() {}

    /// The same batch.
    ///
    /// @param batch  is closed if this throws
    /// @param sample what its first sample is called
    /// @throws IOException if a field had another type before; the message names a sample of each
    public TensorBatch require(TensorBatch batch, String sample) throws IOException {
        for (String field : batch.tensors()) {
            ElementType type = batch.tensor(field).type();
            Met before = met.putIfAbsent(field, new Met(type, sample));
            if (before != null && before.type != type) {
                batch.close();
                throw new IOException(sample + ": the field '" + field + "' has elements of " + type
                        + ", and in the batch that begins with " + before.sample + " of " + before.type
                        + ": write it with one type, or leave it out by 'keep'");
            }
        }
        return batch;
    }
}
