package org.jspdl.data.rows;

import java.lang.foreign.MemorySegment;

/// One row of a batch to be, claimed for one sample.
///
/// Its owner writes it and has it gathered, or closes it: then it may be used for another sample. May be handed from
/// thread to thread.
public final class Row implements AutoCloseable {
    private final RowBlock block;
    private final int index;

    Row(RowBlock block, int index) {
        this.block = block;
        this.index = index;
    }

    /// The row's memory, of undefined content until its owner writes it.
    public MemorySegment segment() {
        return block.row(index);
    }

    RowBlock block() {
        return block;
    }

    int index() {
        return index;
    }

    @Override
    public void close() {
        block.free(this);
    }
}
