package org.jspdl.media.stream;

import java.util.List;
import org.jspdl.media.internal.ffmpeg.AvPacket;

/// Finds the packets that a span of time needs.
final class PacketReader {
    /// Sound decoders need some packets before the first sample that is exact: AAC one, Opus 80 ms, MP3 up to ten.
    private static final Rational AUDIO_PREROLL = Rational.of(1, 2);
    /// The most frames that a codec's frames can be decoded before and presented after.
    private static final int MOST_REORDERED = 16;
    /// Of these, times of decoding are in the file; FFmpeg makes up those of others, too late for some streams.
    private static final List<String> TELL_DECODING_TIMES = List.of("mov,", "mpegts", "mpeg", "flv");

    private static final int SEEKS = 8;

    private PacketReader() {}

    static Packets window(Demuxer demuxer, StreamInfo stream, TimeWindow window) {
        Packets packets = new Packets(stream, window);
        long end = window.endTick(stream.timeBase());
        boolean ordered = stream.kind() == StreamInfo.Kind.AUDIO
                || TELL_DECODING_TIMES.stream().anyMatch(demuxer.info().format()::startsWith);
        int later = 0;
        long bytes = 0;
        try (Packet packet = Packet.create()) {
            boolean more = window.isAll() ? demuxer.read(packet) : seek(demuxer, stream, window, packet);
            while (more) {
                if (packet.stream() == stream.index()) {
                    later += packet.pts() != AvPacket.NO_TIME && packet.pts() >= end ? 1 : 0;
                    if (later > MOST_REORDERED || (ordered && isBeyond(packet, end))) {
                        break;
                    }
                    bytes += packet.byteSize();
                    if (bytes > demuxer.limits().maxBytes()) {
                        throw stream.failure("packets of more than "
                                + demuxer.limits().maxBytes() + " bytes, the limit; read it in chunks");
                    }
                    packets.add(packet);
                }
                more = demuxer.read(packet);
            }
            return packets;
        } catch (Throwable failure) {
            packets.close();
            throw failure;
        }
    }

    private static boolean isBeyond(Packet packet, long end) {
        return packet.dts() != AvPacket.NO_TIME && packet.dts() >= end;
    }

    /// Goes to where decoding must begin and reads the first packet there; false at the end of the file.
    private static boolean seek(Demuxer demuxer, StreamInfo stream, TimeWindow window, Packet packet) {
        Rational start = stream.kind() == StreamInfo.Kind.AUDIO ? window.start().minus(AUDIO_PREROLL) : window.start();
        long wanted = TimeWindow.from(start).firstTick(stream.timeBase());
        return seekBefore(demuxer, stream, wanted, packet);
    }

    /// Goes to the last packet of `stream` from which everything from tick `wanted` on can be decoded, and reads
    /// it; false at the end of the file.
    ///
    /// Formats seek by the time of decoding, which may lie before `wanted` while the picture comes later; then the
    /// key frame before is looked for.
    static boolean seekBefore(Demuxer demuxer, StreamInfo stream, long wanted, Packet packet) {
        long target = wanted;
        for (int i = 0; i < SEEKS; i++) {
            if (!demuxer.seek(stream, target)) {
                break;
            }
            if (!next(demuxer, stream, packet)) {
                break;
            }
            boolean isSound = stream.kind() == StreamInfo.Kind.AUDIO;
            long time = isSound && packet.pts() == AvPacket.NO_TIME ? packet.dts() : packet.pts();
            if (time == AvPacket.NO_TIME) {
                break;
            }
            if (time <= wanted && (isSound || packet.isCleanStart(stream))) {
                return true;
            }
            long before = packet.dts() == AvPacket.NO_TIME ? time : Math.min(time, packet.dts());
            target = Math.min(target, before) - 1 - i * stepBack(stream);
        }
        if (!demuxer.rewind()) {
            throw stream.failure("the source or the format can't go back to what was read before");
        }
        return next(demuxer, stream, packet);
    }

    private static long stepBack(StreamInfo stream) {
        return Rational.of(1, 2).dividedBy(stream.timeBase()).floor();
    }

    private static boolean next(Demuxer demuxer, StreamInfo stream, Packet packet) {
        while (demuxer.read(packet)) {
            if (packet.stream() == stream.index()) {
                return true;
            }
        }
        return false;
    }
}
