package org.jspdl.media.stream;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Finds key frames of H.264 and HEVC that are none: where a stream is refreshed part by part, the first of the frames
/// that do so is marked as a key frame, with a message that says how many more the decoder needs.
final class GradualRefresh {
    private static final int H264 = 27;
    private static final int HEVC = 173;

    private static final int H264_IDR = 5;
    private static final int H264_MESSAGES = 6;
    private static final int HEVC_FIRST_RANDOM_ACCESS = 16;
    private static final int HEVC_LAST_RANDOM_ACCESS = 23;
    private static final int HEVC_MESSAGES = 39;
    private static final int RECOVERY_POINT = 6;
    /// Messages before the one that counts may be long; that one is short, and mostly the first.
    private static final int MOST_MESSAGE_BYTES = 1 << 12;

    private final boolean isHevc;
    private final MemorySegment packet;
    private final int sizeBytes;

    private GradualRefresh(boolean isHevc, MemorySegment packet, int sizeBytes) {
        this.isHevc = isHevc;
        this.packet = packet;
        this.sizeBytes = sizeBytes;
    }

    /// Whether a packet that is marked as a key frame of `stream` only begins a refresh.
    static boolean beginsAt(MemorySegment packet, StreamInfo stream) {
        int codec = stream.parameters().codec();
        if (codec != H264 && codec != HEVC) {
            return false;
        }
        byte[] extra = stream.parameters().extraData();
        int sizeAt = codec == H264 ? 4 : 21;
        boolean hasSizes = extra.length > sizeAt && extra[0] == 1;
        return new GradualRefresh(codec == HEVC, packet, hasSizes ? (extra[sizeAt] & 3) + 1 : 0).isThere();
    }

    private boolean isThere() {
        long at = sizeBytes > 0 ? 0 : afterStartCode(0);
        boolean found = false;
        while (at < packet.byteSize()) {
            long end;
            if (sizeBytes > 0) {
                long size = 0;
                for (int i = 0; i < sizeBytes && at < packet.byteSize(); i++) {
                    size = size << 8 | at(at++);
                }
                end = Math.min(packet.byteSize(), at + size);
            } else {
                end = afterStartCode(at);
            }
            if (at < end) {
                int type = isHevc ? at(at) >> 1 & 0x3F : at(at) & 0x1F;
                if (isRandomAccess(type)) {
                    return false;
                }
                found |= isMessage(type) && needsMoreFrames(at + (isHevc ? 2 : 1), end);
            }
            at = end;
        }
        return found;
    }

    private boolean isRandomAccess(int type) {
        return isHevc ? type >= HEVC_FIRST_RANDOM_ACCESS && type <= HEVC_LAST_RANDOM_ACCESS : type == H264_IDR;
    }

    private boolean isMessage(int type) {
        return type == (isHevc ? HEVC_MESSAGES : H264_MESSAGES);
    }

    /// Where the unit behind the next start code begins, or the end of the packet.
    private long afterStartCode(long from) {
        for (long i = from; i + 2 < packet.byteSize(); i++) {
            if (at(i) == 0 && at(i + 1) == 0 && at(i + 2) == 1) {
                return i + 3;
            }
        }
        return packet.byteSize();
    }

    /// Whether the messages from `from` on have a recovery point that is not reached at once.
    private boolean needsMoreFrames(long from, long end) {
        byte[] messages = unescaped(from, Math.min(end, from + MOST_MESSAGE_BYTES));
        int at = 0;
        while (at + 2 < messages.length) {
            int type = 0;
            while (at < messages.length && messages[at] == -1) {
                type += 255;
                at++;
            }
            type += at < messages.length ? messages[at++] & 0xFF : 0;
            int size = 0;
            while (at < messages.length && messages[at] == -1) {
                size += 255;
                at++;
            }
            size += at < messages.length ? messages[at++] & 0xFF : 0;
            if (type == RECOVERY_POINT) {
                // The count's code is 1 for 0.
                return at < messages.length && (messages[at] & 0x80) == 0;
            }
            at += size;
        }
        return false;
    }

    /// The bytes without those that only keep start codes from showing up.
    private byte[] unescaped(long from, long end) {
        if (from >= end) {
            return new byte[0];
        }
        byte[] raw = packet.asSlice(from, end - from).toArray(ValueLayout.JAVA_BYTE);
        ByteArrayOutputStream plain = new ByteArrayOutputStream(raw.length);
        for (int i = 0; i < raw.length; i++) {
            if (i >= 2 && raw[i] == 3 && raw[i - 1] == 0 && raw[i - 2] == 0) {
                continue;
            }
            plain.write(raw[i]);
        }
        return plain.toByteArray();
    }

    private int at(long offset) {
        return packet.get(ValueLayout.JAVA_BYTE, offset) & 0xFF;
    }
}
