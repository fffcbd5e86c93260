package org.jspdl.media.internal.ffmpeg.filter;

import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import org.jspdl.media.internal.ffmpeg.FfmpegLibraries;
import org.jspdl.media.internal.natives.C;
import org.jspdl.media.internal.natives.Call;

/// The functions of libavfilter that run a graph.
public final class AvFilter {
    private static final long THREADS = 36;
    private static final long GRAPH_BYTES = 72;
    private static final int KEEP_REFERENCE = 8;
    private static final StructLayout RATIONAL = MemoryLayout.structLayout(C.INT, C.INT);

    // AVFilterGraph *avfilter_graph_alloc(void)
    private static final MethodHandle ALLOC =
            C.function(FfmpegLibraries.Filters.AVFILTER, "avfilter_graph_alloc", C.POINTER);
    // void avfilter_graph_free(AVFilterGraph **graph)
    private static final MethodHandle FREE =
            C.procedure(FfmpegLibraries.Filters.AVFILTER, "avfilter_graph_free", C.POINTER);
    // int avfilter_graph_parse_ptr(AVFilterGraph *graph, const char *filters, AVFilterInOut **inputs,
    //         AVFilterInOut **outputs, void *log_ctx)
    private static final MethodHandle PARSE = C.function(
            FfmpegLibraries.Filters.AVFILTER,
            "avfilter_graph_parse_ptr",
            C.INT,
            C.POINTER,
            C.POINTER,
            C.POINTER,
            C.POINTER,
            C.POINTER);
    // int avfilter_graph_config(AVFilterGraph *graphctx, void *log_ctx)
    private static final MethodHandle CONFIG =
            C.function(FfmpegLibraries.Filters.AVFILTER, "avfilter_graph_config", C.INT, C.POINTER, C.POINTER);
    // AVFilterContext *avfilter_graph_get_filter(AVFilterGraph *graph, const char *name)
    private static final MethodHandle GET_FILTER =
            C.function(FfmpegLibraries.Filters.AVFILTER, "avfilter_graph_get_filter", C.POINTER, C.POINTER, C.POINTER);
    // int av_buffersrc_add_frame_flags(AVFilterContext *buffer_src, AVFrame *frame, int flags)
    private static final MethodHandle ADD_FRAME = C.function(
            FfmpegLibraries.Filters.AVFILTER, "av_buffersrc_add_frame_flags", C.INT, C.POINTER, C.POINTER, C.INT);
    // int av_buffersink_get_frame(AVFilterContext *ctx, AVFrame *frame)
    private static final MethodHandle GET_FRAME =
            C.function(FfmpegLibraries.Filters.AVFILTER, "av_buffersink_get_frame", C.INT, C.POINTER, C.POINTER);
    // AVRational av_buffersink_get_time_base(const AVFilterContext *ctx)
    private static final MethodHandle TIME_BASE =
            C.function(FfmpegLibraries.Filters.AVFILTER, "av_buffersink_get_time_base", RATIONAL, C.POINTER);
    // enum AVMediaType av_buffersink_get_type(const AVFilterContext *ctx)
    private static final MethodHandle TYPE =
            C.function(FfmpegLibraries.Filters.AVFILTER, "av_buffersink_get_type", C.INT, C.POINTER);

    // char *avfilter_graph_dump(AVFilterGraph *graph, const char *options)
    private static final MethodHandle DUMP =
            C.function(FfmpegLibraries.Filters.AVFILTER, "avfilter_graph_dump", C.POINTER, C.POINTER, C.POINTER);
    // void av_free(void *ptr)
    private static final MethodHandle FREE_TEXT = C.procedure(FfmpegLibraries.AVUTIL, "av_free", C.POINTER);

    private AvFilter() {}

    /// A drawing of a graph that was built.
    public static String dump(MemorySegment graph) {
        MemorySegment text = Call.allocated(Call.toPointer(DUMP, graph, MemorySegment.NULL), "avfilter_graph_dump");
        try {
            return C.text(text);
        } finally {
            Call.run(FREE_TEXT, text);
        }
    }

    /// A new graph, to be given to [#free].
    public static MemorySegment alloc() {
        MemorySegment graph = C.view(Call.allocated(Call.toPointer(ALLOC), "avfilter_graph_alloc"), GRAPH_BYTES);
        graph.set(ValueLayout.JAVA_INT, THREADS, 1);
        return graph;
    }

    public static void free(MemorySegment graph) {
        try (Arena arena = Arena.ofConfined()) {
            Call.run(FREE, arena.allocateFrom(ValueLayout.ADDRESS, graph));
        }
    }

    /// Builds what a description says, sources and sinks included. Returns 0 or an error.
    public static int build(MemorySegment graph, String description) {
        try (Arena arena = Arena.ofConfined()) {
            int status = (int) PARSE.invokeExact(
                    graph, arena.allocateFrom(description), MemorySegment.NULL, MemorySegment.NULL, MemorySegment.NULL);
            return status < 0 ? status : Call.toInt(CONFIG, graph, MemorySegment.NULL);
        } catch (Throwable failure) {
            throw C.thrown(failure);
        }
    }

    /// The filter of this name, such as `buffer@in`.
    public static MemorySegment filter(MemorySegment graph, String name) {
        try (Arena arena = Arena.ofConfined()) {
            return Call.toPointer(GET_FILTER, graph, arena.allocateFrom(name));
        }
    }

    /// Gives a frame, which stays the caller's, or NULL for the end. Returns 0 or an error.
    public static int add(MemorySegment source, MemorySegment frame) {
        return Call.toInt(ADD_FRAME, source, frame, KEEP_REFERENCE);
    }

    /// Takes a frame. Returns 0 or an error.
    public static int take(MemorySegment sink, MemorySegment frame) {
        return Call.toInt(GET_FRAME, sink, frame);
    }

    /// `AVMediaType` of what comes out: 0 video, 1 audio.
    public static int type(MemorySegment sink) {
        return Call.toInt(TYPE, sink);
    }

    /// The unit of the times of what comes out: numerator and denominator.
    public static int[] timeBase(MemorySegment sink) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment rational = (MemorySegment) TIME_BASE.invokeExact((SegmentAllocator) arena, sink);
            return new int[] {rational.get(ValueLayout.JAVA_INT, 0), rational.get(ValueLayout.JAVA_INT, 4)};
        } catch (Throwable failure) {
            throw C.thrown(failure);
        }
    }
}
