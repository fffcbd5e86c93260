package org.jspdl.media.internal.ffmpeg;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Map;
import org.jspdl.media.internal.natives.C;
import org.jspdl.media.internal.natives.Call;

/// The functions of libavformat that read containers, and the fields of `AVFormatContext` 62.
public final class AvFormat {
    /// AVSEEK_FLAG_BACKWARD: to a key frame at or before the time.
    public static final int BACKWARD = 1;
    /// AVSEEK_FLAG_BYTE: the time is a position in bytes.
    public static final int BY_BYTE = 2;
    /// AVSEEK_FLAG_ANY: to any frame.
    public static final int TO_ANY = 4;

    static final int BYTE_SIZE = 472;
    static final long PB = 32;
    private static final long INPUT_FORMAT = 8;
    private static final long STREAM_COUNT = 44;
    private static final long STREAMS = 48;
    private static final long START = 96;
    private static final long DURATION = 104;
    private static final long BIT_RATE = 112;
    private static final long FLAGS = 128;
    private static final long METADATA = 192;
    private static final int CUSTOM_IO = 128;

    // AVFormatContext *avformat_alloc_context(void)
    private static final MethodHandle ALLOC =
            C.function(FfmpegLibraries.Formats.AVFORMAT, "avformat_alloc_context", C.POINTER);
    // int avformat_open_input(AVFormatContext **ps, const char *url, const AVInputFormat *fmt, AVDictionary
    // **options)
    private static final MethodHandle OPEN = C.function(
            FfmpegLibraries.Formats.AVFORMAT, "avformat_open_input", C.INT, C.POINTER, C.POINTER, C.POINTER, C.POINTER);
    // void avformat_close_input(AVFormatContext **s)
    private static final MethodHandle CLOSE =
            C.procedure(FfmpegLibraries.Formats.AVFORMAT, "avformat_close_input", C.POINTER);
    // const AVInputFormat *av_find_input_format(const char *short_name)
    private static final MethodHandle FIND_FORMAT =
            C.function(FfmpegLibraries.Formats.AVFORMAT, "av_find_input_format", C.POINTER, C.POINTER);
    // int avformat_find_stream_info(AVFormatContext *ic, AVDictionary **options)
    private static final MethodHandle FIND_STREAM_INFO =
            C.function(FfmpegLibraries.Formats.AVFORMAT, "avformat_find_stream_info", C.INT, C.POINTER, C.POINTER);
    // int av_read_frame(AVFormatContext *s, AVPacket *pkt)
    private static final MethodHandle READ =
            C.function(FfmpegLibraries.Formats.AVFORMAT, "av_read_frame", C.INT, C.POINTER, C.POINTER);
    // int av_seek_frame(AVFormatContext *s, int stream_index, int64_t timestamp, int flags)
    private static final MethodHandle SEEK =
            C.function(FfmpegLibraries.Formats.AVFORMAT, "av_seek_frame", C.INT, C.POINTER, C.INT, C.LONG_LONG, C.INT);

    private AvFormat() {}

    /// Opens a container whose bytes come from `io`. Puts the context, to be given to [#close], into `slot`;
    /// returns 0 or an error, after which there is nothing to close.
    ///
    /// @param format  FFmpeg's name of the format, empty to find out
    /// @param options pointer to a dictionary; what was not used stays in it
    public static int open(
            MemorySegment slot, AvIo io, String name, String format, MemorySegment options, Arena arena) {
        MemorySegment context = C.view(Call.allocated(Call.toPointer(ALLOC), "avformat_alloc_context"), BYTE_SIZE);
        context.set(ValueLayout.ADDRESS, PB, io.context());
        context.set(ValueLayout.JAVA_INT, FLAGS, context.get(ValueLayout.JAVA_INT, FLAGS) | CUSTOM_IO);
        slot.set(ValueLayout.ADDRESS, 0, context);
        MemorySegment input = MemorySegment.NULL;
        if (!format.isEmpty()) {
            input = Call.toPointer(FIND_FORMAT, arena.allocateFrom(format));
            if (input.address() == 0) {
                close(slot);
                return AvError.INVALID_DATA;
            }
        }
        return Call.toInt(OPEN, slot, arena.allocateFrom(name), input, options);
    }

