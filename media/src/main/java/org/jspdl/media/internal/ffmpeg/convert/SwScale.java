package org.jspdl.media.internal.ffmpeg.convert;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import org.jspdl.media.internal.ffmpeg.AvCodec;
import org.jspdl.media.internal.ffmpeg.AvFrame;
import org.jspdl.media.internal.ffmpeg.FfmpegLibraries;
import org.jspdl.media.internal.natives.C;
import org.jspdl.media.internal.natives.Call;

/// The functions of libswscale that change a picture's pixel format and size.
public final class SwScale {
    /// SWS_AREA | SWS_FULL_CHR_H_INP | SWS_ACCURATE_RND: chroma is averaged where it is reduced.
    public static final int AVERAGING = 0x20 | 0x4000 | 0x40000;
    /// SWS_POINT | SWS_FULL_CHR_H_INT | SWS_FULL_CHR_H_INP | SWS_ACCURATE_RND
    private static final int EXACT = 0x10 | 0x2000 | 0x4000 | 0x40000;

    // struct SwsContext *sws_getCachedContext(struct SwsContext *context, int srcW, int srcH, enum AVPixelFormat
    //         srcFormat, int dstW, int dstH, enum AVPixelFormat dstFormat, int flags, SwsFilter *srcFilter,
    //         SwsFilter *dstFilter, const double *param)
    private static final MethodHandle CACHED_CONTEXT = C.function(
            FfmpegLibraries.Scaling.SWSCALE,
            "sws_getCachedContext",
            C.POINTER,
            C.POINTER,
            C.INT,
            C.INT,
            C.INT,
            C.INT,
            C.INT,
            C.INT,
            C.INT,
            C.POINTER,
            C.POINTER,
            C.POINTER);
    // int sws_scale(struct SwsContext *c, const uint8_t *const srcSlice[], const int srcStride[], int srcSliceY,
    //         int srcSliceH, uint8_t *const dst[], const int dstStride[])
    private static final MethodHandle SCALE = C.function(
            FfmpegLibraries.Scaling.SWSCALE,
            "sws_scale",
            C.INT,
            C.POINTER,
            C.POINTER,
            C.POINTER,
            C.INT,
            C.INT,
            C.POINTER,
            C.POINTER);
    // const int *sws_getCoefficients(int colorspace)
    private static final MethodHandle COEFFICIENTS =
            C.function(FfmpegLibraries.Scaling.SWSCALE, "sws_getCoefficients", C.POINTER, C.INT);
    // int sws_setColorspaceDetails(struct SwsContext *c, const int inv_table[4], int srcRange, const int table[4],
    //         int dstRange, int brightness, int contrast, int saturation)
    private static final MethodHandle SET_COLORS = C.function(
            FfmpegLibraries.Scaling.SWSCALE,
            "sws_setColorspaceDetails",
            C.INT,
            C.POINTER,
            C.POINTER,
            C.INT,
            C.POINTER,
            C.INT,
            C.INT,
            C.INT,
            C.INT);
    // void sws_freeContext(struct SwsContext *swsContext)
    private static final MethodHandle FREE = C.procedure(FfmpegLibraries.Scaling.SWSCALE, "sws_freeContext", C.POINTER);

    // struct SwsContext *sws_alloc_context(void)
    private static final MethodHandle ALLOC =
            C.function(FfmpegLibraries.Scaling.SWSCALE, "sws_alloc_context", C.POINTER);
    // int sws_init_context(struct SwsContext *sws_context, SwsFilter *srcFilter, SwsFilter *dstFilter)
    private static final MethodHandle INIT =
            C.function(FfmpegLibraries.Scaling.SWSCALE, "sws_init_context", C.INT, C.POINTER, C.POINTER, C.POINTER);

    private SwScale() {}

