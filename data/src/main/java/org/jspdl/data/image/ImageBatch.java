package org.jspdl.data.image;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.SequencedMap;
import org.jspdl.memory.NamedValues;
import org.jspdl.memory.Tensor;

/// Images in one tensor, with their classes. Closing it releases the memory.
///
/// @param images  an image in each row, of the shape, type and layout that the options ask for
/// @param labels  the class number of each image; -1 where a shard has none
/// @param indices the number of each image in the dataset; for shards its position in the epoch
/// @param everywhere if ranks are dealt [uneven][org.jspdl.source.Even#UNEVEN], 1 for an image at whose place all ranks
///     surely have one, and 0 where others may have ended; else empty. In input order, a batch with a 1 is one that
///     every rank has
public record ImageBatch(Tensor images, int[] labels, int[] indices, int[] everywhere)
        implements NamedValues, AutoCloseable {

    /// How many images there are.
    public int size() {
        return labels.length;
    }

    /// `image`, `label` and `index`, and `everywhere` if ranks are uneven; as 64-bit numbers, which loss functions
    /// take.
    @Override
    public SequencedMap<String, ?> namedValues() {
        SequencedMap<String, Object> values = new LinkedHashMap<>();
        values.put("image", images);
        values.put("label", Arrays.stream(labels).asLongStream().toArray());
        values.put("index", Arrays.stream(indices).asLongStream().toArray());
        if (everywhere.length > 0) {
            values.put("everywhere", Arrays.stream(everywhere).asLongStream().toArray());
        }
        return values;
    }

    @Override
    public void close() {
        images.close();
    }
}
