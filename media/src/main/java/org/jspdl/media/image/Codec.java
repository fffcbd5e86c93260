package org.jspdl.media.image;

import java.lang.foreign.MemorySegment;
import org.jspdl.media.internal.resample.Picture;

/// Decodes one encoded image after the other into planes of its own memory. Used by one thread at a time.
interface Codec extends AutoCloseable {

    /// Decodes the image and describes its planes in `into`; they stay valid until the next call or [#close].
    ///
    /// @param encoded the whole file, in native memory
    /// @param header  what its header says, within the limits that were set
    /// @param reduce  the picture may be decoded at a size `1 / reduce` of its own: 1, 2, 4 or 8
    /// @param how     the quality, and whether damaged data is an error
    /// @throws DecodeException if the data is damaged
    void decode(MemorySegment encoded, Header header, int reduce, ImageSpec.Decoding how, Picture into);

    @Override
    void close();
}
