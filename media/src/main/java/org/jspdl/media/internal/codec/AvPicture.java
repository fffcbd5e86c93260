package org.jspdl.media.internal.codec;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import org.jspdl.media.internal.ffmpeg.AvCoder;
import org.jspdl.media.internal.ffmpeg.FfmpegLibraries;
import org.jspdl.media.internal.ffmpeg.GrayBuffers;
import org.jspdl.media.internal.natives.C;

/// Decodes single pictures, each in a codec context of its own.
///
/// The functions are those of `AvCodec`, bound with addresses as numbers, so that nothing is allocated on the heap.
final class AvPicture {
    private static final MethodHandle ALLOC_CONTEXT =
            C.function(FfmpegLibraries.AVCODEC, "avcodec_alloc_context3", C.LONG_LONG, C.POINTER);
    private static final MethodHandle SET_INT =
            C.function(FfmpegLibraries.AVUTIL, "av_opt_set_int", C.INT, C.LONG_LONG, C.POINTER, C.LONG_LONG, C.INT);
    private static final MethodHandle OPEN =
            C.function(FfmpegLibraries.AVCODEC, "avcodec_open2", C.INT, C.LONG_LONG, C.POINTER, C.POINTER);
    private static final MethodHandle SEND_PACKET =
            C.function(FfmpegLibraries.AVCODEC, "avcodec_send_packet", C.INT, C.LONG_LONG, C.POINTER);
    private static final MethodHandle RECEIVE_FRAME =
            C.function(FfmpegLibraries.AVCODEC, "avcodec_receive_frame", C.INT, C.LONG_LONG, C.POINTER);
    private static final MethodHandle FREE_CONTEXT =
            C.procedure(FfmpegLibraries.AVCODEC, "avcodec_free_context", C.POINTER);
    private static final MemorySegment MAX_PIXELS = Arena.global().allocateFrom("max_pixels");
    private static final MemorySegment ERR_DETECT = Arena.global().allocateFrom("err_detect");
    private static final MemorySegment FLAGS = Arena.global().allocateFrom("flags");

    private AvPicture() {}

    /// Decodes the picture in `packet` into `frame`. Returns 0 or an error.
    ///
    /// @param errorDetection `AvCodec.STRICT` and the like
    /// @param filling        what is where nothing is decoded
    /// @param slot           room for one pointer
    static int decode(
            MemorySegment decoder,
            MemorySegment packet,
            MemorySegment frame,
            long maxPixels,
            int errorDetection,
            GrayBuffers.Filling filling,
            MemorySegment slot) {
        try {
            long context = (long) ALLOC_CONTEXT.invokeExact(decoder);
            if (context == 0) {
                throw new OutOfMemoryError("avcodec_alloc_context3 returned NULL");
            }
            try {
                GrayBuffers.install(context, filling);
                int status = (int) SET_INT.invokeExact(context, MAX_PIXELS, maxPixels, 0);
                status = status < 0 ? status : (int) SET_INT.invokeExact(context, ERR_DETECT, (long) errorDetection, 0);
                status = status < 0 ? status : (int) SET_INT.invokeExact(context, FLAGS, (long) AvCoder.UNALIGNED, 0);
                status = status < 0 ? status : (int) OPEN.invokeExact(context, decoder, MemorySegment.NULL);
                status = status < 0 ? status : (int) SEND_PACKET.invokeExact(context, packet);
                if (status >= 0) {
                    status = (int) SEND_PACKET.invokeExact(context, MemorySegment.NULL);
                    status = (int) RECEIVE_FRAME.invokeExact(context, frame);
                }
                return status;
            } finally {
                slot.set(ValueLayout.JAVA_LONG, 0, context);
                FREE_CONTEXT.invokeExact(slot);
            }
        } catch (Throwable failure) {
            throw C.thrown(failure);
        }
    }
}
