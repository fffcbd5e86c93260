package org.jspdl.data.image;

import java.util.Optional;
import org.jspdl.data.shards.ShardSample;
import org.jspdl.media.image.ImageTransform;

/// What an image of a batch was made from.
///
/// @param name      what it is called: its file, or its shard with its key
/// @param file      the file or shard
/// @param index     its number in the dataset; of a shard, its position in the epoch
/// @param epoch     the epoch it belongs to
/// @param byteSize  of its encoded form
/// @param transform what was sampled for it, if anything is left to chance
/// @param range     where its sample lies in its shard, headers included, if it is of one and that is known; see
///                  [ShardSample#extent()]
public record ImageOrigin(
        String name,
        String file,
        int index,
        long epoch,
        long byteSize,
        Optional<ImageTransform> transform,
        Optional<ShardSample.Extent> range) {
    /// An image of which no range is known.
    public ImageOrigin(
            String name, String file, int index, long epoch, long byteSize, Optional<ImageTransform> transform) {
        this(name, file, index, epoch, byteSize, transform, Optional.empty());
    }
}
