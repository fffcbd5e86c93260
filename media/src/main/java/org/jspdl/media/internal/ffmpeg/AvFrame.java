package org.jspdl.media.internal.ffmpeg;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import org.jspdl.media.internal.natives.C;
import org.jspdl.media.internal.natives.Call;

/// `AVFrame` of libavutil 60: the fields that we read, at offsets that are verified when the library is loaded.
public final class AvFrame {
    private static final long DATA = 0;
    private static final long LINE_SIZE = 64;
    private static final long EXTENDED_DATA = 96;
    private static final long WIDTH = 104;
    private static final long HEIGHT = 108;
    private static final long SAMPLES = 112;
    private static final long FORMAT = 116;
    private static final long PICTURE_TYPE = 120;
    private static final long PTS = 136;
    private static final long TIME_BASE = 152;
    private static final long SAMPLE_RATE = 180;
    private static final long BUFFER = 184;
    /// Of eight, of which pictures use one for each of at most four planes.
    private static final long LAST_BUFFER = BUFFER + 7 * 8;
    private static final long FLAGS = 276;
    private static final long QUALITY = 160;
    private static final long COLOR_RANGE = 280;
    private static final long COLOR_SPACE = 292;
    private static final long CHROMA_LOCATION = 296;
    private static final long BEST_EFFORT_TIMESTAMP = 304;
    private static final long DECODE_ERROR_FLAGS = 320;
    private static final long CHANNEL_LAYOUT = 384;
    private static final long DURATION = 408;
    static final long BYTE_SIZE = 416;
    private static final int FLAG_CORRUPT = 1;
    private static final int FLAG_KEY = 2;
    private static final int FULL_RANGE = 2;
    private static final int LIMITED_RANGE = 1;
    private static final int UNKNOWN_SPACE = 2;
    /// FF_QP2LAMBDA
    private static final int QUALITY_UNIT = 118;

    // AVFrame *av_frame_alloc(void)
    private static final MethodHandle ALLOC = C.function(FfmpegLibraries.AVUTIL, "av_frame_alloc", C.POINTER);
    // void av_frame_free(AVFrame **frame)
    private static final MethodHandle FREE = C.procedure(FfmpegLibraries.AVUTIL, "av_frame_free", C.POINTER);
    // void av_frame_unref(AVFrame *frame)
    private static final MethodHandle UNREF = C.procedure(FfmpegLibraries.AVUTIL, "av_frame_unref", C.POINTER);

    // void av_frame_move_ref(AVFrame *dst, AVFrame *src)
    private static final MethodHandle MOVE =
            C.procedure(FfmpegLibraries.AVUTIL, "av_frame_move_ref", C.POINTER, C.POINTER);
    // int av_frame_ref(AVFrame *dst, const AVFrame *src)
    private static final MethodHandle REF =
            C.function(FfmpegLibraries.AVUTIL, "av_frame_ref", C.INT, C.POINTER, C.POINTER);
    // int av_frame_get_buffer(AVFrame *frame, int align)
    private static final MethodHandle GET_BUFFER =
            C.function(FfmpegLibraries.AVUTIL, "av_frame_get_buffer", C.INT, C.POINTER, C.INT);

    static {
        verify();
    }

    // int av_image_get_buffer_size(enum AVPixelFormat pix_fmt, int width, int height, int align)
    private static final MethodHandle IMAGE_BYTES =
            C.function(FfmpegLibraries.AVUTIL, "av_image_get_buffer_size", C.INT, C.INT, C.INT, C.INT, C.INT);
    // int av_image_copy_to_buffer(uint8_t *dst, int dst_size, const uint8_t * const src_data[4],
    //         const int src_linesize[4], enum AVPixelFormat pix_fmt, int width, int height, int align)
    private static final MethodHandle COPY_IMAGE = C.function(
            FfmpegLibraries.AVUTIL,
            "av_image_copy_to_buffer",
            C.INT,
            C.POINTER,
            C.INT,
            C.POINTER,
            C.POINTER,
            C.INT,
            C.INT,
            C.INT,
            C.INT);

    private AvFrame() {}

