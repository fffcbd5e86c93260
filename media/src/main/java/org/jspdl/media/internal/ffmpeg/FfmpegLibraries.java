package org.jspdl.media.internal.ffmpeg;

import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;
import java.util.Optional;
import org.jspdl.media.internal.natives.C;
import org.jspdl.media.internal.natives.Call;
import org.jspdl.media.internal.natives.UnpackedLibraries;

/// FFmpeg's libraries in the order in which they need each other, each checked for the version that our layouts are
/// for.
public final class FfmpegLibraries {
    private static final String PATH = "jspdl.ffmpeg.path";
    // AV_LOG_QUIET
    private static final int QUIET = -8;
    private static final String RESOURCES = "org/bytedeco/ffmpeg/" + platform() + "/";
    private static final UnpackedLibraries FILES = new UnpackedLibraries("ffmpeg", RESOURCES, PATH);

    private static final Loaded LOADED = Loaded.load();

    /// libavutil.
    public static final SymbolLookup AVUTIL = LOADED.avutil;
    /// libavcodec.
    public static final SymbolLookup AVCODEC = LOADED.avcodec;

    /// The libraries, or why there are none; kept so that every later use says the same.
    private record Loaded(SymbolLookup avutil, SymbolLookup avcodec, String failure) {
        static Loaded load() {
            try {
                if (System.getProperty(PATH, "").isEmpty()) {
                    FILES.load("libdrm.so.2");
                    FILES.load("libva.so.2");
                    FILES.load("libva-drm.so.2");
                }
                SymbolLookup avutil = checked("libavutil.so.60", "avutil_version", 60);
                silence(avutil);
                FILES.load("libswresample.so.6");
                return new Loaded(avutil, checked("libavcodec.so.62", "avcodec_version", 62), "");
            } catch (UnsatisfiedLinkError missing) {
                SymbolLookup nothing = name -> Optional.empty();
                return new Loaded(nothing, nothing, String.valueOf(missing.getMessage()));
            }
        }
    }

    private FfmpegLibraries() {}

    /// Before anything can be said: demuxers, filters and decoders all write to the one log.
    private static void silence(SymbolLookup avutil) {
        // void av_log_set_level(int level)
        MethodHandle setLevel = C.procedure(avutil, "av_log_set_level", C.INT);
        Call.run(setLevel, QUIET);
    }

    /// A resource of the jar that they come in.
    public static String resource() {
        return RESOURCES + "libavutil.so.60";
    }

    /// Loads the libraries unless that was done before; to be called before anything else of this package.
    ///
    /// @throws IllegalStateException if they cannot be used, saying why and what to do
    public static void require() {
        if (!LOADED.failure.isEmpty()) {
            throw new IllegalStateException(LOADED.failure);
        }
    }

    /// libswscale, which only some formats need.
    public static final class Scaling {
        /// The library.
        public static final SymbolLookup SWSCALE = checked("libswscale.so.9", "swscale_version", 9);

        private Scaling() {}
    }

    /// libswresample, for sound.
    public static final class Resampling {
        /// The library.
        public static final SymbolLookup SWRESAMPLE = checked("libswresample.so.6", "swresample_version", 6);

        private Resampling() {}
    }

    /// libavformat, for containers.
    public static final class Formats {
        /// The library.
        public static final SymbolLookup AVFORMAT = checked("libavformat.so.62", "avformat_version", 62);

        private Formats() {}
    }

    /// libavfilter, for filter graphs.
    public static final class Filters {
        /// The library.
        public static final SymbolLookup AVFILTER = afterItsLibraries();

        private Filters() {}

        private static SymbolLookup afterItsLibraries() {
            requireAll(Scaling.SWSCALE, Resampling.SWRESAMPLE, Formats.AVFORMAT);
            return checked("libavfilter.so.11", "avfilter_version", 11);
        }

        /// Naming a lookup is what loads its library.
        private static void requireAll(SymbolLookup... loaded) {
            if (Arrays.asList(loaded).contains(null)) {
                throw new AssertionError("a library was not loaded");
            }
        }
    }

    private static String platform() {
        String architecture = System.getProperty("os.arch");
        return "linux-" + ("aarch64".equals(architecture) ? "arm64" : "x86_64");
    }

    private static SymbolLookup checked(String file, String versionFunction, int major) {
        SymbolLookup library = FILES.load(file);
        // unsigned avcodec_version(void)
        MethodHandle version = C.function(library, versionFunction, C.INT);
        int found = Call.toInt(version) >>> 16;
        if (found != major) {
            throw new UnsatisfiedLinkError(file + " has major version " + found + " but " + major
                    + " is needed (FFmpeg 8). Unset jspdl.ffmpeg.path to use the libraries that come with jspdl.");
        }
        return library;
    }
}
