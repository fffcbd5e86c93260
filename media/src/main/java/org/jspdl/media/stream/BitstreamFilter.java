package org.jspdl.media.stream;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspdl.input.MediaException;
import org.jspdl.media.internal.ffmpeg.AvCodec;
import org.jspdl.media.internal.ffmpeg.AvError;
import org.jspdl.media.internal.ffmpeg.FfmpegLibraries;
import org.jspdl.media.internal.ffmpeg.filter.AvBitstream;
import org.jspdl.media.internal.lifetime.NativeHandle;

/// Changes packets without decoding them, by FFmpeg's bitstream filters such as `h264_mp4toannexb`.
///
/// Owned by whoever opened it, who closes it; used by one thread at a time.
@SuppressWarnings("exports") // users see only close() of the handle
public final class BitstreamFilter extends NativeHandle {
    private final StreamInfo stream;

    private BitstreamFilter(MemorySegment context, StreamInfo stream) {
        super(context);
        this.stream = stream;
    }

    /// Opens filters, comma-separated, for the packets of a stream.
    ///
    /// @throws IllegalArgumentException if there is no such filter, or it refuses the stream
    public static BitstreamFilter open(StreamInfo stream, String filters) {
        FfmpegLibraries.require();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment slot = arena.allocate(8, 8);
            Rational unit = stream.timeBase();
            int status = AvBitstream.open(
                    slot, filters, stream.parameters(), (int) unit.numerator(), (int) unit.denominator(), arena);
            if (status < 0) {
                AvBitstream.free(slot.get(java.lang.foreign.ValueLayout.ADDRESS, 0));
                throw new IllegalArgumentException(
                        "bitstream filter '" + filters + "' for " + stream + ": " + AvCodec.errorText(status));
            }
            MemorySegment context = AvBitstream.contextAt(slot);
            Rational out = Rational.of(
                    AvBitstream.timeBaseNumerator(context), Math.max(1, AvBitstream.timeBaseDenominator(context)));
            StreamInfo filtered = stream.with(out.numerator() > 0 ? out : unit, AvBitstream.parameters(context));
            return new BitstreamFilter(context, filtered);
        }
    }

    /// What the filtered packets are.
    public StreamInfo stream() {
        return stream;
    }

    /// Filters packets, which it takes, into those that are ready; the caller owns these.
    ///
    /// @throws MediaException if a packet can't be filtered
    public Packets filter(Packets packets) {
        Packets filtered = new Packets(stream, packets.window());
        try {
            packets.drain("a bitstream filter", packet -> {
                check(AvBitstream.send(pointer(), packet.nativePacket()));
                receive(filtered);
            });
            return filtered;
        } catch (Throwable failure) {
            filtered.close();
            throw failure;
        }
    }

    /// The packets that remain; the filter can't be used after this.
    public Packets flush() {
        Packets filtered = new Packets(stream, TimeWindow.all());
        check(AvBitstream.send(pointer(), MemorySegment.NULL));
        receive(filtered);
        return filtered;
    }

    private void receive(Packets into) {
        try (Packet packet = Packet.create()) {
            int status = AvBitstream.receive(pointer(), packet.nativePacket());
            while (status >= 0) {
                into.add(packet);
                status = AvBitstream.receive(pointer(), packet.nativePacket());
            }
            if (status != AvError.AGAIN && status != AvError.END) {
                check(status);
            }
        }
    }

    private void check(int status) {
        if (status < 0) {
            throw stream.failure("can't be filtered: " + AvCodec.errorText(status));
        }
    }

    @Override
    protected void free(MemorySegment context) {
        AvBitstream.free(context);
    }

    @Override
    public String toString() {
        return "bitstream filter for " + stream;
    }
}