    /// A new frame, to be given to [#free].
    public static MemorySegment alloc() {
        return C.view(Call.allocated(Call.toPointer(ALLOC), "av_frame_alloc"), BYTE_SIZE);
    }

    /// Frees a frame; `slot` is room for one pointer.
    public static void free(MemorySegment frame, MemorySegment slot) {
        slot.set(ValueLayout.ADDRESS, 0, frame);
        Call.run(FREE, slot);
    }

    /// Frees a frame.
    public static void free(MemorySegment frame) {
        try (Arena arena = Arena.ofConfined()) {
            free(frame, arena.allocate(C.POINTER));
        }
    }

    /// Releases the picture in a frame.
    public static void unref(MemorySegment frame) {
        Call.run(UNREF, frame);
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
        return frame.get(ValueLayout.JAVA_INT, COLOR_RANGE) == FULL_RANGE;
    }

    /// How colors were made luminance and chroma: an `AVColorSpace`, the number of ITU-T H.273.
    public static int colorSpace(MemorySegment frame) {
        return frame.get(ValueLayout.JAVA_INT, COLOR_SPACE);
    }

    /// Says of `frame` what `other` says of its range and of how colors were made luminance and chroma.
    public static void colors(MemorySegment frame, MemorySegment other) {
        frame.set(ValueLayout.JAVA_INT, COLOR_RANGE, other.get(ValueLayout.JAVA_INT, COLOR_RANGE));
        frame.set(ValueLayout.JAVA_INT, COLOR_SPACE, other.get(ValueLayout.JAVA_INT, COLOR_SPACE));
    }

    /// Says how colors were made luminance and chroma, unless `space` says that this is unknown, and their range.
    public static void colors(MemorySegment frame, int space, boolean fullRange) {
        if (space != UNKNOWN_SPACE) {
            frame.set(ValueLayout.JAVA_INT, COLOR_SPACE, space);
        }
        frame.set(ValueLayout.JAVA_INT, COLOR_RANGE, fullRange ? FULL_RANGE : LIMITED_RANGE);
    }

    /// Takes the range out of the name of the pixel format, where FFmpeg's decoders have put it, and says it alone.
    public static void withoutRangeInFormat(MemorySegment frame) {
        int plain = PixelFormat.withoutRange(format(frame));
        if (plain != format(frame)) {
            frame.set(ValueLayout.JAVA_INT, FORMAT, plain);
            frame.set(ValueLayout.JAVA_INT, COLOR_RANGE, FULL_RANGE);
        }
    }

    /// Leaves `width` x `height` pixels of a planar picture, which has at least so many behind the first ones;
    /// false if its chroma cannot begin there.
    public static boolean crop(MemorySegment frame, int left, int top, int width, int height) {
        int format = format(frame);
        int across = PixelFormat.chromaShiftAcross(format);
        int down = PixelFormat.chromaShiftDown(format);
        if ((left & ((1 << across) - 1)) != 0 || (top & ((1 << down) - 1)) != 0) {
            return false;
        }
        long sampleBytes = PixelFormat.depth(format) > Byte.SIZE ? 2 : 1;
        for (int p = 0; p < 3 && address(frame, p) != 0; p++) {
            long lines = (long) (p == 0 ? top : top >> down) * lineSize(frame, p);
            long columns = (p == 0 ? left : left >> across) * sampleBytes;
            frame.set(ValueLayout.JAVA_LONG, DATA + 8L * p, address(frame, p) + lines + columns);
        }
        frame.set(ValueLayout.JAVA_INT, WIDTH, width);
        frame.set(ValueLayout.JAVA_INT, HEIGHT, height);
        return true;
    }

    /// Bytes from one line of plane `index` to the next.
    public static int lineSize(MemorySegment frame, int index) {
        return frame.get(ValueLayout.JAVA_INT, LINE_SIZE + 4L * index);
    }

    /// Where plane `index` lies.
    public static long address(MemorySegment frame, int index) {
        return frame.get(ValueLayout.JAVA_LONG, DATA + 8L * index);
    }

    /// The first `byteSize` bytes of plane `index`.
    @SuppressWarnings("restricted")
    public static MemorySegment data(MemorySegment frame, int index, long byteSize) {
        return frame.get(ValueLayout.ADDRESS, DATA + 8L * index).reinterpret(byteSize);
    }

