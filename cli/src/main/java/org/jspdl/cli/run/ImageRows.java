package org.jspdl.cli.run;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspdl.data.rows.Row;
import org.jspdl.data.rows.RowBlocks;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;
import org.jspdl.media.image.ImageDecoder;
import org.jspdl.media.image.ImageSpec;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Lease;
import org.jspdl.memory.SlabProvider;

/// The memory and the decoder of one `allocate-batch` step: gives every image a row in a batch to be decoded into.
///
/// Thread-safe. Closed after the run and after every batch.
final class ImageRows implements AutoCloseable {

    private final int batch;
    private final ImageDecoder decoder;
    private final BufferPool encoded = BufferPool.unbounded("encoded images");
    private final BufferPool batches;
    private final ReentrantLock claiming = new ReentrantLock();
    private final RowBlocks rows;

    private ImageRows(ImageSpec spec, ElementType type, int batch, SlabProvider memory) {
        this.batch = batch;
        this.decoder = ImageDecoder.create(spec);
        this.batches = BufferPool.unbounded("batches", memory);
        this.rows = RowBlocks.of(batches, type, spec.rowShape(), batch, Long.MAX_VALUE);
    }

    /// Rows for images as `spec` makes them, `batch` in one piece of `memory`.
    static ImageRows open(ImageSpec spec, ElementType type, int batch, SlabProvider memory) {
        return new ImageRows(spec, type, batch, memory);
    }

    /// The image with a row of its own, owned by the caller.
    PlannedImage place(ImageFile file) {
        claiming.lock();
        try {
            PlannedImage image =
                    new PlannedImage(file, new Sample(file.index(), file.label(), file::location, rows.claim()), this);
            if (file.last()) {
                rows.endEpoch();
            }
            return image;
        } finally {
            claiming.unlock();
        }
    }

    /// The rows of one batch in one tensor; its rows are used up.
    RowBlocks.Gathered gather(List<Row> written) {
        if (written.size() > batch) {
            throw new IllegalStateException("a batch of " + written.size()
                    + " images was gathered, but 'allocate-batch' made" + " room for batches of " + batch);
        }
        claiming.lock();
        try {
            return rows.gather(written);
        } finally {
            claiming.unlock();
        }
    }

    /// The bytes of a file, owned by the caller.
    Lease read(Storage storage, Location location) throws IOException {
        return new FileBytes(storage, encoded, FileBytes.MOST_BYTES).read(location);
    }

    ImageDecoder decoder() {
        return decoder;
    }

    @Override
    public void close() {
        try (decoder;
                encoded;
                batches) {
            rows.close();
        }
    }
}
