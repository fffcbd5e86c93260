package org.jspdl.media.frame;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspdl.input.MediaException;
import org.jspdl.media.internal.ffmpeg.AvCodec;
import org.jspdl.media.internal.ffmpeg.AvCoder;
import org.jspdl.media.internal.ffmpeg.AvError;
import org.jspdl.media.internal.ffmpeg.AvFrame;
import org.jspdl.media.internal.ffmpeg.AvPacket;
import org.jspdl.media.internal.ffmpeg.AvParameters;
import org.jspdl.media.internal.ffmpeg.FfmpegLibraries;
import org.jspdl.media.internal.ffmpeg.GrayBuffers;
import org.jspdl.media.internal.ffmpeg.damage.MissingPictures;
import org.jspdl.media.internal.ffmpeg.damage.UnwrittenBlocks;
import org.jspdl.media.internal.lifetime.NativeHandle;
import org.jspdl.media.stream.MediaLimits;
import org.jspdl.media.stream.Packet;
import org.jspdl.media.stream.Packets;
import org.jspdl.media.stream.StreamInfo;
import org.jspdl.media.stream.TimeWindow;

/// Decodes packets of one stream to frames.
///
/// Owned by whoever opened it, who closes it; used by one thread at a time. [#decode] takes whole packets and gives
/// whole frames; [#send] and [#receive] do the same one at a time, into a frame that is reused. Most of a call is
/// native code: use platform threads.
@SuppressWarnings("exports") // users see only close() of the handle
public final class Decoder extends NativeHandle {
    private static final long NOT_BEGUN = Long.MAX_VALUE;
    private static final String HEVC = "hevc";
    /// Decoders that say that data is damaged if they are told to, in frames and in checksums.
    private static final Set<String> TELL_IF_ASKED = Set.of("flac", HEVC);

    /// Decoders of sound that write every sample of what they give, so that it need not be silent before. That of
    /// AAC, among others, does not: of a channel that a packet lacks.
    private static final Set<String> WRITE_ALL = Set.of("mp3", "mp2", "flac", "alac", "vorbis", "opus");

    private StreamInfo stream;
    private final DecodeOptions options;
    /// Whether it is looked for parts of pictures that nobody wrote.
    private final boolean findsUnwritten;
    /// Of the sizes of units in which pictures are looked for; 0 where they are not.
    private final int unitSizeBytes;

    private long lastTime = Packet.NO_TIME;
    private long nextFrame = Packet.NO_TIME;
    private boolean skipped;
    private boolean tagged;
    /// The time of the first key frame, or of what was decoded without one.
    private long begin = NOT_BEGUN;

    private Decoder(MemorySegment context, StreamInfo stream, DecodeOptions options) {
        super(context);
        this.stream = stream;
        this.options = options;
        findsUnwritten = findsUnwritten(stream, options);
        unitSizeBytes =
                findsUnwritten ? MissingPictures.sizeBytes(stream.parameters().extraData()) : 0;
    }

    /// Opens a decoder with the defaults.
    ///
    /// @throws MediaException if there is none for the codec
    public static Decoder open(StreamInfo stream) {
        return open(stream, DecodeOptions.standard());
    }

