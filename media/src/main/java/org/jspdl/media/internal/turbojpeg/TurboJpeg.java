package org.jspdl.media.internal.turbojpeg;

import static org.jspdl.media.internal.natives.C.INT;
import static org.jspdl.media.internal.natives.C.POINTER;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspdl.media.internal.natives.C;
import org.jspdl.media.internal.natives.Call;

/// The functions of TurboJPEG that we call, one method each. A handle is used by one thread at a time.
public final class TurboJpeg {
    public static final int SAMPLING_444 = 0;
    public static final int SAMPLING_422 = 1;
    public static final int SAMPLING_420 = 2;
    public static final int SAMPLING_GRAY = 3;
    public static final int SAMPLING_440 = 4;
    public static final int SAMPLING_411 = 5;

    public static final int COLORS_RGB = 0;
    public static final int COLORS_YCBCR = 1;
    public static final int COLORS_GRAY = 2;
    public static final int COLORS_CMYK = 3;
    public static final int COLORS_YCCK = 4;

    public static final int PIXELS_RGB = 0;
    public static final int PIXELS_GRAY = 6;
    public static final int PIXELS_CMYK = 11;

    /// TJFLAG_FASTDCT: a faster, less exact inverse transform.
    public static final int FAST_TRANSFORM = 2048;
    /// TJFLAG_STOPONWARNING: damaged data is an error.
    public static final int STOP_ON_WARNING = 8192;
    /// TJFLAG_LIMITSCANS: more than 500 progressive scans are an error.
    public static final int LIMIT_SCANS = 32768;

    static final ValueLayout.OfLong UNSIGNED_LONG = C.unsignedLong();

    @SuppressWarnings("restricted")
    static final SymbolLookup LIBRARY = SymbolLookup.libraryLookup("libturbojpeg.so.0", Arena.global());

    // tjhandle tjInitDecompress(void)
    private static final MethodHandle INIT_DECOMPRESS = C.function(LIBRARY, "tjInitDecompress", POINTER);
    // int tjDecompressHeader3(tjhandle handle, const unsigned char *jpegBuf, unsigned long jpegSize, int *width,
    // int
    //                         *height, int *jpegSubsamp, int *jpegColorspace)
    private static final MethodHandle DECOMPRESS_HEADER = C.function(
            LIBRARY, "tjDecompressHeader3", INT, POINTER, POINTER, UNSIGNED_LONG, POINTER, POINTER, POINTER, POINTER);
    // int tjDecompressToYUVPlanes(tjhandle handle, const unsigned char *jpegBuf, unsigned long jpegSize,
    //                             unsigned char **dstPlanes, int width, int *strides, int height, int flags)
    private static final MethodHandle DECOMPRESS_TO_PLANES = C.function(
            LIBRARY, "tjDecompressToYUVPlanes", INT, POINTER, POINTER, UNSIGNED_LONG, POINTER, INT, POINTER, INT, INT);

    /// JMSG_LENGTH_MAX: no message is longer.
    private static final int MOST_TEXT = 200;

    private TurboJpeg() {}

    /// Functions that most programs never call: bound when first used.
    private static final class Rare {
        // int tjDecompress2(tjhandle handle, const unsigned char *jpegBuf, unsigned long jpegSize, unsigned
        // char
        //                   *dstBuf, int width, int pitch, int height, int pixelFormat, int flags)
        static final MethodHandle DECOMPRESS = C.function(
                LIBRARY, "tjDecompress2", INT, POINTER, POINTER, UNSIGNED_LONG, POINTER, INT, INT, INT, INT, INT);
        // char *tjGetErrorStr2(tjhandle handle)
        static final MethodHandle ERROR_TEXT = C.function(LIBRARY, "tjGetErrorStr2", POINTER, POINTER);
        static final MethodHandle ERROR_ADDRESS = C.function(LIBRARY, "tjGetErrorStr2", C.LONG_LONG, POINTER);
        // int tjGetErrorCode(tjhandle handle)
        static final MethodHandle ERROR_CODE = C.function(LIBRARY, "tjGetErrorCode", INT, POINTER);
        // int tjDestroy(tjhandle handle)
        static final MethodHandle DESTROY = C.function(LIBRARY, "tjDestroy", INT, POINTER);

