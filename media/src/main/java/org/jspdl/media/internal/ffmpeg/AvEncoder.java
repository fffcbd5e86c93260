package org.jspdl.media.internal.ffmpeg;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import org.jspdl.media.internal.natives.C;
import org.jspdl.media.internal.natives.Call;

/// The functions of libavcodec that encode single pictures, and the fields of `AVCodecContext` 62 that they need, at
/// offsets that are verified for every context.
public final class AvEncoder {
    private static final long FLAGS = 64;
    private static final long TIME_BASE = 84;
    private static final long WIDTH = 112;
    private static final long HEIGHT = 116;
    private static final long PIXEL_FORMAT = 136;
    private static final long BYTE_SIZE = 512;
    /// AV_CODEC_FLAG_QSCALE: the quality is fixed, and each frame tells it.
    private static final int FIXED_QUALITY = 1 << 1;

    // const AVCodec *avcodec_find_encoder(enum AVCodecID id)
    private static final MethodHandle FIND_ENCODER =
            C.function(FfmpegLibraries.AVCODEC, "avcodec_find_encoder", C.POINTER, C.INT);
    // AVCodecContext *avcodec_alloc_context3(const AVCodec *codec)
    private static final MethodHandle ALLOC_CONTEXT =
            C.function(FfmpegLibraries.AVCODEC, "avcodec_alloc_context3", C.POINTER, C.POINTER);
    // int avcodec_open2(AVCodecContext *avctx, const AVCodec *codec, AVDictionary **options)
    private static final MethodHandle OPEN =
            C.function(FfmpegLibraries.AVCODEC, "avcodec_open2", C.INT, C.POINTER, C.POINTER, C.POINTER);
    // int avcodec_send_frame(AVCodecContext *avctx, const AVFrame *frame)
    private static final MethodHandle SEND_FRAME =
            C.function(FfmpegLibraries.AVCODEC, "avcodec_send_frame", C.INT, C.POINTER, C.POINTER);
    // int avcodec_receive_packet(AVCodecContext *avctx, AVPacket *avpkt)
    private static final MethodHandle RECEIVE_PACKET =
            C.function(FfmpegLibraries.AVCODEC, "avcodec_receive_packet", C.INT, C.POINTER, C.POINTER);

    private AvEncoder() {}

    /// An open context for pictures of one size and format, to be given to [AvCodec#freeContext].
    ///
    /// @param slot room for one pointer
    public static MemorySegment open(int codec, int width, int height, int format, MemorySegment slot) {
        MemorySegment encoder = Call.toPointer(FIND_ENCODER, codec);
        if (encoder.address() == 0) {
            throw new IllegalStateException("this build of FFmpeg has no encoder for codec " + codec);
        }
        MemorySegment context =
                C.view(Call.allocated(Call.toPointer(ALLOC_CONTEXT, encoder), "avcodec_alloc_context3"), BYTE_SIZE);
        if (context.get(ValueLayout.JAVA_INT, PIXEL_FORMAT) != -1
                || context.get(ValueLayout.JAVA_INT, TIME_BASE) != 0
                || context.get(ValueLayout.JAVA_INT, TIME_BASE + 4) != 1
                || context.get(ValueLayout.JAVA_INT, WIDTH) != 0) {
            AvCodec.freeContext(context, slot);
            throw new UnsatisfiedLinkError("the layout of libavcodec's AVCodecContext is not that of version 62.11");
        }
        context.set(ValueLayout.JAVA_INT, WIDTH, width);
        context.set(ValueLayout.JAVA_INT, HEIGHT, height);
        context.set(ValueLayout.JAVA_INT, PIXEL_FORMAT, format);
        context.set(ValueLayout.JAVA_INT, TIME_BASE, 1);
        context.set(ValueLayout.JAVA_INT, FLAGS, context.get(ValueLayout.JAVA_INT, FLAGS) | FIXED_QUALITY);
        int status = Call.toInt(OPEN, context, encoder, MemorySegment.NULL);
        if (status < 0) {
            AvCodec.freeContext(context, slot);
            throw new IllegalArgumentException("a picture of " + width + " x " + height + " pixels cannot be encoded: "
                    + AvCodec.errorText(status));
        }
        return context;
    }

    /// Encodes one picture. Returns 0 or an error.
    public static int encode(MemorySegment context, MemorySegment frame, MemorySegment packet) {
        int status = Call.toInt(SEND_FRAME, context, frame);
        if (status >= 0) {
            Call.toInt(SEND_FRAME, context, MemorySegment.NULL);
            status = Call.toInt(RECEIVE_PACKET, context, packet);
        }
        return status;
    }
}
