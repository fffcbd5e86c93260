package org.jspdl.media.image;

import java.util.List;
import java.util.Map;
import org.jspdl.input.DecodeException;
import org.jspdl.memory.Tensor;

/// A batch of images in which sound ones stand for those that could not be decoded; its holder owns the tensor.
///
/// @param images   an image in every row
/// @param sources  the index of the image in each row: its own, or that of the next sound one, counted on from the
///     first behind the last; labels have to be taken from there
/// @param failures what is wrong with each image that could not be decoded, by its index
public record MendedBatch(Tensor images, List<Integer> sources, Map<Integer, DecodeException> failures)
        implements AutoCloseable {
    /// Copies both collections.
    public MendedBatch {
        sources = List.copyOf(sources);
        failures = Map.copyOf(failures);
    }

    /// Gives the tensor's memory back.
    @Override
    public void close() {
        images.close();
    }
}
