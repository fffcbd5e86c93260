package org.jspdl.data.image;

import java.util.List;
import java.util.function.Consumer;
import org.jspdl.data.rows.BatchAllocator;
import org.jspdl.media.image.ImageDecoder;
import org.jspdl.media.image.ImageSpec;
import org.jspdl.media.image.Isolation;
import org.jspdl.media.image.JpegBackend;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.SlabProvider;

/// What is done to an image on its way to a batch, and the memory and the decoder that it takes: a row is allocated for
/// it, its file is [read][ImageSample#read] and [decoded][ImageSample#decode] into the row, and rows are stacked.
///
/// Thread-safe. For one run at a time; closed after the run and after every batch.
public final class ImageSteps implements AutoCloseable {
    private final ImageDecoder decoder;
    private final BufferPool batches;
    private final BatchAllocator rows;

    private ImageSteps(ImageDecoder decoder, int batchSize, SlabProvider memory) {
        ImageSpec spec = decoder.spec();
        this.decoder = decoder;
        this.batches = BufferPool.unbounded("batches", memory);
        this.rows = BatchAllocator.of(batches, spec.elements(), spec.rowShape(), batchSize);
    }

    /// Steps for batches of `batchSize` images, as `spec` makes them, in `memory`.
    public static ImageSteps open(
            ImageSpec spec, JpegBackend jpeg, Isolation isolation, int batchSize, SlabProvider memory) {
        spec.rowShape();
        return new ImageSteps(ImageDecoder.create(spec, jpeg, isolation), batchSize, memory);
    }

    /// Gives the image a row of a batch to be. Images are given rows in the order in which batches shall have them.
    public ImageSample allocate(ImageSample image) {
        return image.allocated(rows.claim(image.epoch(), image.last()), this);
    }

    /// The decoded images in one batch, owned by the caller.
    public static ImageBatch stack(List<ImageSample> images) {
        return images.getFirst().steps().stacked(images, origins -> {});
    }

    /// The same.
    ///
    /// @param from is told what each image was made from, in the order of the batch
    public static ImageBatch stack(List<ImageSample> images, Consumer<? super List<ImageOrigin>> from) {
        return images.getFirst().steps().stacked(images, made -> from.accept(origins(made)));
    }

    private static List<ImageOrigin> origins(List<ImageSample> images) {
        return images.stream().map(ImageSample::origin).toList();
    }

    private ImageBatch stacked(List<ImageSample> images, Consumer<? super List<ImageSample>> made) {
        BatchAllocator.Stacked<ImageSample> stacked = rows.stack(images, ImageSample::row);
        made.accept(stacked.samples());
        int[] indices = new int[images.size()];
        int[] labels = new int[images.size()];
        int[] everywhere = new int[images.size()];
        for (int i = 0; i < indices.length; i++) {
            ImageSample image = stacked.samples().get(i);
            indices[i] = image.index();
            labels[i] = image.label();
            everywhere[i] = image.everywhere();
        }
        return new ImageBatch(stacked.tensor(), labels, indices, everywhere[0] < 0 ? new int[0] : everywhere);
    }

    ImageDecoder decoder() {
        return decoder;
    }

    @Override
    public void close() {
        try (decoder;
                batches) {
            rows.close();
        }
    }
}
