package org.jspdl.media.internal.ffmpeg;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import org.jspdl.media.internal.natives.C;

/// `AVFrame` of libavutil 60: the fields that we read, at offsets that are verified when the library is loaded.
public final class AvFrame {
    private static final long DATA = 0;
    private static final long LINE_SIZE = 64;
    private static final long WIDTH = 104;
    private static final long HEIGHT = 108;
    private static final long FORMAT = 116;
    private static final long FLAGS = 276;
    private static final long QUALITY = 160;
    private static final long COLOUR_RANGE = 280;
    private static final long COLOUR_SPACE = 292;
    private static final long DECODE_ERROR_FLAGS = 320;
    private static final long BYTE_SIZE = 416;
    private static final int FLAG_CORRUPT = 1;
    private static final int FULL_RANGE = 2;
    /// FF_QP2LAMBDA
    private static final int QUALITY_UNIT = 118;

    // AVFrame *av_frame_alloc(void)
    private static final MethodHandle ALLOC = C.function(FfmpegLibraries.AVUTIL, "av_frame_alloc", C.POINTER);
    // void av_frame_free(AVFrame **frame)
    private static final MethodHandle FREE = C.procedure(FfmpegLibraries.AVUTIL, "av_frame_free", C.POINTER);
    // void av_frame_unref(AVFrame *frame)
    private static final MethodHandle UNREF = C.procedure(FfmpegLibraries.AVUTIL, "av_frame_unref", C.POINTER);

    static {
        verify();
    }

    private AvFrame() {}

    /// A new frame, to be given to [#free].
    @SuppressWarnings("restricted")
    public static MemorySegment alloc() {
        try {
            MemorySegment frame = (MemorySegment) ALLOC.invokeExact();
            if (frame.address() == 0) {
                throw new OutOfMemoryError("av_frame_alloc returned NULL");
            }
            return frame.reinterpret(BYTE_SIZE);
        } catch (Throwable failure) {
            throw C.thrown(failure);
        }
    }

    /// Frees a frame; `slot` is room for one pointer.
    public static void free(MemorySegment frame, MemorySegment slot) {
        slot.set(ValueLayout.ADDRESS, 0, frame);
        try {
            FREE.invokeExact(slot);
        } catch (Throwable failure) {
            throw C.thrown(failure);
        }
    }

    /// Releases the picture in a frame.
    public static void unref(MemorySegment frame) {
        try {
            UNREF.invokeExact(frame);
        } catch (Throwable failure) {
            throw C.thrown(failure);
        }
    }

    public static int width(MemorySegment frame) {
        return frame.get(ValueLayout.JAVA_INT, WIDTH);
    }

    public static int height(MemorySegment frame) {
        return frame.get(ValueLayout.JAVA_INT, HEIGHT);
    }

    /// The pixel format, one of [PixelFormat]'s.
    public static int format(MemorySegment frame) {
        return frame.get(ValueLayout.JAVA_INT, FORMAT);
    }

    /// Whether luminance has the values 0 to 255, rather than 16 to 235.
    public static boolean isFullRange(MemorySegment frame) {
        return frame.get(ValueLayout.JAVA_INT, COLOUR_RANGE) == FULL_RANGE;
    }

    /// How colours were made luminance and chroma: an `AVColorSpace`, the number of ITU-T H.273.
    public static int colourSpace(MemorySegment frame) {
        return frame.get(ValueLayout.JAVA_INT, COLOUR_SPACE);
    }

    /// Bytes from one line of plane `index` to the next.
    public static int lineSize(MemorySegment frame, int index) {
        return frame.get(ValueLayout.JAVA_INT, LINE_SIZE + 4L * index);
    }

    /// The first `byteSize` bytes of plane `index`.
    @SuppressWarnings("restricted")
    public static MemorySegment data(MemorySegment frame, int index, long byteSize) {
        return frame.get(ValueLayout.ADDRESS, DATA + 8L * index).reinterpret(byteSize);
    }

    /// Makes a frame describe a picture that stays the caller's, plane by plane with [#plane].
    public static void borrow(MemorySegment frame, int width, int height, int format) {
        frame.set(ValueLayout.JAVA_INT, WIDTH, width);
        frame.set(ValueLayout.JAVA_INT, HEIGHT, height);
        frame.set(ValueLayout.JAVA_INT, FORMAT, format);
    }

    /// Lets plane `index` be `memory`.
    public static void plane(MemorySegment frame, int index, MemorySegment memory, int lineSize) {
        frame.set(ValueLayout.ADDRESS, DATA + 8L * index, memory);
        frame.set(ValueLayout.JAVA_INT, LINE_SIZE + 4L * index, lineSize);
    }

    /// Asks an encoder of fixed quality for a scale of its tables.
    public static void quality(MemorySegment frame, int scale) {
        frame.set(ValueLayout.JAVA_INT, QUALITY, scale * QUALITY_UNIT);
    }

    /// The array of plane pointers.
    static MemorySegment dataPointers(MemorySegment frame) {
        return frame.asSlice(DATA, 64);
    }

    /// The array of line sizes.
    static MemorySegment lineSizes(MemorySegment frame) {
        return frame.asSlice(LINE_SIZE, 32);
    }

    /// Whether the decoder found damage in the picture.
    public static boolean isDamaged(MemorySegment frame) {
        return frame.get(ValueLayout.JAVA_INT, DECODE_ERROR_FLAGS) != 0
                || (frame.get(ValueLayout.JAVA_INT, FLAGS) & FLAG_CORRUPT) != 0;
    }

    /// Lets the library fill in a frame through the layout above, and checks that it finds what it should.
    private static void verify() {
        // int av_frame_get_buffer(AVFrame *frame, int align)
        MethodHandle getBuffer = C.function(FfmpegLibraries.AVUTIL, "av_frame_get_buffer", C.INT, C.POINTER, C.INT);
        MemorySegment frame = alloc();
        try (var arena = java.lang.foreign.Arena.ofConfined()) {
            boolean fresh = format(frame) == -1;
            frame.set(ValueLayout.JAVA_INT, WIDTH, 16);
            frame.set(ValueLayout.JAVA_INT, HEIGHT, 8);
            frame.set(ValueLayout.JAVA_INT, FORMAT, PixelFormat.YUV420P);
            int status = (int) getBuffer.invokeExact(frame, 64);
            boolean filled = status == 0
                    && lineSize(frame, 0) == 64
                    && lineSize(frame, 1) == 64
                    && lineSize(frame, 3) == 0
                    && frame.get(ValueLayout.ADDRESS, DATA + 16).address() != 0;
            free(frame, arena.allocate(C.POINTER));
            if (!fresh || !filled) {
                throw new UnsatisfiedLinkError("libavutil lays out AVFrame in another way than version 60.8 does");
            }
        } catch (Throwable failure) {
            throw C.thrown(failure);
        }
    }
}
