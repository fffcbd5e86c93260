package org.jspdl.data.image;

import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.jspdl.input.InputException;

/// Images of some places of an epoch that others have decoded. Safe for any number of threads until it is closed.
public interface ImagePiece extends AutoCloseable {
    /// How many places.
    int size();

    /// Why image `i` could not be decoded, which another attempt would not change.
    Optional<InputException> failure(int i);

    /// The pixels of an image that did not fail, as the [plan's spec as
    /// bytes][org.jspdl.media.image.ImageSpec#asBytes] has them.
    MemorySegment pixels(int i);

    /// The class number of an image that did not fail; -1 if it has none.
    int label(int i);

    /// The number in the dataset of an image that did not fail.
    int index(int i);

    @Override
    void close();
}