    /// The memory of the first buffer that a frame refers to.
    public static MemorySegment firstBuffer(MemorySegment frame) {
        return memory(frame, BUFFER);
    }

    private static MemorySegment memory(MemorySegment frame, long reference) {
        MemorySegment buffer = C.view(frame.get(ValueLayout.ADDRESS, reference), 24);
        return C.view(buffer.get(ValueLayout.ADDRESS, 8), buffer.get(ValueLayout.JAVA_LONG, 16));
    }

    /// Lets `frame`, to which `decoded` will be copied with film grain, keep the first buffer of that, until
    /// [#releaseLuma] or its own end.
    static void keepLuma(MemorySegment frame, MemorySegment decoded) {
        frame.set(ValueLayout.ADDRESS, LAST_BUFFER, AvBuffer.ref(decoded.get(ValueLayout.ADDRESS, BUFFER)));
    }

    /// The memory of luminance before film grain was added: the buffer that [#keepLuma] kept, or the first one.
    public static MemorySegment lumaBeforeGrain(MemorySegment frame) {
        return memory(frame, frame.get(ValueLayout.JAVA_LONG, LAST_BUFFER) == 0 ? BUFFER : LAST_BUFFER);
    }

    /// Gives up the buffer that [#keepLuma] kept, if there is one.
    public static void releaseLuma(MemorySegment frame) {
        MemorySegment kept = frame.get(ValueLayout.ADDRESS, LAST_BUFFER);
        if (kept.address() != 0) {
            frame.set(ValueLayout.ADDRESS, LAST_BUFFER, MemorySegment.NULL);
            AvBuffer.release(kept);
        }
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
    public static MemorySegment dataPointers(MemorySegment frame) {
        return frame.asSlice(DATA, 64);
    }

    /// The array of line sizes.
    public static MemorySegment lineSizes(MemorySegment frame) {
        return frame.asSlice(LINE_SIZE, 32);
    }

    /// Whether the decoder found errors, and filled in what it could not decode.
    public static boolean hasErrors(MemorySegment frame) {
        return frame.get(ValueLayout.JAVA_INT, DECODE_ERROR_FLAGS) != 0;
    }

    /// Whether the decoder found errors, or the container says that the packet is damaged.
    public static boolean isDamaged(MemorySegment frame) {
        return hasErrors(frame) || (frame.get(ValueLayout.JAVA_INT, FLAGS) & FLAG_CORRUPT) != 0;
    }

    /// Moves everything from `frame` to `into`, which is empty.
    public static void move(MemorySegment into, MemorySegment frame) {
        Call.run(MOVE, into, frame);
    }

    /// Lets `into`, which is empty, share what `frame` refers to.
    public static void ref(MemorySegment into, MemorySegment frame) {
        int status = Call.toInt(REF, into, frame);
        if (status < 0) {
            throw new OutOfMemoryError("av_frame_ref: " + AvCodec.errorText(status));
        }
    }

    /// The bytes of a picture without what lies between its lines and planes.
    ///
    /// @throws IllegalArgumentException if there is no such size, as for pictures in a device's memory
    public static int pictureBytes(MemorySegment frame) {
        return pictureBytes(format(frame), width(frame), height(frame));
    }

    /// The same for pictures of a format and size.
    public static int pictureBytes(int format, int width, int height) {
        try {
            int bytes = (int) IMAGE_BYTES.invokeExact(format, width, height, 1);
            if (bytes < 0) {
                throw new IllegalArgumentException(AvNames.pixelFormat(format) + " pictures of " + width + " x "
                        + height + " pixels have no size in memory: " + AvCodec.errorText(bytes));
            }
            return bytes;
        } catch (Throwable failure) {
            throw C.thrown(failure);
        }
    }

    /// Copies a picture line by line, the first one first, wherever it lies, and plane by plane.
    ///
    /// @param into exactly [#pictureBytes]
    public static void copyPicture(MemorySegment frame, MemorySegment into) {
        int bytes = pictureBytes(frame);
        if (bytes != into.byteSize()) {
            throw new IllegalArgumentException(
                    "a picture of " + bytes + " bytes does not fill " + into.byteSize() + " bytes");
        }
        try {
            int copied = (int) COPY_IMAGE.invokeExact(
                    into, bytes, dataPointers(frame), lineSizes(frame), format(frame), width(frame), height(frame), 1);
            if (copied != bytes) {
                throw new IllegalStateException("av_image_copy_to_buffer: " + AvCodec.errorText(copied));
            }
        } catch (Throwable failure) {
            throw C.thrown(failure);
        }
    }

    /// Makes an empty frame a picture with memory of its own.
    public static void allocatePicture(MemorySegment frame, int width, int height, int format) {
        frame.set(ValueLayout.JAVA_INT, WIDTH, width);
        frame.set(ValueLayout.JAVA_INT, HEIGHT, height);
        allocateBuffer(frame, format);
    }

    /// Makes an empty frame a picture whose planes lie in a buffer of ours at these addresses, `stride` bytes each.
    public static void referPicture(
            MemorySegment frame, int width, int height, int format, MemorySegment buffer, int stride, long... planes) {
        borrow(frame, width, height, format);
        for (int p = 0; p < planes.length; p++) {
            frame.set(ValueLayout.JAVA_LONG, DATA + 8L * p, planes[p]);
            frame.set(ValueLayout.JAVA_INT, LINE_SIZE + 4L * p, stride);
        }
        frame.set(ValueLayout.ADDRESS, BUFFER, AvBuffer.ref(buffer));
    }

    /// Makes an empty frame sound whose planes lie in a buffer of ours at these addresses, in the usual layout of
    /// `channels` channels.
    public static void referSound(
            MemorySegment frame,
            int samples,
            int rate,
            int channels,
            int format,
            MemorySegment buffer,
            int bytes,
            long... planes) {
        frame.set(ValueLayout.JAVA_INT, SAMPLES, samples);
        frame.set(ValueLayout.JAVA_INT, SAMPLE_RATE, rate);
        frame.set(ValueLayout.JAVA_INT, FORMAT, format);
        AvNames.defaultChannelLayout(channelLayout(frame), channels);
        for (int p = 0; p < planes.length; p++) {
            frame.set(ValueLayout.JAVA_LONG, DATA + 8L * p, planes[p]);
        }
        frame.set(ValueLayout.JAVA_INT, LINE_SIZE, bytes);
        frame.set(ValueLayout.ADDRESS, BUFFER, AvBuffer.ref(buffer));
    }

    /// Makes an empty frame sound with memory of its own, in the usual layout of `channels` channels.
    public static void allocateSound(MemorySegment frame, int samples, int channels, int rate, int format) {
        frame.set(ValueLayout.JAVA_INT, SAMPLES, samples);
        frame.set(ValueLayout.JAVA_INT, SAMPLE_RATE, rate);
        AvNames.defaultChannelLayout(channelLayout(frame), channels);
        allocateBuffer(frame, format);
    }

    private static void allocateBuffer(MemorySegment frame, int format) {
        frame.set(ValueLayout.JAVA_INT, FORMAT, format);
        int status = Call.toInt(GET_BUFFER, frame, 0);
        if (status < 0) {
            throw new IllegalArgumentException("av_frame_get_buffer: " + AvCodec.errorText(status));
        }
    }

    /// Samples of each channel.
    public static int samples(MemorySegment frame) {
        return frame.get(ValueLayout.JAVA_INT, SAMPLES);
    }

    public static int sampleRate(MemorySegment frame) {
        return frame.get(ValueLayout.JAVA_INT, SAMPLE_RATE);
    }

    public static int channels(MemorySegment frame) {
        return frame.get(ValueLayout.JAVA_INT, CHANNEL_LAYOUT + 4);
    }

    /// The `AVChannelLayout` in a frame.
    public static MemorySegment channelLayout(MemorySegment frame) {
        return frame.asSlice(CHANNEL_LAYOUT, AvNames.CHANNEL_LAYOUT_BYTES);
    }

    /// The time of presentation, or [AvPacket#NO_TIME].
    public static long pts(MemorySegment frame) {
        return frame.get(ValueLayout.JAVA_LONG, PTS);
    }

    /// The time of presentation as the decoder guessed it where the file has none.
    public static long bestTime(MemorySegment frame) {
        return frame.get(ValueLayout.JAVA_LONG, BEST_EFFORT_TIMESTAMP);
    }

    public static long duration(MemorySegment frame) {
        return frame.get(ValueLayout.JAVA_LONG, DURATION);
    }

    /// Sets the time of presentation, and how long it lasts.
    public static void times(MemorySegment frame, long pts, long duration) {
        frame.set(ValueLayout.JAVA_LONG, PTS, pts);
        frame.set(ValueLayout.JAVA_LONG, DURATION, duration);
    }

    /// Sets the unit of a frame's times.
    public static void timeBase(MemorySegment frame, int numerator, int denominator) {
        frame.set(ValueLayout.JAVA_INT, TIME_BASE, numerator);
        frame.set(ValueLayout.JAVA_INT, TIME_BASE + 4, denominator);
    }

    /// Lets an encoder choose the type of the picture.
    public static void clearPictureType(MemorySegment frame) {
        frame.set(ValueLayout.JAVA_INT, PICTURE_TYPE, 0);
    }

    public static boolean isKey(MemorySegment frame) {
        return (frame.get(ValueLayout.JAVA_INT, FLAGS) & FLAG_KEY) != 0;
    }

    /// `AVColorRange`: 0 unknown, 1 limited, 2 full.
    public static int colorRange(MemorySegment frame) {
        return frame.get(ValueLayout.JAVA_INT, COLOR_RANGE);
    }

    /// `AVChromaLocation`: 0 unknown, 1 left, 2 center, 3 top left.
    public static int chromaLocation(MemorySegment frame) {
        return frame.get(ValueLayout.JAVA_INT, CHROMA_LOCATION);
    }

    /// The array of pointers to planes, which for sound may have more than eight.
    public static MemorySegment extendedData(MemorySegment frame) {
        return frame.get(ValueLayout.ADDRESS, EXTENDED_DATA);
    }

    /// The first `byteSize` bytes of plane `index` of sound.
    public static MemorySegment soundPlane(MemorySegment frame, int index, long byteSize) {
        MemorySegment pointers = C.view(extendedData(frame), 8L * index + 8);
        return C.view(pointers.get(ValueLayout.ADDRESS, 8L * index), byteSize);
    }

    /// Leaves `count` samples from `from` on, in `planes` planes with `step` bytes a sample.
    public static void trim(MemorySegment frame, int from, int count, int planes, int step) {
        if (from > 0) {
            MemorySegment pointers = C.view(extendedData(frame), 8L * planes);
            for (int p = 0; p < planes; p++) {
                long moved = pointers.get(ValueLayout.JAVA_LONG, 8L * p) + (long) from * step;
                pointers.set(ValueLayout.JAVA_LONG, 8L * p, moved);
                if (p < 8) {
                    frame.set(ValueLayout.JAVA_LONG, DATA + 8L * p, moved);
                }
            }
        }
        frame.set(ValueLayout.JAVA_INT, SAMPLES, count);
    }

    /// Lets the library fill in a frame through the layout above, and checks that it finds what it should.
    private static void verify() {
        MemorySegment frame = alloc();
        try (var arena = Arena.ofConfined()) {
            boolean fresh = format(frame) == -1;
            frame.set(ValueLayout.JAVA_INT, WIDTH, 16);
            frame.set(ValueLayout.JAVA_INT, HEIGHT, 8);
            frame.set(ValueLayout.JAVA_INT, FORMAT, PixelFormat.YUV420P);
            int status = Call.toInt(GET_BUFFER, frame, 64);
            boolean filled = status == 0
                    && lineSize(frame, 0) == 64
                    && lineSize(frame, 1) == 64
                    && lineSize(frame, 3) == 0
                    && frame.get(ValueLayout.ADDRESS, DATA + 16).address() != 0;
            free(frame, arena.allocate(C.POINTER));
            if (!fresh || !filled) {
                throw new UnsatisfiedLinkError("libavutil lays out AVFrame in another way than version 60.8 does");
            }
        }
    }
}
