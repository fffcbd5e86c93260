package org.jspdl.media.internal.ffmpeg;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import org.jspdl.media.internal.natives.C;
import org.jspdl.media.internal.natives.Call;

/// The functions of libavcodec and libavutil that decode pictures, one method each.
public final class AvCodec {
    /// `AVCodecID` values.
    public static final int MJPEG = 7;
    public static final int PNG = 61;
    public static final int BMP = 78;
    public static final int TIFF = 96;
    public static final int GIF = 97;
    public static final int WEBP = 171;
    public static final int HEVC = 173;
    public static final int AV1 = 225;

    /// Damage is no error.
    public static final int LENIENT = 0;
    /// AV_EF_CRCCHECK | AV_EF_BITSTREAM | AV_EF_BUFFER: damaged data is looked for.
    public static final int CAREFUL = 1 | 2 | 4;
    /// The same and AV_EF_EXPLODE: damaged data is an error.
    public static final int STRICT = CAREFUL | 8;

    private static final int ERROR_TEXT_BYTES = 256;

    // const AVCodec *avcodec_find_decoder(enum AVCodecID id)
    private static final MethodHandle FIND_DECODER =
            C.function(FfmpegLibraries.AVCODEC, "avcodec_find_decoder", C.POINTER, C.INT);
    // void avcodec_free_context(AVCodecContext **avctx)
    private static final MethodHandle FREE_CONTEXT =
            C.procedure(FfmpegLibraries.AVCODEC, "avcodec_free_context", C.POINTER);
    // int avcodec_send_packet(AVCodecContext *avctx, const AVPacket *avpkt)
    private static final MethodHandle SEND_PACKET =
            C.function(FfmpegLibraries.AVCODEC, "avcodec_send_packet", C.INT, C.POINTER, C.POINTER);
    // int avcodec_receive_frame(AVCodecContext *avctx, AVFrame *frame)
    private static final MethodHandle RECEIVE_FRAME =
            C.function(FfmpegLibraries.AVCODEC, "avcodec_receive_frame", C.INT, C.POINTER, C.POINTER);
    // int av_opt_set_int(void *obj, const char *name, int64_t val, int search_flags)
    private static final MethodHandle SET_INT =
            C.function(FfmpegLibraries.AVUTIL, "av_opt_set_int", C.INT, C.POINTER, C.POINTER, C.LONG_LONG, C.INT);
    // int av_strerror(int errnum, char *errbuf, size_t errbuf_size)
    private static final MethodHandle ERROR_TEXT =
            C.function(FfmpegLibraries.AVUTIL, "av_strerror", C.INT, C.INT, C.POINTER, C.SIZE_T);

    private AvCodec() {}

    /// The decoder for a codec; NULL if this build has none.
    public static MemorySegment findDecoder(int codec) {
        return Call.toPointer(FIND_DECODER, codec);
    }

    /// Sets an option of any of FFmpeg's contexts to a number.
    public static void setOption(MemorySegment context, String name, long value) {
        try (Arena arena = Arena.ofConfined()) {
            int status = (int) SET_INT.invokeExact(context, arena.allocateFrom(name), value, 0);
            if (status < 0) {
                throw new IllegalArgumentException("option " + name + ": " + errorText(status));
            }
        } catch (Throwable failure) {
            throw C.thrown(failure);
        }
    }

    /// Frees a context; `slot` is room for one pointer.
    public static void freeContext(MemorySegment context, MemorySegment slot) {
        slot.set(ValueLayout.ADDRESS, 0, context);
        Call.run(FREE_CONTEXT, slot);
    }

    /// Frees a context.
    public static void freeContext(MemorySegment context) {
        try (Arena arena = Arena.ofConfined()) {
            freeContext(context, arena.allocate(C.POINTER));
        }
    }

    /// Gives a packet, or NULL for the end of the data. Returns 0 or an error.
    public static int sendPacket(MemorySegment context, MemorySegment packet) {
        return Call.toInt(SEND_PACKET, context, packet);
    }

    /// Takes a picture. Returns 0 or an error.
    public static int receiveFrame(MemorySegment context, MemorySegment frame) {
        return Call.toInt(RECEIVE_FRAME, context, frame);
    }

    /// What an error number means.
    public static String errorText(int error) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment text = arena.allocate(ERROR_TEXT_BYTES);
            int ignored = (int) ERROR_TEXT.invokeExact(error, text, (long) ERROR_TEXT_BYTES);
            return text.getString(0);
        } catch (Throwable failure) {
            throw C.thrown(failure);
        }
    }

    /// The version of libavcodec, such as `62.11.100`.
    public static String version() {
        // unsigned avcodec_version(void)
        MethodHandle handle = C.function(FfmpegLibraries.AVCODEC, "avcodec_version", C.INT);
        int version = Call.toInt(handle);
        return (version >>> 16) + "." + ((version >>> 8) & 0xFF) + "." + (version & 0xFF);
    }
}
