package org.jspdl.media.image;

import java.util.List;
import org.jspdl.memory.Tensor;

/// A batch of images with the sampled parameters of each; its holder owns the tensor.
///
/// @param images     an image in every row
/// @param transforms the transform of each row, which [ImageDecoder#decodeInto] replays
public record TransformedBatch(Tensor images, List<ImageTransform> transforms) implements AutoCloseable {
    /// Gives the tensor's memory back.
    @Override
    public void close() {
        images.close();
    }
}
