package org.jspdl.media.image;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Tensor;

/// Turns lists of encoded images into batches: one tensor each, with an image in every row.
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
        ImageSpec spec = decoder.spec();
        Tensor batch = Tensor.allocate(spec.elements(), spec.rowShape().batched(encoded.size()), pool);
        int index = 0;
        try {
            for (MemorySegment image : encoded) {
                decoder.decodeInto(image, batch.row(index));
                index++;
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
