package org.jspdl.examples;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.jspdl.data.dataset.LabeledFile;
import org.jspdl.data.dataset.LabeledFiles;
import org.jspdl.data.loader.DataLoader;
import org.jspdl.data.loader.RowBatch;
import org.jspdl.data.storage.Storage;
import org.jspdl.data.storage.StoredObject;
import org.jspdl.media.image.ImageDecoder;
import org.jspdl.media.image.ImageSpec;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Lease;
import org.jspdl.source.Sampler;
import org.jspdl.source.Subset;

/// A folder of photographs with one sub-folder for each class, split by chance: loaders of batches in which each
/// photograph is a row. Closed after its loaders.
public final class Photos implements AutoCloseable {
    private static final long FILE_BYTES = 256L << 20;
    private static final long BATCH_BYTES = 1L << 30;
    private static final int MOST_BYTES = 64 << 20;
    private static final long SPLIT_SEED = 5;

    private final Storage storage;
    private final ImageSpec spec;
    private final ImageDecoder decoder;
    private final BufferPool encoded = BufferPool.create("files", FILE_BYTES);
    private final LabeledFiles files;

    private Photos(Storage storage, ImageSpec spec, LabeledFiles files) {
        this.storage = storage;
        this.spec = spec;
        this.files = files;
        this.decoder = ImageDecoder.create(spec);
    }

    /// The photographs below `folder`, each of which becomes a row as `spec` says.
    public static Photos open(String folder, ImageSpec spec) throws IOException {
        Storage storage = Storage.open();
        try {
            return new Photos(storage, spec, LabeledFiles.open(storage, folder));
        } catch (Throwable failure) {
            storage.close();
            throw failure;
        }
    }

    /// How many photographs there are.
    public long size() {
        return files.size();
    }

    /// How many classes there are.
    public int classes() {
        return files.classes().size();
    }

    /// Four in five, drawn by chance, always the same.
    public Subset training() {
        return Subset.randomSplit(files.size(), SPLIT_SEED, 0, held());
    }

    /// The rest.
    public Subset validation() {
        return Subset.randomSplit(files.size(), SPLIT_SEED, held(), files.size());
    }

    private long held() {
        return files.size() * 4 / 5;
    }

    /// A loader of the photographs that `sampler` visits, decoded by `workers` at once. The caller closes it.
    public DataLoader<RowBatch<LabeledFile>> loader(Sampler sampler, int batch, int workers) {
        return DataLoader.of(files)
                .sampler(sampler)
                .numWorkers(workers)
                .batchRows(batch, spec.elements(), spec.rowShape(), BATCH_BYTES, this::decode)
                .build();
    }

    private void decode(LabeledFile file, MemorySegment row) throws IOException {
        try (StoredObject object = storage.object(file.location());
                Lease bytes = object.readAll(encoded, MOST_BYTES)) {
            decoder.decodeInto(bytes.segment(), row);
        }
    }

    @Override
    public void close() {
        try (storage;
                decoder;
                encoded) {
            // closed in this order, backwards
        }
    }
}
