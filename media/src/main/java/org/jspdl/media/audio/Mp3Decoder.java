package org.jspdl.media.audio;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Map;
import org.jspdl.media.internal.ffmpeg.AvCodec;
import org.jspdl.media.internal.ffmpeg.AvCoder;
import org.jspdl.media.internal.ffmpeg.AvFrame;
import org.jspdl.media.internal.ffmpeg.AvPacket;
import org.jspdl.media.internal.ffmpeg.AvParameters;
import org.jspdl.media.internal.ffmpeg.FfmpegLibraries;
import org.jspdl.media.internal.ffmpeg.GrayBuffers;

/// Gives the frames of an MP3 file to FFmpeg's decoder, without its demuxer.
///
/// Each file has a decoder of its own: one that begins in the middle of a sound would use what is left of the file
/// before. Owned by whoever made it, who closes it; used by one thread at a time.
final class Mp3Decoder implements AutoCloseable {
    /// `AV_CODEC_ID_MP3` and `AV_SAMPLE_FMT_FLTP`.
    private static final int MP3 = 0x15001;

    private static final int FLOAT_PLANES = 8;
    private static final ValueLayout.OfInt BIG = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final Map<String, String> ONE_THREAD = Map.of("threads", "1");

    /// FFmpeg's demuxer reads so many bytes at a time, from the first frame on.
    private static final int CHUNK_BYTES = 1024;

    private final MemorySegment packet;
    private final MemorySegment bytes;
    private final MemorySegment frame;
    private final AvParameters parameters;
    private boolean closed;

    /// Takes samples.
    @FunctionalInterface
    interface Sink {
        /// Takes `count` samples of each plane of a frame, from one on; whether more are wanted.
        boolean take(MemorySegment frame, int from, int count);
    }

    Mp3Decoder() {
        FfmpegLibraries.require();
        packet = AvPacket.alloc();
        bytes = AvPacket.allocateData(packet, Mp3Frame.MOST_BYTES);
        frame = AvFrame.alloc();
        parameters = AvParameters.ofSound(MP3, FLOAT_PLANES, 2, 44_100, 0);
    }

    /// Decodes a file until nothing more is wanted, or there is no more; false if something is wrong with it.
    boolean decode(MemorySegment file, Mp3File mp3, Sink sink) {
        MemorySegment codec = AvCodec.findDecoder(MP3);
        if (codec.address() == 0) {
            return false;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment slot = arena.allocate(8, 8);
            MemorySegment context = AvCoder.context(codec, parameters, slot);
            try {
                AvCoder.fillBefore(context, GrayBuffers.Filling.WRITTEN);
                return AvCoder.open(context, codec, ONE_THREAD) >= 0 && decode(context, file, mp3, sink);
            } finally {
                AvFrame.unref(frame);
                AvCodec.freeContext(context, slot);
            }
        }
    }

    private boolean decode(MemorySegment context, MemorySegment file, Mp3File mp3, Sink sink) {
        long at = mp3.begin();
        long skipped = mp3.skipped();
        for (int i = 0; i < mp3.frames(); i++) {
            int length = Mp3Frame.length(file.get(BIG, at));
            // the file may change while it is read
            if (length == 0 || length > file.byteSize() - at) {
                return false;
            }
            fill(file, at, length, at - mp3.begin());
            if (AvCodec.sendPacket(context, packet) < 0 || AvCodec.receiveFrame(context, frame) < 0 || !isAsTold(mp3)) {
                return false;
            }
            int from = (int) Math.min(skipped, mp3.frameSamples());
            skipped -= from;
            if (from < mp3.frameSamples() && !sink.take(frame, from, mp3.frameSamples() - from)) {
                return true;
            }
            at += length;
        }
        return true;
    }

    /// Puts a frame into the packet. What is behind it matters where its data is damaged: zeros, but for a frame
    /// that the demuxer would give as it was read, at the beginning of a chunk, with the rest of that.
    private void fill(MemorySegment file, long at, int length, long fromTheFirst) {
        boolean isFirstOfChunk = fromTheFirst % CHUNK_BYTES == 0 && length < CHUNK_BYTES;
        long behind = isFirstOfChunk ? Math.min(CHUNK_BYTES - length, file.byteSize() - at - length) : 0;
        MemorySegment.copy(file, at, bytes, 0, length + behind);
        bytes.asSlice(length + behind, AvPacket.PADDING_BYTES).fill((byte) 0);
        AvPacket.borrow(packet, bytes, length);
    }

    private boolean isAsTold(Mp3File mp3) {
        return AvFrame.samples(frame) == mp3.frameSamples()
                && AvFrame.format(frame) == FLOAT_PLANES
                && AvFrame.channels(frame) == mp3.channels()
                && AvFrame.sampleRate(frame) == mp3.sampleRateHz()
                && !AvFrame.hasErrors(frame);
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            AvPacket.free(packet);
            AvFrame.free(frame);
        }
    }
}