    /// A context from one format and size to another; NULL if the formats are not supported.
    ///
    /// @param flags   `SWS_*`
    /// @param chromaX where the first chroma sample lies across: 0 on the first pixel, 256 on the second, -513 in
    ///                the middle of the pixels that it belongs to
    /// @param chromaY the same down
    public static MemorySegment context(
            int width, int height, int from, int toWidth, int toHeight, int to, int flags, int chromaX, int chromaY) {
        MemorySegment context = Call.allocated(Call.toPointer(ALLOC), "sws_alloc_context");
        AvCodec.setOption(context, "srcw", width);
        AvCodec.setOption(context, "srch", height);
        AvCodec.setOption(context, "src_format", from);
        AvCodec.setOption(context, "dstw", toWidth);
        AvCodec.setOption(context, "dsth", toHeight);
        AvCodec.setOption(context, "dst_format", to);
        AvCodec.setOption(context, "sws_flags", flags);
        AvCodec.setOption(context, "src_h_chr_pos", chromaX);
        AvCodec.setOption(context, "src_v_chr_pos", chromaY);
        if (Call.toInt(INIT, context, MemorySegment.NULL, MemorySegment.NULL) < 0) {
            free(context);
            return MemorySegment.NULL;
        }
        return context;
    }

    /// Converts `height` rows at plane pointers and line sizes. Returns the rows written, or an error.
    public static int convert(
            MemorySegment context,
            MemorySegment from,
            MemorySegment fromStrides,
            int height,
            MemorySegment planes,
            MemorySegment strides) {
        try {
            return (int) SCALE.invokeExact(context, from, fromStrides, 0, height, planes, strides);
        } catch (Throwable failure) {
            throw C.thrown(failure);
        }
    }

    /// A context from one format to another in place of the given one, which is freed. NULL if the formats are not
    /// supported.
    public static MemorySegment context(MemorySegment context, int width, int height, int from, int to) {
        return context(context, width, height, from, to, EXACT);
    }

    /// The same by another method: [#AVERAGING].
    public static MemorySegment context(MemorySegment context, int width, int height, int from, int to, int method) {
        // sws_getCachedContext takes over a part of what the context was for, so that colors would depend on
        // the picture before; pictures of a dataset have different sizes, so there is seldom anything to keep.
        free(context);
        try {
            return (MemorySegment) CACHED_CONTEXT.invokeExact(
                    MemorySegment.NULL,
                    width,
                    height,
                    from,
                    width,
                    height,
                    to,
                    method,
                    MemorySegment.NULL,
                    MemorySegment.NULL,
                    MemorySegment.NULL);
        } catch (Throwable failure) {
            throw C.thrown(failure);
        }
    }

    /// Tells a context, just made, what the luminance and chroma of its source mean.
    ///
    /// @param space as [AvFrame#colorSpace]; unknown ones count as BT.601
    public static void source(MemorySegment context, int space, boolean fullRange) {
        int one = 1 << 16;
        try {
            MemorySegment table = (MemorySegment) COEFFICIENTS.invokeExact(space);
            int ignored = (int) SET_COLORS.invokeExact(context, table, fullRange ? 1 : 0, table, 1, 0, one, one);
        } catch (Throwable failure) {
            throw C.thrown(failure);
        }
    }

    /// Converts a whole frame. Returns the rows written, or an error.
    public static int convert(
            MemorySegment context, MemorySegment frame, int height, MemorySegment planes, MemorySegment strides) {
        try {
            return (int) SCALE.invokeExact(
                    context, AvFrame.dataPointers(frame), AvFrame.lineSizes(frame), 0, height, planes, strides);
        } catch (Throwable failure) {
            throw C.thrown(failure);
        }
    }

    /// Converts a whole frame into another, whose planes are there.
    public static int convert(MemorySegment context, MemorySegment frame, int height, MemorySegment into) {
        return convert(context, frame, height, AvFrame.dataPointers(into), AvFrame.lineSizes(into));
    }

    /// Frees a context, or nothing if it is NULL.
    public static void free(MemorySegment context) {
        Call.run(FREE, context);
    }
}
