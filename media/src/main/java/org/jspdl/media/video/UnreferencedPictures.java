package org.jspdl.media.video;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspdl.media.stream.Packet;
import org.jspdl.media.stream.StreamInfo;

/// Tells which packets may be skipped where nobody wants their pictures: of H.264 those whose picture no other refers
/// to. A packet that has no picture at all is none of them: told to skip, the decoder would not say that it is missing.
final class UnreferencedPictures {
    private static final int LAST_SLICE = 5;
    private static final int SIZES_AT = 4;

    private final boolean isH264;
    private final int sizeBytes;

    private UnreferencedPictures(boolean isH264, int sizeBytes) {
        this.isH264 = isH264;
        this.sizeBytes = sizeBytes;
    }

    static UnreferencedPictures of(StreamInfo stream) {
        byte[] extra = stream.parameters().extraData();
        boolean hasSizes = extra.length > SIZES_AT && extra[0] == 1;
        return new UnreferencedPictures(stream.codec().equals("h264"), hasSizes ? (extra[SIZES_AT] & 3) + 1 : 0);
    }

    /// Whether the decoder may be told to skip what no other picture refers to; of other codecs always.
    boolean maySkip(Packet packet) {
        if (!isH264) {
            return true;
        }
        MemorySegment data = packet.data();
        long at = next(data, 0);
        while (at < data.byteSize()) {
            int header = data.get(ValueLayout.JAVA_BYTE, at);
            int type = header & 0x1F;
            if (type >= 1 && type <= LAST_SLICE) {
                return (header & 0x60) == 0;
            }
            at = next(data, sizeBytes == 0 ? at : at + size(data, at - sizeBytes));
        }
        return false;
    }

    /// Where the header of the unit is that begins at `from`, or behind the next start code.
    private long next(MemorySegment data, long from) {
        if (sizeBytes > 0) {
            return from + sizeBytes;
        }
        for (long i = from; i + 3 < data.byteSize(); i++) {
            if (data.get(ValueLayout.JAVA_BYTE, i) == 0
                    && data.get(ValueLayout.JAVA_BYTE, i + 1) == 0
                    && data.get(ValueLayout.JAVA_BYTE, i + 2) == 1) {
                return i + 3;
            }
        }
        return data.byteSize();
    }

    private long size(MemorySegment data, long at) {
        long size = 0;
        for (int i = 0; i < sizeBytes; i++) {
            size = (size << 8) | (data.get(ValueLayout.JAVA_BYTE, at + i) & 0xFF);
        }
        return size;
    }
}
