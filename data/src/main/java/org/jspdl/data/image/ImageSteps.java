package org.jspdl.data.image;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspdl.data.rows.BatchAllocator;
import org.jspdl.media.ImageFormat;
import org.jspdl.media.image.IdleThreads;
import org.jspdl.media.image.ImageDecoder;
import org.jspdl.media.image.ImageSpec;
import org.jspdl.media.image.Isolation;
import org.jspdl.media.image.JpegBackend;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.SlabProvider;
import org.jspdl.pipeline.idle.IdleCompute;

/// What is done to an image on its way to a batch, and the memory and the decoder that it takes: a row is allocated for
/// it, its file is [read][ImageSample#read] and [decoded][ImageSample#decode] into the row, and rows are stacked.
///
/// Where a `cpu` stage decodes, its [idle threads][IdleCompute] help with large JPEG pictures that have restart
/// markers, as [IdleThreads] says; samples and errors never depend on it.
///
/// Thread-safe. For one run at a time; closed after the run and after every batch.
public final class ImageSteps implements AutoCloseable {
    private final ImageDecoder decoder;
    private final BufferPool batches;
    private final BatchAllocator rows;
    private final boolean refusesDeep;

    private ImageSteps(ImageDecoder decoder, int batchSize, SlabProvider memory, boolean refusesDeep) {
        ImageSpec spec = decoder.spec();
        this.decoder = decoder;
        this.refusesDeep = refusesDeep;
        this.batches = BufferPool.unbounded("batches", memory);
        this.rows = BatchAllocator.of(batches, spec.elements(), spec.rowShape(), batchSize);
    }

    /// Steps for batches of `batchSize` images, as `spec` makes them, in `memory`.
    public static ImageSteps open(
            ImageSpec spec, JpegBackend jpeg, Isolation isolation, int batchSize, SlabProvider memory) {
        spec.rowShape();
        return new ImageSteps(decoder(spec, jpeg, isolation), batchSize, memory, false);
    }

    private static ImageDecoder decoder(ImageSpec spec, JpegBackend jpeg, Isolation isolation) {
        int threads = Runtime.getRuntime().availableProcessors();
        return ImageDecoder.create(spec, jpeg, isolation, new IdleThreads(IdleCompute.executor(), threads));
    }

    /// The same for images that are sent elsewhere [as bytes][ImageSpec#asBytes] and become what `spec` says there.
    public static ImageSteps serving(ImageSpec spec, JpegBackend jpeg, Isolation isolation, int batchSize) {
        spec.rowShape();
        return new ImageSteps(
                decoder(spec.asBytes(), jpeg, isolation),
                batchSize,
                SlabProvider.nativeMemory(),
                spec.elements() != ElementType.UINT8);
    }

    /// Refuses a file of which bytes hold less than a local run would see.
    ///
    /// @throws NotServableException if it is one
    void checkServable(ImageSample image, MemorySegment encoded) {
        if (refusesDeep && ImageDecoder.format(encoded).orElse(ImageFormat.JPEG) != ImageFormat.JPEG) {
            int bits = ImageDecoder.probe(encoded).bitDepth();
            if (bits > 8) {
                throw new NotServableException(image.name() + " has " + bits
                        + " bits for a channel, of which a local run keeps more than the 8 that are served; load it"
                        + " locally, or make 'dtype' uint8");
            }
        }
    }

    /// Gives the image a row of a batch to be. Images are given rows in the order in which batches shall have them.
    public ImageSample allocate(ImageSample image) {
        image.expect(decoder.spec());
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

    /// The same.
    ///
    /// @param order is told, by row of the batch, which of `images` lies there; not if all lie as they came
    public static ImageBatch stackTelling(List<ImageSample> images, Consumer<? super int[]> order) {
        return images.getFirst().steps().stacked(images, made -> {
            int[] places = order(made, images);
            if (!Arrays.equals(places, IntStream.range(0, places.length).toArray())) {
                order.accept(places);
            }
        });
    }

    private static int[] order(List<ImageSample> made, List<ImageSample> from) {
        IdentityHashMap<ImageSample, Integer> places = new IdentityHashMap<>();
        for (int i = 0; i < from.size(); i++) {
            places.put(from.get(i), i);
        }
        return made.stream().mapToInt(places::get).toArray();
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
