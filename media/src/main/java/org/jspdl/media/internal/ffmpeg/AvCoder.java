package org.jspdl.media.internal.ffmpeg;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Map;
import org.jspdl.media.internal.natives.C;
import org.jspdl.media.internal.natives.Call;

/// Decoders and encoders for streams: opening them with parameters and options, and the fields of `AVCodecContext` 62.
public final class AvCoder {
    /// The bytes of an `AVCodecContext`.
    public static final int BYTE_SIZE = 864;

    /// AVDISCARD_DEFAULT: nothing is skipped.
    public static final int DECODE_ALL = 0;
    /// AVDISCARD_NONREF: frames that no other frame refers to are skipped.
    public static final int SKIP_UNREFERENCED = 8;

    private static final long FLAGS = 64;
    private static final long TIME_BASE = 84;
    private static final long PACKET_TIME_BASE = 92;
    private static final long FRAME_RATE = 100;
    private static final long FRAME_SIZE = 376;
    private static final long SKIP_FRAME = 708;
    private static final int GLOBAL_HEADER = 1 << 22;
    /// AV_CODEC_FLAG_UNALIGNED: pictures are cut where their stream says.
    public static final int UNALIGNED = 1;

    // const AVCodec *avcodec_find_decoder_by_name(const char *name)
    private static final MethodHandle FIND_DECODER =
            C.function(FfmpegLibraries.AVCODEC, "avcodec_find_decoder_by_name", C.POINTER, C.POINTER);
    // const AVCodec *avcodec_find_encoder_by_name(const char *name)
    private static final MethodHandle FIND_ENCODER =
            C.function(FfmpegLibraries.AVCODEC, "avcodec_find_encoder_by_name", C.POINTER, C.POINTER);
    // AVCodecContext *avcodec_alloc_context3(const AVCodec *codec)
    private static final MethodHandle ALLOC =
            C.function(FfmpegLibraries.AVCODEC, "avcodec_alloc_context3", C.POINTER, C.POINTER);
    // int avcodec_parameters_to_context(AVCodecContext *codec, const AVCodecParameters *par)
    private static final MethodHandle FROM_PARAMETERS =
            C.function(FfmpegLibraries.AVCODEC, "avcodec_parameters_to_context", C.INT, C.POINTER, C.POINTER);
    // int avcodec_parameters_from_context(AVCodecParameters *par, const AVCodecContext *codec)
    private static final MethodHandle TO_PARAMETERS =
            C.function(FfmpegLibraries.AVCODEC, "avcodec_parameters_from_context", C.INT, C.POINTER, C.POINTER);
    // int avcodec_open2(AVCodecContext *avctx, const AVCodec *codec, AVDictionary **options)
    private static final MethodHandle OPEN =
            C.function(FfmpegLibraries.AVCODEC, "avcodec_open2", C.INT, C.POINTER, C.POINTER, C.POINTER);
    // void avcodec_flush_buffers(AVCodecContext *avctx)
    private static final MethodHandle FLUSH = C.procedure(FfmpegLibraries.AVCODEC, "avcodec_flush_buffers", C.POINTER);
    // int avcodec_send_frame(AVCodecContext *avctx, const AVFrame *frame)
    private static final MethodHandle SEND_FRAME =
            C.function(FfmpegLibraries.AVCODEC, "avcodec_send_frame", C.INT, C.POINTER, C.POINTER);
    // int avcodec_receive_packet(AVCodecContext *avctx, AVPacket *avpkt)
    private static final MethodHandle RECEIVE_PACKET =
            C.function(FfmpegLibraries.AVCODEC, "avcodec_receive_packet", C.INT, C.POINTER, C.POINTER);

    private AvCoder() {}

    /// The decoder of this name; NULL if this build has none.
    public static MemorySegment decoder(String name) {
        try (Arena arena = Arena.ofConfined()) {
            return Call.toPointer(FIND_DECODER, arena.allocateFrom(name));
        }
    }

    /// The encoder of this name; NULL if this build has none.
    public static MemorySegment encoder(String name) {
        try (Arena arena = Arena.ofConfined()) {
            return Call.toPointer(FIND_ENCODER, arena.allocateFrom(name));
        }
    }

    /// The `AVCodecID` of an `AVCodec`.
    public static int codecOf(MemorySegment codec) {
        return C.view(codec, 96).get(ValueLayout.JAVA_INT, 20);
    }

