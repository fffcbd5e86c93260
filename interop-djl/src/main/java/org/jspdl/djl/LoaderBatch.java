package org.jspdl.djl;

import ai.djl.ndarray.NDManager;
import ai.djl.training.dataset.Batch;
import ai.djl.translate.Batchifier;

/// A batch over the memory of one of ours, which it closes with itself, after the arrays.
final class LoaderBatch extends Batch {
    private final Object source;
    private boolean closed;

    LoaderBatch(NDManager manager, BatchArrays arrays, int size, long progress, long progressTotal, Object source) {
        super(
                manager,
                arrays.allData(),
                arrays.allLabels(),
                size,
                Batchifier.STACK,
                Batchifier.STACK,
                progress,
                progressTotal);
        this.source = source;
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            try {
                super.close();
            } finally {
                closeSource(source);
            }
        }
    }

    static void closeSource(Object source) {
        switch (source) {
            case AutoCloseable closeable -> close(closeable);
            case Iterable<?> parts -> parts.forEach(LoaderBatch::closeSource);
            default -> {}
        }
    }

    private static void close(AutoCloseable closeable) {
        try {
            closeable.close();
        } catch (RuntimeException failure) {
            throw failure;
        } catch (Exception failure) {
            throw new IllegalStateException(
                    "cannot close a " + closeable.getClass().getName(), failure);
        }
    }
}
