package org.jspdl.media.internal.ffmpeg.filter;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspdl.media.internal.ffmpeg.FfmpegLibraries;
import org.jspdl.media.internal.natives.C;
import org.jspdl.media.internal.natives.Call;

/// What the loaded libraries were built with.
public final class AvBuild {
    private AvBuild() {}

    /// The names that `function`, one of the libraries' `const T *next(void **state)`, gives one after the other:
    /// the first field of each `T`.
    private static List<String> names(SymbolLookup library, String function, Predicate<MemorySegment> wanted) {
        MethodHandle next = C.function(library, function, C.POINTER, C.POINTER);
        TreeSet<String> names = new TreeSet<>();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(C.POINTER);
            MemorySegment found = Call.toPointer(next, state);
            while (found.address() != 0) {
                if (wanted.test(found)) {
                    names.add(C.text(C.view(found, 8).get(ValueLayout.ADDRESS, 0)));
                }
                found = Call.toPointer(next, state);
            }
        }
        return List.copyOf(names);
    }

    private static List<String> codecs(String kind) {
        // int av_codec_is_decoder(const AVCodec *codec), int av_codec_is_encoder(const AVCodec *codec)
        MethodHandle is = C.function(FfmpegLibraries.AVCODEC, kind, C.INT, C.POINTER);
        return names(FfmpegLibraries.AVCODEC, "av_codec_iterate", codec -> Call.toInt(is, codec) != 0);
    }

    /// Decoders, in ascending order, as all that follow.
    public static List<String> decoders() {
        return codecs("av_codec_is_decoder");
    }

    /// Encoders.
    public static List<String> encoders() {
        return codecs("av_codec_is_encoder");
    }

    /// Filters for filter graphs.
    public static List<String> filters() {
        return names(FfmpegLibraries.Filters.AVFILTER, "av_filter_iterate", _ -> true);
    }

    /// Filters for packets.
    public static List<String> bitstreamFilters() {
        return names(FfmpegLibraries.AVCODEC, "av_bsf_iterate", _ -> true);
    }

    /// Formats that can be read.
    public static List<String> demuxers() {
        return names(FfmpegLibraries.Formats.AVFORMAT, "av_demuxer_iterate", _ -> true);
    }

    /// Formats that can be written.
    public static List<String> muxers() {
        return names(FfmpegLibraries.Formats.AVFORMAT, "av_muxer_iterate", _ -> true);
    }

    /// Versions by library, and FFmpeg's own.
    public static Map<String, String> versions() {
        Map<String, String> versions = new TreeMap<>();
        versions.put("ffmpeg", C.text(Call.toPointer(pointer(FfmpegLibraries.AVUTIL, "av_version_info"))));
        versions.put("libavutil", version(FfmpegLibraries.AVUTIL, "avutil_version"));
        versions.put("libavcodec", version(FfmpegLibraries.AVCODEC, "avcodec_version"));
        versions.put("libavformat", version(FfmpegLibraries.Formats.AVFORMAT, "avformat_version"));
        versions.put("libavfilter", version(FfmpegLibraries.Filters.AVFILTER, "avfilter_version"));
        versions.put("libswscale", version(FfmpegLibraries.Scaling.SWSCALE, "swscale_version"));
        versions.put("libswresample", version(FfmpegLibraries.Resampling.SWRESAMPLE, "swresample_version"));
        return versions;
    }

    /// The options that the libraries were configured with.
    public static String configuration() {
        return C.text(Call.toPointer(pointer(FfmpegLibraries.AVCODEC, "avcodec_configuration")));
    }

    /// The license that follows from them.
    public static String license() {
        return C.text(Call.toPointer(pointer(FfmpegLibraries.AVCODEC, "avcodec_license")));
    }

    private static MethodHandle pointer(SymbolLookup library, String function) {
        return C.function(library, function, C.POINTER);
    }

    private static String version(SymbolLookup library, String function) {
        int number = Call.toInt(C.function(library, function, C.INT));
        return (number >>> 16) + "." + (number >>> 8 & 0xFF) + "." + (number & 0xFF);
    }
}