    /// Opens a decoder.
    ///
    /// @throws MediaException if there is none for the codec, or it refuses the stream or an option
    public static Decoder open(StreamInfo stream, DecodeOptions options) {
        FfmpegLibraries.require();
        AvParameters parameters = stream.parameters();
        PaddedSamples.refusal(stream.codec(), parameters).ifPresent(reason -> {
            throw stream.failure(reason);
        });
        MemorySegment codec = options.decoder().isEmpty()
                ? AvCodec.findDecoder(parameters.codec())
                : AvCoder.decoder(options.decoder());
        if (codec.address() == 0 || AvCoder.codecOf(codec) != parameters.codec()) {
            throw stream.failure(
                    options.decoder().isEmpty()
                            ? "this build of FFmpeg has no decoder for it"
                            : "there is no decoder '" + options.decoder() + "' for it");
        }
        checkPixels(stream, options.limits());
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment slot = arena.allocate(8, 8);
            MemorySegment context = AvCoder.context(codec, parameters, slot);
            try {
                AvCoder.cutExactly(context);
                AvCoder.fillBefore(context, filling(stream, options));
                AvCoder.packetTimeBase(context, (int) stream.timeBase().numerator(), (int)
                        stream.timeBase().denominator());
                int status = AvCoder.open(context, codec, dictionary(stream, options));
                if (status < 0) {
                    throw stream.failure(AvCodec.errorText(status));
                }
            } catch (IllegalArgumentException wrong) {
                AvCodec.freeContext(context, slot);
                throw stream.failure(String.valueOf(wrong.getMessage()));
            } catch (Throwable failure) {
                AvCodec.freeContext(context, slot);
                throw failure;
            }
            return new Decoder(context, stream, options);
        }
    }

    private static GrayBuffers.Filling filling(StreamInfo stream, DecodeOptions options) {
        if (findsUnwritten(stream, options)) {
            return GrayBuffers.Filling.MARKS;
        }
        boolean isWritten = options.damage() == DecodeOptions.Damage.REFUSED
                && options.decoder().isEmpty()
                && WRITE_ALL.contains(stream.codec());
        return isWritten ? GrayBuffers.Filling.WRITTEN : GrayBuffers.Filling.GRAY;
    }

    /// The decoder of HEVC does not tell that slices or whole pictures are missing.
    private static boolean findsUnwritten(StreamInfo stream, DecodeOptions options) {
        return options.damage() == DecodeOptions.Damage.REFUSED
                && stream.codec().equals(HEVC);
    }

    /// The codec looks again at every picture, but can only say that something is invalid.
    private static void checkPixels(StreamInfo stream, MediaLimits limits) {
        long pixels = (long) stream.width() * stream.height();
        if (pixels > limits.maxPixels()) {
            throw stream.failure(stream.width() + " x " + stream.height() + " pixels are more than the limit of "
                    + limits.maxPixels());
        }
    }

    private static Map<String, String> dictionary(StreamInfo stream, DecodeOptions options) {
        Map<String, String> dictionary = new HashMap<>();
        if (options.damage() == DecodeOptions.Damage.REFUSED && TELL_IF_ASKED.contains(stream.codec())) {
            // Left alone, FFmpeg decodes damaged frames to noise or drops them, and says so in its log
            // only.
            dictionary.put("err_detect", "crccheck+explode");
        }
        dictionary.putAll(options.options());
        dictionary.put("threads", Integer.toString(options.threads()));
        dictionary.put("max_pixels", Long.toString(options.limits().maxPixels()));
        return dictionary;
    }

    /// The stream it decodes.
    public StreamInfo stream() {
        return stream;
    }

    /// Decodes packets, which it takes and closes, into the frames that are complete then and lie in their window;
    /// the caller owns these. Frames that are still missing come with the next packets, or with [#flush].
    ///
    /// @throws MediaException if a packet can't be decoded
    public Frames decode(Packets packets) {
        StreamInfo from = packets.stream();
        if (!from.parameters().equals(stream.parameters()) || !from.timeBase().equals(stream.timeBase())) {
            throw new IllegalArgumentException("packets of " + from + " can't be decoded by a decoder of " + stream);
        }
        TimeWindow window = packets.window();
        Frames frames = new Frames();
        try (Frame frame = Frame.create()) {
            packets.drain("a decoder", packet -> {
                send(packet);
                receiveAll(frame, window, frames);
            });
            return frames;
        } catch (Throwable failure) {
            frames.close();
            throw failure;
        }
    }

    /// The frames that remain after the last packets; the caller owns them. The decoder can then begin anew.
    public Frames flush() {
        return flush(TimeWindow.all());
    }

    /// The frames that remain, as far as they lie in `window`.
    public Frames flush(TimeWindow window) {
        Frames frames = new Frames();
        try (Frame frame = Frame.create()) {
            sendEnd();
            receiveAll(frame, window, frames);
            reset();
            return frames;
        } catch (Throwable failure) {
            frames.close();
            throw failure;
        }
    }

    /// All frames of packets and nothing else: [#decode] and [#flush] on a decoder of their own.
    ///
    /// @throws MediaException if a packet can't be decoded
    public static Frames decodeAll(Packets packets) {
        TimeWindow window = packets.window();
        try (Decoder decoder = open(packets.stream())) {
            Frames frames = decoder.decode(packets);
            try (Frames rest = decoder.flush(window)) {
                frames.addAll(rest);
                return frames;
            } catch (Throwable failure) {
                frames.close();
                throw failure;
            }
        } finally {
            packets.close();
        }
    }

    private void receiveAll(Frame frame, TimeWindow window, Frames into) {
        long first = window.firstTick(stream.timeBase());
        long end = window.endTick(stream.timeBase());
        while (receive(frame)) {
            // A frame without a time comes a frame's length after the last one.
            long time = frame.pts() == Packet.NO_TIME ? nextFrame : frame.pts();
            nextFrame = time == Packet.NO_TIME ? time : time + Math.max(1, frame.duration());
            boolean inside = frame.kind() == StreamInfo.Kind.AUDIO
                    ? frame.trimTo(window)
                    : window.isAll() || (time >= first && time < end);
            if (inside) {
                into.take(frame);
                if (into.byteSize() > options.limits().maxBytes()) {
                    throw stream.failure("frames of more than "
                            + options.limits().maxBytes() + " bytes, the limit; decode in smaller windows or chunks");
                }
            }
        }
    }

    /// Gives one packet, which stays the caller's. Take all frames with [#receive] before the next.
    ///
    /// @throws MediaException if it can't be decoded
    public void send(Packet packet) {
        lastTime = packet.pts() == Packet.NO_TIME ? packet.dts() : packet.pts();
        // Decoders make frames of what is left, of other pixels or samples or fewer of them, and often find
        // nothing wrong.
        if (options.damage() == DecodeOptions.Damage.REFUSED && AvPacket.isCorrupt(packet.nativePacket())) {
            throw stream.failureAt(
                    lastTime,
                    "the container says that bytes of this packet, or next to it, are lost or damaged; DecodeOptions.Damage.SKIPPED"
                            + " decodes what is there");
        }
        if (unitSizeBytes > 0 && !MissingPictures.hasSlice(packet.data(), unitSizeBytes)) {
            throw stream.failureAt(
                    lastTime, "a packet holds no picture; DecodeOptions.Damage.SKIPPED goes on without that frame");
        }
        begin = begin == NOT_BEGUN && packet.isKeyFrame() ? lastTime : begin;
        if (findsUnwritten) {
            GrayBuffers.beginPacket(pointer());
        }
        int status = AvCodec.sendPacket(pointer(), packet.nativePacket());
        if (AvError.isDamage(status) && TrailingTag.isIn(stream.codec(), packet.nativePacket())) {
            tagged = true;
        }
        accept(status);
    }

    /// Says that no packets follow, so that [#receive] gives the frames that remain; [#reset] before the next
    /// packet.
    public void sendEnd() {
        AvCodec.sendPacket(pointer(), MemorySegment.NULL);
    }

    /// Takes the next frame into `into`; false if it needs more packets first.
    ///
    /// @throws MediaException if a packet sent before can't be decoded
    public boolean receive(Frame into) {
        MemorySegment frame = into.nativeFrame();
        AvFrame.unref(frame);
        int status = AvCodec.receiveFrame(pointer(), frame);
        if (status >= 0) {
            into.begin(stream);
            begin = begin == NOT_BEGUN ? lastTime : begin;
            if (options.damage() == DecodeOptions.Damage.REFUSED && AvFrame.hasErrors(frame)) {
                throw stream.failureAt(
                        into.pts(),
                        "the decoder found damage in a frame; DecodeOptions.Damage.SKIPPED gives it all the same");
            }
            if (findsUnwritten) {
                Optional<String> unwritten = UnwrittenBlocks.first(frame);
                if (unwritten.isPresent()) {
                    throw stream.failureAt(
                            into.pts(),
                            "a part of a frame is missing, from " + unwritten.get()
                                    + " on; DecodeOptions.Damage.SKIPPED makes it gray");
                }
            }
            return true;
        }
        if (status != AvError.AGAIN && status != AvError.END) {
            accept(status);
            return receive(into);
        }
        return false;
    }

    private void accept(int status) {
        if (status >= 0) {
            return;
        }
        // A recording may begin between key frames: what is shown before the first is left out.
        boolean isBefore = lastTime < begin && stream.codec().equals(HEVC);
        boolean passed =
                AvError.isDamage(status) && (tagged || isBefore || options.damage() == DecodeOptions.Damage.SKIPPED);
        if (!passed) {
            throw stream.failureAt(
                    lastTime,
                    AvCodec.errorText(status)
                            + (AvError.isDamage(status)
                                    ? "; DecodeOptions.Damage.SKIPPED leaves out what can't be decoded"
                                    : ""));
        }
        skipped = true;
    }

    /// Whether packets that can't be decoded were left out.
    boolean hasSkipped() {
        return skipped;
    }

    /// Forgets everything, to go on with packets from another place of the stream.
    public void reset() {
        tagged = false;
        begin = NOT_BEGUN;
        nextFrame = Packet.NO_TIME;
        AvCoder.flush(pointer());
    }

    /// As [#reset], for another stream with the same parameters.
    void reset(StreamInfo other) {
        reset();
        stream = other;
    }

    /// Whether packets that no other frame refers to are skipped from here on, for frames that nobody wants.
    public void skipUnreferenced(boolean skip) {
        AvCoder.skip(pointer(), skip ? AvCoder.SKIP_UNREFERENCED : AvCoder.DECODE_ALL);
    }

    @Override
    protected void free(MemorySegment context) {
        AvCodec.freeContext(context);
    }

    @Override
    public String toString() {
        return "decoder of " + stream;
    }
}
