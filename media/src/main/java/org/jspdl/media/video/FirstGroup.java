package org.jspdl.media.video;

import java.util.HashSet;
import java.util.Set;
import org.jspdl.media.frame.Decoder;
import org.jspdl.media.frame.Frame;
import org.jspdl.media.stream.Demuxer;
import org.jspdl.media.stream.Packet;
import org.jspdl.media.stream.StreamInfo;

/// The packets before the second key frame of a stream, of which not all can be decoded when the stream was cut out of
/// a longer one: those before the first key frame, and those that are decoded after it but refer to what came before.
final class FirstGroup {
    private FirstGroup() {}

    /// The flags of all packets, where those are not shown that no frame comes of. They are found by decoding the
    /// group: whether a picture that is presented before its key frame depends on what was cut off is for the codec
    /// to say. A stream whose first group can be decoded as a whole is not inspected.
    ///
    /// @param pts the time of each packet, in the order of decoding
    static long[] hideUndecodable(Demuxer demuxer, StreamInfo stream, long[] pts, long[] flags) {
        int first = nextKey(flags, 0);
        int end = nextKey(flags, first + 1);
        if (isWhole(pts, flags, first, end) || !demuxer.rewind()) {
            return flags;
        }
        Set<Long> decoded = decode(demuxer, stream, end);
        long[] known = flags.clone();
        for (int i = 0; i < end; i++) {
            if (!decoded.contains(pts[i])) {
                known[i] &= ~FrameIndex.SHOWN;
            }
        }
        return known;
    }

    private static int nextKey(long[] flags, int from) {
        int key = Math.min(from, flags.length);
        while (key < flags.length && (flags[key] & FrameIndex.KEY) == 0) {
            key++;
        }
        return key;
    }

    private static boolean isWhole(long[] pts, long[] flags, int first, int end) {
        for (int i = first; i < end; i++) {
            if ((flags[i] & FrameIndex.SHOWN) != 0 && pts[i] < pts[first]) {
                return false;
            }
        }
        return first == 0;
    }

    /// The times of the frames that come out of the first `end` packets.
    private static Set<Long> decode(Demuxer demuxer, StreamInfo stream, int end) {
        Set<Long> decoded = new HashSet<>();
        try (Decoder decoder = Decoder.open(stream);
                Packet packet = Packet.create();
                Frame frame = Frame.create()) {
            int sent = 0;
            while (sent < end && demuxer.read(packet)) {
                if (packet.stream() == stream.index()) {
                    demuxer.checkDeadline();
                    decoder.send(packet);
                    receive(decoder, frame, decoded);
                    sent++;
                }
            }
            decoder.sendEnd();
            receive(decoder, frame, decoded);
        }
        return decoded;
    }

    private static void receive(Decoder decoder, Frame frame, Set<Long> decoded) {
        while (decoder.receive(frame)) {
            decoded.add(frame.pts());
        }
    }
}