    /// A new context for `codec` with these parameters, not open yet; to be given to [AvCodec#freeContext].
    public static MemorySegment context(MemorySegment codec, AvParameters parameters, MemorySegment slot) {
        MemorySegment context =
                C.view(Call.allocated(Call.toPointer(ALLOC, codec), "avcodec_alloc_context3"), BYTE_SIZE);
        MemorySegment struct = parameters.toNative();
        try {
            int status = Call.toInt(FROM_PARAMETERS, context, struct);
            if (status < 0) {
                AvCodec.freeContext(context, slot);
                throw new IllegalArgumentException("avcodec_parameters_to_context: " + AvCodec.errorText(status));
            }
        } finally {
            AvParameters.free(struct, slot);
        }
        return context;
    }

    /// Opens a context. Returns 0 or an error; options that were not used are removed from the map's copy and
    /// returned by `unused`.
    public static int open(MemorySegment context, MemorySegment codec, Map<String, String> options) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment dictionary = AvDictionary.of(options, arena);
            try {
                int status = Call.toInt(OPEN, context, codec, dictionary);
                Map<String, String> unused = status < 0 ? Map.of() : AvDictionary.entriesAt(dictionary);
                if (!unused.isEmpty()) {
                    throw new IllegalArgumentException("the codec has no option " + unused.keySet());
                }
                return status;
            } finally {
                AvDictionary.free(dictionary);
            }
        }
    }

    /// Makes a context cut pictures where their stream says, not up to 31 columns before, where lines are aligned.
    public static void cutExactly(MemorySegment context) {
        context.set(ValueLayout.JAVA_INT, FLAGS, context.get(ValueLayout.JAVA_INT, FLAGS) | UNALIGNED);
    }

    /// Makes a context that is not open yet fill pictures and sound before the decoder does.
    public static void fillBefore(MemorySegment context, GrayBuffers.Filling filling) {
        GrayBuffers.install(context.address(), filling);
    }

    /// Forgets all frames, for going on at another place of the same stream.
    public static void flush(MemorySegment context) {
        Call.run(FLUSH, context);
    }

    /// Which frames a decoder skips from here on.
    public static void skip(MemorySegment context, int discard) {
        context.set(ValueLayout.JAVA_INT, SKIP_FRAME, discard);
    }

    /// Sets the unit of the packets' times.
    public static void packetTimeBase(MemorySegment context, int numerator, int denominator) {
        context.set(ValueLayout.JAVA_INT, PACKET_TIME_BASE, numerator);
        context.set(ValueLayout.JAVA_INT, PACKET_TIME_BASE + 4, denominator);
    }

    /// Sets the unit of an encoder's times.
    public static void timeBase(MemorySegment context, int numerator, int denominator) {
        context.set(ValueLayout.JAVA_INT, TIME_BASE, numerator);
        context.set(ValueLayout.JAVA_INT, TIME_BASE + 4, denominator);
    }

    /// Sets the frame rate that an encoder writes down.
    public static void frameRate(MemorySegment context, int numerator, int denominator) {
        context.set(ValueLayout.JAVA_INT, FRAME_RATE, numerator);
        context.set(ValueLayout.JAVA_INT, FRAME_RATE + 4, denominator);
    }

    /// Puts headers into the extra data rather than into every key frame.
    public static void globalHeader(MemorySegment context) {
        context.set(ValueLayout.JAVA_INT, FLAGS, context.get(ValueLayout.JAVA_INT, FLAGS) | GLOBAL_HEADER);
    }

    /// How many samples an audio encoder wants in a frame; 0 for any number.
    public static int frameSize(MemorySegment context) {
        return context.get(ValueLayout.JAVA_INT, FRAME_SIZE);
    }

    /// What a decoder of an open encoder's packets must know.
    public static AvParameters parameters(MemorySegment context, AvParameters fresh, MemorySegment slot) {
        MemorySegment struct = fresh.toNative();
        try {
            int status = Call.toInt(TO_PARAMETERS, struct, context);
            if (status < 0) {
                throw new IllegalStateException("avcodec_parameters_from_context: " + AvCodec.errorText(status));
            }
            return AvParameters.copyOf(struct);
        } finally {
            AvParameters.free(struct, slot);
        }
    }

    /// Gives a frame to an encoder, or NULL for the end. Returns 0 or an error.
    public static int sendFrame(MemorySegment context, MemorySegment frame) {
        return Call.toInt(SEND_FRAME, context, frame);
    }

    /// Takes a packet from an encoder. Returns 0 or an error.
    public static int receivePacket(MemorySegment context, MemorySegment packet) {
        return Call.toInt(RECEIVE_PACKET, context, packet);
    }
}
