package org.jspdl.cli.run;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.SequencedMap;
import org.jspdl.memory.NamedValues;
import org.jspdl.memory.Tensor;

/// Images in one tensor, with their class numbers and their numbers in the dataset. Closing releases the memory.
record ImageBatch(Tensor images, int[] labels, int[] indices) implements NamedValues, AutoCloseable {

    int size() {
        return labels.length;
    }

    /// `image`, `label` and `index`; the last two as 64-bit numbers, which loss functions take.
    @Override
    public SequencedMap<String, ?> namedValues() {
        SequencedMap<String, Object> values = new LinkedHashMap<>();
        values.put("image", images);
        values.put("label", Arrays.stream(labels).asLongStream().toArray());
        values.put("index", Arrays.stream(indices).asLongStream().toArray());
        return values;
    }

    @Override
    public void close() {
        images.close();
    }
}
