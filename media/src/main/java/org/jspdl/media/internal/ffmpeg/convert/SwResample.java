package org.jspdl.media.internal.ffmpeg.convert;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import org.jspdl.media.internal.ffmpeg.FfmpegLibraries;
import org.jspdl.media.internal.natives.C;
import org.jspdl.media.internal.natives.Call;

/// The functions of libswresample that change sample format, channels and rate.
public final class SwResample {
    // int swr_alloc_set_opts2(struct SwrContext **ps, const AVChannelLayout *out_ch_layout,
    //         enum AVSampleFormat out_sample_fmt, int out_sample_rate, const AVChannelLayout *in_ch_layout,
    //         enum AVSampleFormat in_sample_fmt, int in_sample_rate, int log_offset, void *log_ctx)
    private static final MethodHandle ALLOC = C.function(
            FfmpegLibraries.Resampling.SWRESAMPLE,
            "swr_alloc_set_opts2",
            C.INT,
            C.POINTER,
            C.POINTER,
            C.INT,
            C.INT,
            C.POINTER,
            C.INT,
            C.INT,
            C.INT,
            C.POINTER);
    // int swr_init(struct SwrContext *s)
    private static final MethodHandle INIT =
            C.function(FfmpegLibraries.Resampling.SWRESAMPLE, "swr_init", C.INT, C.POINTER);
    // int swr_convert(struct SwrContext *s, uint8_t * const *out, int out_count, const uint8_t * const *in,
    //         int in_count)
    private static final MethodHandle CONVERT = C.function(
            FfmpegLibraries.Resampling.SWRESAMPLE, "swr_convert", C.INT, C.POINTER, C.POINTER, C.INT, C.POINTER, C.INT);
    // int swr_get_out_samples(struct SwrContext *s, int in_samples)
    private static final MethodHandle OUT_SAMPLES =
            C.function(FfmpegLibraries.Resampling.SWRESAMPLE, "swr_get_out_samples", C.INT, C.POINTER, C.INT);
    // void swr_free(struct SwrContext **s)
    private static final MethodHandle FREE = C.procedure(FfmpegLibraries.Resampling.SWRESAMPLE, "swr_free", C.POINTER);

    private SwResample() {}

    /// A new context in `slot`, which holds NULL before; to be given to [#free]. Returns 0 or an error.
    public static int open(
            MemorySegment slot,
            MemorySegment toLayout,
            int toFormat,
            int toRate,
            MemorySegment fromLayout,
            int fromFormat,
            int fromRate) {
        try {
            int status = (int) ALLOC.invokeExact(
                    slot, toLayout, toFormat, toRate, fromLayout, fromFormat, fromRate, 0, MemorySegment.NULL);
            return status < 0 ? status : Call.toInt(INIT, slot.get(ValueLayout.ADDRESS, 0));
        } catch (Throwable failure) {
            throw C.thrown(failure);
        }
    }

    /// Converts `inCount` samples at the plane pointers `in` (NULL: what is left inside) to at most `outCount` at
    /// `out`. Returns how many were written, or an error; what found no room stays inside.
    public static int convert(MemorySegment context, MemorySegment out, int outCount, MemorySegment in, int inCount) {
        try {
            return (int) CONVERT.invokeExact(context, out, outCount, in, inCount);
        } catch (Throwable failure) {
            throw C.thrown(failure);
        }
    }

    /// At most how many samples come out when `inCount` more go in.
    public static int outSamples(MemorySegment context, int inCount) {
        return Call.toInt(OUT_SAMPLES, context, inCount);
    }

    /// Frees the context that `slot` points to, or nothing if it is NULL.
    public static void free(MemorySegment slot) {
        Call.run(FREE, slot);
    }
}
