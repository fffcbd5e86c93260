package org.jspdl.media.internal.turbojpeg;

import static org.jspdl.media.internal.natives.C.INT;
import static org.jspdl.media.internal.natives.C.POINTER;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import org.jspdl.media.internal.natives.C;
import org.jspdl.media.internal.natives.Call;

/// The functions of TurboJPEG that compress, one method each. A handle is used by one thread at a time, and given to
/// [TurboJpeg#destroy].
public final class TurboJpegCompressor {
    /// TJFLAG_NOREALLOC: the buffer is ours, and large enough.
    private static final int NO_REALLOC = 1024;

    // tjhandle tjInitCompress(void)
    private static final MethodHandle INIT = C.function(TurboJpeg.LIBRARY, "tjInitCompress", POINTER);
    // unsigned long tjBufSize(int width, int height, int jpegSubsamp)
    private static final MethodHandle BUFFER_SIZE =
            C.function(TurboJpeg.LIBRARY, "tjBufSize", TurboJpeg.UNSIGNED_LONG, INT, INT, INT);
    // int tjCompress2(tjhandle handle, const unsigned char *srcBuf, int width, int pitch, int height, int
    //                 pixelFormat, unsigned char **jpegBuf, unsigned long *jpegSize, int jpegSubsamp, int jpegQual,
    //                 int flags)
    private static final MethodHandle COMPRESS = C.function(
            TurboJpeg.LIBRARY,
            "tjCompress2",
            INT,
            POINTER,
            POINTER,
            INT,
            INT,
            INT,
            INT,
            POINTER,
            POINTER,
            INT,
            INT,
            INT);

    private TurboJpegCompressor() {}

    /// A new compressor.
    public static MemorySegment init() {
        return Call.allocated(Call.toPointer(INIT), "tjInitCompress");
    }

    /// The most bytes that a picture may become; -1 if it cannot be one.
    public static long mostBytes(int width, int height, int subsampling) {
        try {
            return (long) BUFFER_SIZE.invokeExact(width, height, subsampling);
        } catch (Throwable failure) {
            throw C.thrown(failure);
        }
    }

    /// Compresses interleaved pixels. Returns 0, or -1 on an error.
    ///
    /// @param buffer a pointer to at least [#mostBytes] bytes
    /// @param size   how many there are; afterwards, how many were written
    public static int compress(
            MemorySegment handle,
            MemorySegment pixels,
            int width,
            int height,
            int pitch,
            int format,
            MemorySegment buffer,
            MemorySegment size,
            int subsampling,
            int quality) {
        try {
            return (int) COMPRESS.invokeExact(
                    handle, pixels, width, pitch, height, format, buffer, size, subsampling, quality, NO_REALLOC);
        } catch (Throwable failure) {
            throw C.thrown(failure);
        }
    }
}
