package org.jspdl.cli.run;

import java.io.IOException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspdl.data.rows.RowBlocks;
import org.jspdl.media.image.ImageDecoder;
import org.jspdl.media.image.ImageSpec;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Lease;
import org.jspecify.annotations.Nullable;

/// The memory and the decoder of one `allot-rows` step: gives every image a row in a batch to be decoded into.
///
/// Thread-safe. Closed after the run and after every batch.
final class ImageRows implements AutoCloseable {
    private static final long POOL_LIMIT = 1L << 40; // the pipeline's bounds limit what is in use, not the pool

    private final ImageSpec spec;
    private final ElementType type;
    private final int batch;
    private final ImageDecoder decoder;
    private final BufferPool encoded = BufferPool.create("encoded images", POOL_LIMIT);
    private final BufferPool batches = BufferPool.create("batches", POOL_LIMIT);
    private final ReentrantLock claiming = new ReentrantLock();
    private @Nullable RowBlocks rows;

    private ImageRows(ImageSpec spec, ElementType type, int batch, ImageDecoder decoder) {
        this.spec = spec;
        this.type = type;
        this.batch = batch;
        this.decoder = decoder;
    }

    /// Rows for images as `spec` makes them, `batch` in one piece.
    static ImageRows open(ImageSpec spec, ElementType type, int batch) {
        return new ImageRows(spec, type, batch, ImageDecoder.create(spec));
    }

    /// The image with a row of its own, owned by the caller.
    PlannedImage place(ImageFile file) {
        claiming.lock();
        try {
            return new PlannedImage(file, new Sample(file.index(), blocks(file).claim()), this);
        } finally {
            claiming.unlock();
        }
    }

    private RowBlocks blocks(ImageFile file) {
        RowBlocks blocks = rows;
        if (blocks == null) {
            blocks = RowBlocks.of(batches, type, spec.rowShape(), batch, file.perEpoch());
            rows = blocks;
        }
        return blocks;
    }

    /// The rows of one batch in one tensor; its rows are used up.
    RowBlocks.Gathered gather(java.util.List<org.jspdl.data.rows.Row> written, ImageFile first) {
        if (written.size() > batch) {
            throw new IllegalStateException("a batch of " + written.size()
                    + " images was gathered, but 'allot-rows' made" + " room for batches of " + batch);
        }
        claiming.lock();
        try {
            return blocks(first).gather(written);
        } finally {
            claiming.unlock();
        }
    }

    /// The bytes of a file, owned by the caller.
    Lease read(ImageFile file) throws IOException {
        return new FileBytes(file.storage(), encoded, FileBytes.MOST_BYTES).read(file.location());
    }

    ImageDecoder decoder() {
        return decoder;
    }

    @Override
    public void close() {
        try (decoder;
                encoded;
                batches) {
            if (rows != null) {
                rows.close();
            }
        }
    }
}
