package org.jspdl.media.image;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;
import org.jspdl.input.DecodeException;
import org.jspdl.media.internal.lifetime.SharedWork;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Tensor;

/// Decodes lists of images into batches: one tensor for each list, with one image in each row.
///
/// Any number of threads may call [#decode] at once. Owns a decoder and threads, which [#close] ends; the pool stays
/// the caller's. With several threads, encoded images must lie in memory that all of them may read: not in a confined
/// arena.
public final class ImageBatches implements AutoCloseable {
    private final ImageDecoder decoder;
    private final BufferPool pool;
    private final SharedWork work;

    private ImageBatches(ImageDecoder decoder, BufferPool pool, SharedWork work) {
        this.decoder = decoder;
        this.pool = pool;
        this.work = work;
    }

    /// Batches of what `spec` makes of images, in memory from `pool`, decoded by the calling thread.
    ///
    /// @throws IllegalStateException if the size of `spec` depends on the image
    public static ImageBatches of(ImageSpec spec, BufferPool pool) {
        return of(spec, pool, 1);
    }

    /// The same, decoded by up to `threads` threads at once, of which the calling one is one. Threads that have no
    /// image left help with large JPEG pictures that have restart markers.
    ///
    /// @throws IllegalStateException if the size of `spec` depends on the image
    public static ImageBatches of(ImageSpec spec, BufferPool pool, int threads) {
        if (threads < 1) {
            throw new IllegalArgumentException("threads must be at least 1 but was " + threads);
        }
        spec.rowShape();
        SharedWork work = SharedWork.owning(threads);
        return new ImageBatches(ImageDecoder.create(spec, JpegBackend.BEST, Isolation.auto(), work), pool, work);
    }

    /// Decodes every image into the row of its index; the caller owns the tensor.
    ///
    /// @throws DecodeException if an image cannot be decoded; the message begins with its index, and of several it
    ///     is the first
    public Tensor decode(List<MemorySegment> encoded) {
        return fill(encoded, (index, row) -> decoder.decodeInto(encoded.get(index), row));
    }

    /// Decodes every image into the row of its index, and puts the next sound one in the row of each that cannot be
    /// decoded; the caller owns the batch, which says which.
    ///
    /// @throws DecodeException if no image at all can be decoded: what is wrong with the first one
    /// @throws IllegalArgumentException if there are no images
    public MendedBatch decodeSound(List<MemorySegment> encoded) {
        if (encoded.isEmpty()) {
            throw new IllegalArgumentException("there are no images to make a batch of");
        }
        Map<Integer, DecodeException> failures = new ConcurrentHashMap<>();
        Tensor batch = fill(encoded, (index, row) -> {
            try {
                decoder.decodeInto(encoded.get(index), row);
            } catch (DecodeException damaged) {
                failures.put(index, damaged.withSource(name(index, encoded)));
            }
        });
        DecodeException first = failures.get(0);
        if (first != null && failures.size() == encoded.size()) {
            batch.close();
            throw first;
        }
        List<Integer> sources = new ArrayList<>();
        for (int i = 0; i < encoded.size(); i++) {
            int source = i;
            while (failures.containsKey(source)) {
                source = (source + 1) % encoded.size();
            }
            sources.add(source);
            if (source != i) {
                batch.row(i).copyFrom(batch.row(source));
            }
        }
        return new MendedBatch(batch, sources, failures);
    }

    private static String name(int index, List<MemorySegment> encoded) {
        return "image " + index + " of " + encoded.size();
    }

    /// Decodes every image into the row of its index, transformed as the generator of the same index says; the
    /// caller owns the batch, which keeps the sampled parameters.
    ///
    /// @throws DecodeException if an image cannot be decoded; the message begins with its index
    /// @throws IllegalArgumentException if there are more or fewer generators than images
    public TransformedBatch decodeAtRandom(List<MemorySegment> encoded, List<? extends RandomGenerator> random) {
        if (encoded.size() != random.size()) {
            throw new IllegalArgumentException(
                    encoded.size() + " images need as many generators but there are " + random.size());
        }
        ImageTransform[] transforms = new ImageTransform[encoded.size()];
        Tensor images = fill(
                encoded,
                (index, row) -> transforms[index] = decoder.decodeInto(encoded.get(index), row, random.get(index)));
        return new TransformedBatch(images, List.of(transforms));
    }

    /// Puts one image into its row.
    @FunctionalInterface
    private interface Decoding {
        void into(int index, MemorySegment row);
    }

    private Tensor fill(List<MemorySegment> encoded, Decoding decoding) {
        ImageSpec spec = decoder.spec();
        Tensor batch = Tensor.allocate(spec.elements(), spec.rowShape().batched(encoded.size()), pool);
        try {
            work.run(encoded.size(), index -> {
                try {
                    decoding.into(index, batch.row(index));
                } catch (DecodeException damaged) {
                    throw damaged.withSource(name(index, encoded));
                }
            });
            return batch;
        } catch (Throwable failure) {
            batch.close();
            throw failure;
        }
    }

    @Override
    public void close() {
        work.close();
        decoder.close();
    }
}
