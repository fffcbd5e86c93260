package org.jspdl.media.image;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspdl.input.DecodeException;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Tensor;

/// Decodes lists of images into batches: one tensor for each list, with one image in each row.
///
/// Any number of threads may call [#decode] at once. Owns a decoder, which [#close] closes; the pool stays the
/// caller's.
public final class ImageBatches implements AutoCloseable {
    private final ImageDecoder decoder;
    private final BufferPool pool;

    private ImageBatches(ImageDecoder decoder, BufferPool pool) {
        this.decoder = decoder;
        this.pool = pool;
    }

    /// Batches of what `spec` makes of images, in memory from `pool`.
    ///
    /// @throws IllegalStateException if the size of `spec` depends on the image
    public static ImageBatches of(ImageSpec spec, BufferPool pool) {
        spec.rowShape();
        return new ImageBatches(ImageDecoder.create(spec), pool);
    }

    /// Decodes every image into the row of its index; the caller owns the tensor.
    ///
    /// @throws DecodeException if an image cannot be decoded; the message begins with its index
    public Tensor decode(List<MemorySegment> encoded) {
        return fill(encoded, (index, row) -> decoder.decodeInto(encoded.get(index), row));
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
        int index = 0;
        try {
            for (; index < encoded.size(); index++) {
                decoding.into(index, batch.row(index));
            }
            return batch;
        } catch (DecodeException damaged) {
            batch.close();
            throw damaged.withSource("image " + index + " of " + encoded.size());
        } catch (Throwable failure) {
            batch.close();
            throw failure;
        }
    }

    @Override
    public void close() {
        decoder.close();
    }
}
