package org.jspdl.data.rows;

import java.lang.foreign.MemorySegment;

/// One row of a batch to be, claimed for one sample.
///
/// Its owner writes it and has it stacked, or closes it: then it may be used for another sample. May be handed from
/// thread to thread.
public final class BatchRow implements AutoCloseable {
    private final BatchBuffer buffer;
    private final int index;

    BatchRow(BatchBuffer buffer, int index) {
        this.buffer = buffer;
        this.index = index;
    }

    /// The row's memory, of undefined content until its owner writes it.
    public MemorySegment segment() {
        return buffer.row(index);
    }

    BatchBuffer buffer() {
        return buffer;
    }

    int index() {
        return index;
    }

    @Override
    public void close() {
        buffer.free(this);
    }
}
