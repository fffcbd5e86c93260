package org.jspdl.media.stream;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// How many frames of a packet are shown, read from the frame headers of the codecs that have hidden frames: VP8, VP9
/// and AV1. Others refer to a hidden frame, which is never presented itself.
final class ShownFrames {
    private static final int VP8 = 139;
    private static final int VP9 = 167;
    private static final int AV1 = 225;

    private static final int OBU_SEQUENCE_HEADER = 1;
    private static final int OBU_FRAME_HEADER = 3;
    private static final int OBU_FRAME = 6;
    private static final int MOST_SIZE_BYTES = 8;

    private ShownFrames() {}

    /// The number of frames in a packet of the codec with FFmpeg's number `codec` that are shown; 1 for other
    /// codecs, and for data that is not understood.
    static int count(int codec, MemorySegment packet) {
        if (packet.byteSize() == 0) {
            return 1;
        }
        return switch (codec) {
            case VP8 -> (at(packet, 0) & 0x10) != 0 ? 1 : 0;
            case VP9 -> countVp9(packet);
            case AV1 -> countAv1(packet);
            default -> 1;
        };
    }

    /// A packet may be several frames, with an index of their sizes at its end.
    private static int countVp9(MemorySegment packet) {
        long end = packet.byteSize();
        int marker = at(packet, end - 1);
        int frames = (marker & 7) + 1;
        int sizeBytes = (marker >> 3 & 3) + 1;
        long index = end - 2 - (long) frames * sizeBytes;
        if ((marker & 0xE0) != 0xC0 || index <= 0 || at(packet, index) != marker) {
            return isShownInVp9(at(packet, 0)) ? 1 : 0;
        }
        int shown = 0;
        long frame = 0;
        for (int i = 0; i < frames && frame < index; i++) {
            shown += isShownInVp9(at(packet, frame)) ? 1 : 0;
            for (int b = 0; b < sizeBytes; b++) {
                frame += (long) at(packet, index + 1 + (long) i * sizeBytes + b) << (8 * b);
            }
        }
        return shown;
    }

    /// Two bits of a marker, two of the profile (of profile 3 one more), "show an existing frame", the type of the
    /// frame, "show this frame".
    private static boolean isShownInVp9(int header) {
        int bits = (header & 0x30) == 0x30 ? header << 1 : header;
        return (header & 0xC0) != 0x80 || (bits & 0x08) != 0 || (bits & 0x02) != 0;
    }

    /// A packet is a list of units. At most one frame of it is shown, in one resolution or several, of which
    /// decoders give the last.
    private static int countAv1(MemorySegment packet) {
        long at = 0;
        boolean understood = false;
        while (at < packet.byteSize()) {
            int header = at(packet, at);
            int type = header >> 3 & 15;
            boolean hasSize = (header & 2) != 0;
            at += (header & 4) != 0 ? 2 : 1;
            long size = packet.byteSize() - at;
            if (hasSize) {
                size = 0;
                for (int i = 0; i < MOST_SIZE_BYTES && at < packet.byteSize(); i++) {
                    int next = at(packet, at++);
                    size |= (long) (next & 0x7F) << (7 * i);
                    if (next < 0x80) {
                        break;
                    }
                }
            }
            if (size > packet.byteSize() - at || size < 0) {
                return 1;
            }
            if (size > 0 && type == OBU_SEQUENCE_HEADER && (at(packet, at) & 0x08) != 0) {
                return 1; // a still picture, whose frame header is shorter
            }
            if (size > 0 && (type == OBU_FRAME_HEADER || type == OBU_FRAME)) {
                // "show an existing frame", two bits of the frame's type, "show this frame"
                if ((at(packet, at) & 0x90) != 0) {
                    return 1;
                }
                understood = true;
            }
            at += size;
        }
        return understood ? 0 : 1;
    }

    private static int at(MemorySegment packet, long offset) {
        return packet.get(ValueLayout.JAVA_BYTE, offset) & 0xFF;
    }
}
