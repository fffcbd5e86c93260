package org.jspdl.cli.run;

import org.jspdl.memory.Tensor;

/// Images in one tensor, with their class numbers and their numbers in the dataset. Closing gives the memory back.
record ImageBatch(Tensor images, int[] labels, int[] indices) implements AutoCloseable {

    int size() {
        return labels.length;
    }

    @Override
    public void close() {
        images.close();
    }
}
