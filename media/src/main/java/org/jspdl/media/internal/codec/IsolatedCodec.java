package org.jspdl.media.internal.codec;

import java.lang.foreign.MemorySegment;
import org.jspdl.input.DecodeException;
import org.jspdl.media.internal.codec.CodecMessage.Request;
import org.jspdl.media.internal.header.ImageHeader;
import org.jspdl.media.internal.helper.Helper;
import org.jspdl.media.internal.helper.HelperLostException;
import org.jspdl.media.internal.helper.HelperPool;
import org.jspdl.media.internal.resample.HighBitDepthPicture;
import org.jspdl.media.internal.resample.Picture;
import org.jspecify.annotations.Nullable;

/// Every format through native codecs in a process of their own, which may crash or not return: that is a failure of
/// the file, and the next one gets another process.
///
/// A picture lies in memory that is shared with the helper, which belongs to this codec until [#release].
final class IsolatedCodec implements ImageCodec {
    private final CodecIsolation isolation;
    private @Nullable Helper helper;

    /// @param isolation has the helpers; owned by the caller
    IsolatedCodec(CodecIsolation isolation) {
        this.isolation = isolation;
    }

    @Override
    public void decode(
            MemorySegment encoded, ImageHeader header, int reduce, Region part, DecodeMode mode, Picture into) {
        MemorySegment answer = call(encoded, header, new Request(false, reduce, part, mode));
        CodecMessage.read(answer, header, reduce, into);
    }

    @Override
    public void decodeHighBitDepth(
            MemorySegment encoded, ImageHeader header, DecodeMode mode, HighBitDepthPicture into) {
        Region whole = Region.whole(header.width, header.height);
        MemorySegment answer = call(encoded, header, new Request(true, 1, whole, mode));
        CodecMessage.read(answer, header, into);
    }

    private MemorySegment call(MemorySegment encoded, ImageHeader header, Request request) {
        HelperPool pool = isolation.pool();
        Helper mine = helper;
        if (mine == null) {
            mine = pool.take();
            helper = mine;
        }
        MemorySegment shared = mine.memory(CodecMessage.byteSize(encoded.byteSize(), header, request));
        CodecMessage.write(request, encoded, shared);
        try {
            mine.call();
        } catch (HelperLostException lost) {
            helper = null;
            isolation.lost(mine, lost, header.format.name(), Suspects.key(encoded));
            throw DecodeException.because(String.format(
                    "%s of %,d bytes: the process that decodes it %s",
                    header.format.label(), encoded.byteSize(), lost.getMessage()));
        }
        return switch (CodecMessage.status(shared)) {
            case CodecMessage.DECODED -> shared;
            case CodecMessage.REFUSED -> throw DecodeException.because(CodecMessage.failure(shared));
            default -> throw new IllegalStateException("in the process that decodes: " + CodecMessage.failure(shared));
        };
    }

    /// Lets others use the helper, after the picture was used.
    void release() {
        if (helper != null) {
            isolation.release(helper);
            helper = null;
        }
    }

    @Override
    public void close() {
        release();
    }
}