        private Rare() {}
    }

    /// Loads the library, or throws a [LinkageError] that says why it cannot be used here.
    public static void load() {
        Objects.requireNonNull(LIBRARY);
    }

    /// A new decompressor, to be given to [#destroy].
    public static MemorySegment initDecompress() {
        return Call.allocated(Call.toPointer(INIT_DECOMPRESS), "tjInitDecompress");
    }

    /// Reads a header into four ints. Returns 0, or -1 on an error.
    public static int readHeader(
            MemorySegment handle,
            MemorySegment jpeg,
            long size,
            MemorySegment width,
            MemorySegment height,
            MemorySegment sampling,
            MemorySegment colors) {
        try {
            return (int) DECOMPRESS_HEADER.invokeExact(handle, jpeg, size, width, height, sampling, colors);
        } catch (Throwable failure) {
            throw C.thrown(failure);
        }
    }

    /// Decodes into one plane for each component. Returns 0, or -1 on an error or a warning.
    public static int decompressToPlanes(
            MemorySegment handle,
            MemorySegment jpeg,
            long size,
            MemorySegment planes,
            int width,
            MemorySegment strides,
            int height,
            int flags) {
        try {
            return (int) DECOMPRESS_TO_PLANES.invokeExact(handle, jpeg, size, planes, width, strides, height, flags);
        } catch (Throwable failure) {
            throw C.thrown(failure);
        }
    }

    /// Decodes into interleaved pixels. Returns 0, or -1 on an error or a warning.
    public static int decompress(
            MemorySegment handle,
            MemorySegment jpeg,
            long size,
            MemorySegment pixels,
            int width,
            int pitch,
            int height,
            int format,
            int flags) {
        try {
            return (int) Rare.DECOMPRESS.invokeExact(handle, jpeg, size, pixels, width, pitch, height, format, flags);
        } catch (Throwable failure) {
            throw C.thrown(failure);
        }
    }

    /// What went wrong in the last call with this handle.
    public static String errorText(MemorySegment handle) {
        return C.text(Call.toPointer(Rare.ERROR_TEXT, handle));
    }

    /// Whether the last call with this handle failed with a warning only: the picture is there, with damage.
    public static boolean isWarning(MemorySegment handle) {
        return Call.toInt(Rare.ERROR_CODE, handle) == 0;
    }

    /// Whether the last call with this handle failed with a warning whose text ends with `end`; allocates nothing.
    public static boolean failedAfter(MemorySegment handle, byte[] end) {
        try {
            long text = (long) Rare.ERROR_ADDRESS.invokeExact(handle);
            int length = 0;
            while (length < MOST_TEXT && C.MEMORY.get(ValueLayout.JAVA_BYTE, text + length) != 0) {
                length++;
            }
            boolean same = length >= end.length && isWarning(handle);
            for (int i = 0; i < end.length && same; i++) {
                same = C.MEMORY.get(ValueLayout.JAVA_BYTE, text + length - end.length + i) == end[i];
            }
            return same;
        } catch (Throwable failure) {
            throw C.thrown(failure);
        }
    }

    /// Frees a handle.
    public static void destroy(MemorySegment handle) {
        int ignored = Call.toInt(Rare.DESTROY, handle);
    }

    /// The library's version, such as `2.1.5`, read from the text it carries; empty if that cannot be had.
    public static Optional<String> version() {
        try (Stream<String> maps = Files.lines(Path.of("/proc/self/maps"))) {
            Optional<String> file = maps.filter(line -> line.contains("libturbojpeg.so"))
                    .map(line -> line.substring(line.indexOf('/')))
                    .findFirst();
            if (file.isEmpty()) {
                return Optional.empty();
            }
            String text = Files.readString(Path.of(file.get()), StandardCharsets.ISO_8859_1);
            Matcher found =
                    Pattern.compile("libjpeg-turbo version ([0-9][0-9.]*)").matcher(text);
            return found.find() ? Optional.of(found.group(1)) : Optional.empty();
        } catch (IOException unreadable) {
            return Optional.empty();
        }
    }
}
