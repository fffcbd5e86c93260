package org.jspdl.media.internal.codec;

import java.lang.foreign.MemorySegment;
import org.jspdl.input.DecodeException;
import org.jspdl.media.internal.header.ImageHeader;
import org.jspdl.media.internal.resample.HighBitDepthPicture;
import org.jspdl.media.internal.resample.Picture;

/// Decodes one encoded image after the other into planes of its own memory. Used by one thread at a time.
public interface ImageCodec extends AutoCloseable {

    /// Decodes the image and describes its planes in `into`; they stay valid until the next call or [#close].
    ///
    /// Alpha is kept if the mode says so.
    ///
    /// @param encoded the whole file, in native memory
    /// @param header  what its header says, within the limits that were set
    /// @param reduce  the picture is decoded at a size `1 / reduce` of its own: 1, or for JPEG by Java or TurboJPEG
    ///     also 2, 4 or 8
    /// @param part    the part of the picture that is needed, as it is stored, at its full size; other samples may
    ///     be anything
    /// @param mode    whether alpha is kept, whether damaged data is an error, and whether speed counts most
    /// @throws DecodeException if the data is damaged
    void decode(MemorySegment encoded, ImageHeader header, int reduce, Region part, DecodeMode mode, Picture into);

    /// Decodes an image of more than 8 bits a channel and describes it in `into`; otherwise as [#decode].
    default void decodeHighBitDepth(
            MemorySegment encoded, ImageHeader header, DecodeMode mode, HighBitDepthPicture into) {
        throw new IllegalStateException(header.format.label() + " has no more than 8 bits");
    }

    @Override
    void close();
}
