package org.jspdl.media.internal.ffmpeg.filter;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import org.jspdl.media.internal.ffmpeg.AvParameters;
import org.jspdl.media.internal.ffmpeg.FfmpegLibraries;
import org.jspdl.media.internal.natives.C;
import org.jspdl.media.internal.natives.Call;

/// The functions of libavcodec that filter packets without decoding them.
public final class AvBitstream {
    private static final long IN = 24;
    private static final long OUT = 32;
    private static final long TIME_BASE_IN = 40;
    private static final long TIME_BASE_OUT = 48;
    private static final long BYTE_SIZE = 56;

    // int av_bsf_list_parse_str(const char *str, AVBSFContext **bsf)
    private static final MethodHandle PARSE =
            C.function(FfmpegLibraries.AVCODEC, "av_bsf_list_parse_str", C.INT, C.POINTER, C.POINTER);
    // int av_bsf_init(AVBSFContext *ctx)
    private static final MethodHandle INIT = C.function(FfmpegLibraries.AVCODEC, "av_bsf_init", C.INT, C.POINTER);
    // int av_bsf_send_packet(AVBSFContext *ctx, AVPacket *pkt)
    private static final MethodHandle SEND =
            C.function(FfmpegLibraries.AVCODEC, "av_bsf_send_packet", C.INT, C.POINTER, C.POINTER);
    // int av_bsf_receive_packet(AVBSFContext *ctx, AVPacket *pkt)
    private static final MethodHandle RECEIVE =
            C.function(FfmpegLibraries.AVCODEC, "av_bsf_receive_packet", C.INT, C.POINTER, C.POINTER);
    // void av_bsf_free(AVBSFContext **pctx)
    private static final MethodHandle FREE = C.procedure(FfmpegLibraries.AVCODEC, "av_bsf_free", C.POINTER);

    private AvBitstream() {}

    /// Puts new filters, comma-separated, into `slot`, to be given to [#free]. Returns 0 or an error.
    public static int open(
            MemorySegment slot, String filters, AvParameters in, int numerator, int denominator, Arena arena) {
        int status = Call.toInt(PARSE, arena.allocateFrom(filters), slot);
        if (status < 0) {
            return status;
        }
        MemorySegment context = contextAt(slot);
        in.writeTo(C.view(context.get(ValueLayout.ADDRESS, IN), AvParameters.BYTE_SIZE));
        context.set(ValueLayout.JAVA_INT, TIME_BASE_IN, numerator);
        context.set(ValueLayout.JAVA_INT, TIME_BASE_IN + 4, denominator);
        return Call.toInt(INIT, context);
    }

    /// The context that `slot` points to.
    public static MemorySegment contextAt(MemorySegment slot) {
        return C.view(slot.get(ValueLayout.ADDRESS, 0), BYTE_SIZE);
    }

    /// What a decoder of the filtered packets must know.
    public static AvParameters parameters(MemorySegment context) {
        return AvParameters.copyOf(context.get(ValueLayout.ADDRESS, OUT));
    }

    public static int timeBaseNumerator(MemorySegment context) {
        return context.get(ValueLayout.JAVA_INT, TIME_BASE_OUT);
    }

    public static int timeBaseDenominator(MemorySegment context) {
        return context.get(ValueLayout.JAVA_INT, TIME_BASE_OUT + 4);
    }

    /// Gives a packet, whose content is taken, or NULL for the end. Returns 0 or an error.
    public static int send(MemorySegment context, MemorySegment packet) {
        return Call.toInt(SEND, context, packet);
    }

    /// Takes a packet. Returns 0 or an error.
    public static int receive(MemorySegment context, MemorySegment packet) {
        return Call.toInt(RECEIVE, context, packet);
    }

    public static void free(MemorySegment context) {
        try (Arena arena = Arena.ofConfined()) {
            Call.run(FREE, arena.allocateFrom(ValueLayout.ADDRESS, context));
        }
    }
}