    /// The context that `slot` points to.
    public static MemorySegment contextAt(MemorySegment slot) {
        return C.view(slot.get(ValueLayout.ADDRESS, 0), BYTE_SIZE);
    }

    /// Closes the context that `slot` points to, or nothing if it is NULL; its I/O stays open.
    public static void close(MemorySegment slot) {
        Call.run(CLOSE, slot);
    }

    /// Reads, and if need be decodes, the first packets to find out what the header does not tell, with `options`
    /// for the decoders of all streams.
    public static int findStreamInfo(MemorySegment context, Map<String, String> options) {
        int streams = streamCount(context);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment dictionaries = arena.allocate(C.POINTER, Math.max(1, streams));
            for (int i = 0; i < streams; i++) {
                MemorySegment slot = AvDictionary.of(options, arena);
                dictionaries.setAtIndex(ValueLayout.ADDRESS, i, slot.get(ValueLayout.ADDRESS, 0));
            }
            try {
                return Call.toInt(FIND_STREAM_INFO, context, dictionaries);
            } finally {
                for (int i = 0; i < streams; i++) {
                    AvDictionary.free(dictionaries.asSlice(8L * i, 8));
                }
            }
        }
    }

    /// Reads the next packet of any stream that is not discarded. Returns 0 or an error.
    public static int read(MemorySegment context, MemorySegment packet) {
        return Call.toInt(READ, context, packet);
    }

    /// Seeks in units of the stream's time base. Returns 0 or an error.
    public static int seek(MemorySegment context, int stream, long time, int flags) {
        try {
            return (int) SEEK.invokeExact(context, stream, time, flags);
        } catch (Throwable failure) {
            throw C.thrown(failure);
        }
    }

    /// FFmpeg's names of the format, such as `mov,mp4,m4a,3gp,3g2,mj2`.
    public static String formatName(MemorySegment context) {
        MemorySegment format = context.get(ValueLayout.ADDRESS, INPUT_FORMAT);
        return C.text(C.view(format, 8).get(ValueLayout.ADDRESS, 0));
    }

    public static int streamCount(MemorySegment context) {
        return context.get(ValueLayout.JAVA_INT, STREAM_COUNT);
    }

    /// The `AVStream` of this index.
    public static MemorySegment stream(MemorySegment context, int index) {
        MemorySegment streams = C.view(context.get(ValueLayout.ADDRESS, STREAMS), 8L * streamCount(context));
        return C.view(streams.get(ValueLayout.ADDRESS, 8L * index), AvStream.BYTE_SIZE);
    }

    /// When the first stream begins, in microseconds, or [AvPacket#NO_TIME].
    public static long start(MemorySegment context) {
        return context.get(ValueLayout.JAVA_LONG, START);
    }

    /// How long the longest stream is, in microseconds, or [AvPacket#NO_TIME].
    public static long duration(MemorySegment context) {
        return context.get(ValueLayout.JAVA_LONG, DURATION);
    }

    /// Bits a second, 0 if unknown.
    public static long bitRate(MemorySegment context) {
        return context.get(ValueLayout.JAVA_LONG, BIT_RATE);
    }

    /// The metadata of the whole file.
    public static Map<String, String> metadata(MemorySegment context) {
        return AvDictionary.entries(context.get(ValueLayout.ADDRESS, METADATA));
    }

    /// Whether the format reads other files or the network, which a file from elsewhere must not make us do.
    public static boolean refersToOthers(String formatName) {
        for (String name : formatName.split(",")) {
            switch (name) {
                case "hls",
                        "dash",
                        "concat",
                        "concatf",
                        "sdp",
                        "rtsp",
                        "rtp",
                        "image2",
                        "imf",
                        "webm_dash_manifest" -> {
                    return true;
                }
                default -> {}
            }
        }
        return false;
    }
}
