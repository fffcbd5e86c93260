package org.jspdl.media.internal.ffmpeg;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Map;
import org.jspdl.media.internal.natives.C;
import org.jspdl.media.internal.natives.Call;

/// The functions of libavformat that write containers.
public final class AvMux {
    private static final long OUTPUT_FORMAT = 16;
    private static final long FORMAT_FLAGS = 44;
    private static final int WANTS_GLOBAL_HEADER = 64;

    // int avformat_alloc_output_context2(AVFormatContext **ctx, const AVOutputFormat *oformat,
    //         const char *format_name, const char *filename)
    private static final MethodHandle ALLOC = C.function(
            FfmpegLibraries.Formats.AVFORMAT,
            "avformat_alloc_output_context2",
            C.INT,
            C.POINTER,
            C.POINTER,
            C.POINTER,
            C.POINTER);
    // void avformat_free_context(AVFormatContext *s)
    private static final MethodHandle FREE =
            C.procedure(FfmpegLibraries.Formats.AVFORMAT, "avformat_free_context", C.POINTER);
    // AVStream *avformat_new_stream(AVFormatContext *s, const struct AVCodec *c)
    private static final MethodHandle NEW_STREAM =
            C.function(FfmpegLibraries.Formats.AVFORMAT, "avformat_new_stream", C.POINTER, C.POINTER, C.POINTER);
    // int avformat_write_header(AVFormatContext *s, AVDictionary **options)
    private static final MethodHandle WRITE_HEADER =
            C.function(FfmpegLibraries.Formats.AVFORMAT, "avformat_write_header", C.INT, C.POINTER, C.POINTER);
    // int av_interleaved_write_frame(AVFormatContext *s, AVPacket *pkt)
    private static final MethodHandle WRITE =
            C.function(FfmpegLibraries.Formats.AVFORMAT, "av_interleaved_write_frame", C.INT, C.POINTER, C.POINTER);
    // int av_write_trailer(AVFormatContext *s)
    private static final MethodHandle WRITE_TRAILER =
            C.function(FfmpegLibraries.Formats.AVFORMAT, "av_write_trailer", C.INT, C.POINTER);

    private AvMux() {}

    /// A context that writes through `io` in a format, by its name or by the file's name if that is empty; NULL if
    /// there is no such format. To be given to [#free].
    public static MemorySegment open(String format, String fileName, AvIo io) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment slot = arena.allocate(C.POINTER);
            MemorySegment name = format.isEmpty() ? MemorySegment.NULL : arena.allocateFrom(format);
            if (Call.toInt(ALLOC, slot, MemorySegment.NULL, name, arena.allocateFrom(fileName)) < 0) {
                return MemorySegment.NULL;
            }
            MemorySegment context = AvFormat.contextAt(slot);
            context.set(ValueLayout.ADDRESS, AvFormat.PB, io.context());
            return context;
        }
    }

    public static void free(MemorySegment context) {
        Call.run(FREE, context);
    }

    /// Whether encoders are to keep headers apart from their packets.
    public static boolean wantsGlobalHeader(MemorySegment context) {
        MemorySegment format = C.view(context.get(ValueLayout.ADDRESS, OUTPUT_FORMAT), 64);
        return (format.get(ValueLayout.JAVA_INT, FORMAT_FLAGS) & WANTS_GLOBAL_HEADER) != 0;
    }

    /// A new stream of packets with these parameters and times in this unit; its `AVStream`.
    public static MemorySegment addStream(
            MemorySegment context, AvParameters parameters, int numerator, int denominator) {
        MemorySegment stream = C.view(
                Call.allocated(Call.toPointer(NEW_STREAM, context, MemorySegment.NULL), "avformat_new_stream"),
                AvStream.BYTE_SIZE);
        parameters.withoutTag().writeTo(AvStream.parametersPointer(stream));
        AvStream.timeBase(stream, numerator, denominator);
        return stream;
    }

    /// Writes the header. Returns 0 or an error.
    public static int writeHeader(MemorySegment context, Map<String, String> options) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment dictionary = AvDictionary.of(options, arena);
            try {
                int status = Call.toInt(WRITE_HEADER, context, dictionary);
                Map<String, String> unused = status < 0 ? Map.of() : AvDictionary.entriesAt(dictionary);
                if (!unused.isEmpty()) {
                    throw new IllegalArgumentException("the format has no option " + unused.keySet());
                }
                return status;
            } finally {
                AvDictionary.free(dictionary);
            }
        }
    }

    /// Writes a packet, whose content is taken. Returns 0 or an error.
    public static int write(MemorySegment context, MemorySegment packet) {
        return Call.toInt(WRITE, context, packet);
    }

    /// Writes what remains. Returns 0 or an error.
    public static int writeTrailer(MemorySegment context) {
        return Call.toInt(WRITE_TRAILER, context);
    }
}
