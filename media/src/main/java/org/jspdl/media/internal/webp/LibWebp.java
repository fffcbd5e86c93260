package org.jspdl.media.internal.webp;

import static org.jspdl.media.internal.natives.C.INT;
import static org.jspdl.media.internal.natives.C.POINTER;
import static org.jspdl.media.internal.natives.C.SIZE_T;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import org.jspdl.media.internal.natives.C;
import org.jspecify.annotations.Nullable;

/// The functions of libwebp that we call. They keep nothing between calls, so any thread may call them.
public final class LibWebp {
    /// Bytes of a `WebPBitstreamFeatures`: five ints that we know and five that are reserved.
    public static final long FEATURES_BYTES = 40;

    private static final String[] NAMES = {"libwebp.so.7", "libwebp.7.dylib", "libwebp.so.8"};
    /// WEBP_DECODER_ABI_VERSION: the upper byte has to be the library's.
    private static final int ABI_VERSION = 0x0209;
    private static final int LOSSLESS = 2;

    /// The library, or null where there is none.
    public static final @Nullable LibWebp INSTANCE = find();

    // VP8StatusCode WebPGetFeaturesInternal(const uint8_t *data, size_t data_size, WebPBitstreamFeatures *features,
    //     int version)
    private final MethodHandle features;
    // uint8_t *WebPDecodeYUVInto(const uint8_t *data, size_t data_size, uint8_t *luma, size_t luma_size, int
    //     luma_stride, uint8_t *u, size_t u_size, int u_stride, uint8_t *v, size_t v_size, int v_stride)
    private final MethodHandle decodeYuv;
    // uint8_t *WebPDecodeRGBInto(const uint8_t *data, size_t data_size, uint8_t *output_buffer, size_t
    //     output_buffer_size, int output_stride)
    private final MethodHandle decodeRgb;
    // uint8_t *WebPDecodeRGBAInto: the same
    private final MethodHandle decodeRgba;

    private LibWebp(SymbolLookup library) {
        features = C.function(library, "WebPGetFeaturesInternal", INT, POINTER, SIZE_T, POINTER, INT);
        decodeYuv = C.function(
                library,
                "WebPDecodeYUVInto",
                POINTER,
                POINTER,
                SIZE_T,
                POINTER,
                SIZE_T,
                INT,
                POINTER,
                SIZE_T,
                INT,
                POINTER,
                SIZE_T,
                INT);
        decodeRgb = C.function(library, "WebPDecodeRGBInto", POINTER, POINTER, SIZE_T, POINTER, SIZE_T, INT);
        decodeRgba = C.function(library, "WebPDecodeRGBAInto", POINTER, POINTER, SIZE_T, POINTER, SIZE_T, INT);
    }

    @SuppressWarnings("restricted")
    private static @Nullable LibWebp find() {
        for (String name : NAMES) {
            try {
                return new LibWebp(SymbolLookup.libraryLookup(name, Arena.global()));
            } catch (IllegalArgumentException | UnsatisfiedLinkError | IllegalCallerException absent) {
                // the next name may be there; without any, FFmpeg decodes
            }
        }
        return null;
    }

    /// Reads a still picture's header into `into`, of [#FEATURES_BYTES]. Returns whether it is one of `width` x
    /// `height` pixels that is not animated.
    public boolean isStill(MemorySegment file, int width, int height, MemorySegment into) {
        try {
            int status = (int) features.invokeExact(file, file.byteSize(), into, ABI_VERSION);
            return status == 0 && field(into, 0) == width && field(into, 1) == height && field(into, 3) == 0;
        } catch (Throwable failure) {
            throw C.thrown(failure);
        }
    }

    /// Whether the picture whose header was read into `features` is stored as pixels, not as luminance and chroma.
    public static boolean isLossless(MemorySegment features) {
        return field(features, 4) == LOSSLESS;
    }

    private static int field(MemorySegment features, int index) {
        return features.get(ValueLayout.JAVA_INT, 4L * index);
    }

    /// Decodes into planes of luminance and chroma, BT.601 in limited range, chroma of half the size. Returns
    /// whether the whole picture is there.
    public boolean decodeYuv(
            MemorySegment file,
            MemorySegment luma,
            int lumaStride,
            MemorySegment blue,
            MemorySegment red,
            int chromaStride) {
        try {
            MemorySegment done = (MemorySegment) decodeYuv.invokeExact(
                    file,
                    file.byteSize(),
                    luma,
                    luma.byteSize(),
                    lumaStride,
                    blue,
                    blue.byteSize(),
                    chromaStride,
                    red,
                    red.byteSize(),
                    chromaStride);
            return done.address() != 0;
        } catch (Throwable failure) {
            throw C.thrown(failure);
        }
    }

    /// Decodes into interleaved red, green and blue, and alpha if it is kept. Returns whether the whole picture is
    /// there.
    public boolean decodePixels(MemorySegment file, boolean keepsAlpha, MemorySegment pixels, int stride) {
        try {
            MemorySegment done = keepsAlpha
                    ? (MemorySegment) decodeRgba.invokeExact(file, file.byteSize(), pixels, pixels.byteSize(), stride)
                    : (MemorySegment) decodeRgb.invokeExact(file, file.byteSize(), pixels, pixels.byteSize(), stride);
            return done.address() != 0;
        } catch (Throwable failure) {
            throw C.thrown(failure);
        }
    }
}
