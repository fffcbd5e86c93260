package org.jspdl.media.internal.ffmpeg.damage;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Finds packets of HEVC that hold no picture, of which its decoder does not tell.
///
/// Containers that say how large each unit of a packet is (MP4, Matroska) have a packet for each picture. In bare
/// streams and transport streams packets are cut where units begin, and what stands behind the last picture is one,
/// too.
public final class MissingPictures {
    private static final int SIZES_AT = 21;
    private static final int LAST_SLICE = 31;

    private MissingPictures() {}

    /// How many bytes each unit's size has; 0 if units are told apart by start codes.
    ///
    /// @param extra what the container says of the stream
    public static int sizeBytes(byte[] extra) {
        return extra.length > SIZES_AT && extra[0] == 1 ? (extra[SIZES_AT] & 3) + 1 : 0;
    }

    /// Whether a packet has a slice of a picture.
    ///
    /// @param sizeBytes of each unit's size, 1 to 4
    public static boolean hasSlice(MemorySegment packet, int sizeBytes) {
        long at = 0;
        while (at + sizeBytes < packet.byteSize()) {
            long size = 0;
            for (int i = 0; i < sizeBytes; i++) {
                size = (size << Byte.SIZE) | (packet.get(ValueLayout.JAVA_BYTE, at + i) & 0xFF);
            }
            int type = (packet.get(ValueLayout.JAVA_BYTE, at + sizeBytes) >> 1) & 0x3F;
            if (size > 0 && type <= LAST_SLICE) {
                return true;
            }
            at += sizeBytes + size;
        }
        return false;
    }
}
