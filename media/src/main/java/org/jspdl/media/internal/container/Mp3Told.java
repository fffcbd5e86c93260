package org.jspdl.media.internal.container;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/// What an encoder of MP3 tells of the whole sound, in a frame of its own before it: `Xing`, or `Info` where all frames
/// have one size.
final class Mp3Told {
    private static final int TAG_HEADER_BYTES = 10;
    private static final int HAS_FOOTER = 0x10;
    private static final int SYNC = 0xFFE0_0000;
    private static final int LAYER_3 = 1;
    private static final int MPEG_1 = 3;
    private static final int NO_VERSION = 1;
    private static final int MONO = 3;
    private static final int HAS_FRAMES = 1;
    private static final int HAS_BYTES = 2;

    private Mp3Told() {}

    /// How many bytes the tag (ID3v2) has of which these are the first; 0 if they are none of one.
    static int tagBytes(byte[] header) {
        if (!text(header, 3).equals("ID3")) {
            return 0;
        }
        int length = 0;
        for (int i = 6; i < TAG_HEADER_BYTES; i++) {
            length = (length << 7) | (header[i] & 0x7F);
        }
        return length + ((header[5] & HAS_FOOTER) != 0 ? 2 * TAG_HEADER_BYTES : TAG_HEADER_BYTES);
    }

    /// Where in a frame it would be told, behind what each frame has before its sound; 0 if this is the header of
    /// none.
    static int offset(int header) {
        int version = header >>> 19 & 3;
        if ((header & SYNC) != SYNC || version == NO_VERSION || (header >>> 17 & 3) != LAYER_3) {
            return 0;
        }
        boolean isMono = (header >>> 6 & 3) == MONO;
        return Integer.BYTES + (version == MPEG_1 ? (isMono ? 17 : 32) : isMono ? 9 : 17);
    }

    /// How many bytes it tells that there are, of the whole file if somebody counts the tags before, too; 0 if it
    /// does not.
    static long bytes(byte[] told) {
        String mark = text(told, 4);
        int flags = ByteBuffer.wrap(told).getInt(4);
        boolean tells = (mark.equals("Xing") || mark.equals("Info")) && (flags & HAS_BYTES) != 0;
        return tells ? Integer.toUnsignedLong(ByteBuffer.wrap(told).getInt((flags & HAS_FRAMES) != 0 ? 12 : 8)) : 0;
    }

    private static String text(byte[] header, int count) {
        return new String(header, 0, count, StandardCharsets.ISO_8859_1);
    }
}
