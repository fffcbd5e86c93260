package org.jspdl.media.internal.ffmpeg;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import org.jspdl.media.internal.natives.C;
import org.jspdl.media.internal.natives.Call;
import org.jspdl.memory.CheckedMemory;

/// Lets a decoder fill gray pictures and silent sound, so that what it doesn't write of a damaged one is gray or
/// silent, and not what the memory held before. Or marked ones, so that what it doesn't write is found.
public final class GrayBuffers {
    /// What a decoder's pictures are filled with before it writes to them.
    public enum Filling {
        /// Whatever the memory holds.
        NOTHING,
        /// Whatever the memory holds, of sound that its decoder writes whole; a pattern where memory is
        /// checked.
        WRITTEN,
        /// Gray, or silence.
        GRAY,
        /// Gray, but for some rows of luminance, which have marks that no picture has.
        MARKS
    }

    /// Of so many rows two are marked: those of a block of the smallest size that HEVC has, 16 x 16.
    public static final int BLOCK_ROWS = 16;
    /// The second marked row of a block; pictures have a multiple of eight rows.
    public static final int SECOND_ROW = 4;

    /// Eight samples, or four of more than eight bits, that are unlike their neighbors.
    private static final long MARK = 0x3AD1_57EC_09B6_72C5L;

    /// `get_buffer2` of `AVCodecContext`.
    private static final long GET_BUFFER = 408;
    /// `opaque` of `AVCodecContext`, which decoders leave alone and copy to the contexts of their threads with each
    /// packet: here the address of the `AVFrame` that is decoded from the packet, until a picture with film grain
    /// is asked for.
    private static final long OPAQUE = 48;

    private static final byte GRAY = (byte) 128;
    private static final int PLANES = 4;
    /// Unsigned samples, whose middle is not 0, by `AVSampleFormat`.
    private static final int U8 = 0;
    private static final int U8_PLANAR = 5;
    private static final int FAILED = -1;
    /// `AV_GET_BUFFER_FLAG_REF`: a picture that is decoded, and not one that film grain is added to.
    private static final int IS_REFERENCE = 1;

    // int avcodec_default_get_buffer2(AVCodecContext *s, AVFrame *frame, int flags)
    private static final MethodHandle DEFAULT =
            C.function(FfmpegLibraries.AVCODEC, "avcodec_default_get_buffer2", C.INT, C.POINTER, C.POINTER, C.INT);
    private static final MemorySegment STUB = stub("getBuffer");
    private static final MemorySegment MARKED_STUB = stub("getMarkedBuffer");
    private static final MemorySegment CHECKED = CheckedMemory.isOn() ? stub("getCheckedBuffer") : MemorySegment.NULL;

    private GrayBuffers() {}

    /// Makes a context, not open yet, take filled pictures.
    public static void install(long context, Filling filling) {
        MemorySegment stub = switch (filling) {
            case NOTHING -> MemorySegment.NULL;
            case WRITTEN -> CHECKED;
            case GRAY -> STUB;
            case MARKS -> MARKED_STUB;
        };
        if (stub.address() != 0) {
            C.MEMORY.set(ValueLayout.JAVA_LONG, context + GET_BUFFER, stub.address());
        }
    }

    /// To be called before each packet, of a context whose pictures are marked.
    ///
    /// A decoder asks for the picture that it decodes first, then for those that it lacks, and last for one to
    /// which the picture is copied with film grain. That one keeps the memory of the first, in which marks are
    /// looked for ([AvFrame#lumaBeforeGrain]).
    public static void beginPacket(MemorySegment context) {
        C.MEMORY.set(ValueLayout.JAVA_LONG, context.address() + OPAQUE, 0);
    }

    /// What the marked rows of pictures of samples of `depth` bits are filled with.
    public static long mark(int depth) {
        if (depth <= Byte.SIZE) {
            return MARK;
        }
        long sample = (1L << depth) - 1;
        return MARK & (sample | sample << 16 | sample << 32 | sample << 48);
    }

    /// Whether lines of `stride` bytes can hold the mark in the same columns.
    public static boolean canMark(long stride, int depth) {
        return stride > 0 && stride % Long.BYTES == 0 && depth <= Short.SIZE;
    }

    @SuppressWarnings("restricted")
    private static MemorySegment stub(String name) {
        FunctionDescriptor type = FunctionDescriptor.of(C.INT, C.POINTER, C.POINTER, C.INT);
        try {
            MethodHandle method = MethodHandles.lookup().findStatic(GrayBuffers.class, name, type.toMethodType());
            return Linker.nativeLinker().upcallStub(method, type, Arena.global());
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    /// Called by the decoder. An exception would end the process.
    @SuppressWarnings("UnusedMethod") // called by C
    private static int getBuffer(MemorySegment context, MemorySegment pointer, int flags) {
        return getBuffer(context, pointer, flags, Filling.GRAY);
    }

    /// The same with marks.
    @SuppressWarnings("UnusedMethod") // called by C
    private static int getMarkedBuffer(MemorySegment context, MemorySegment pointer, int flags) {
        boolean isReference = (flags & IS_REFERENCE) != 0;
        int status = getBuffer(context, pointer, flags, isReference ? Filling.MARKS : Filling.GRAY);
        return status < 0 || keepDecoded(context, pointer, isReference) ? status : FAILED;
    }

    /// The same with a pattern that is seldom the same twice.
    @SuppressWarnings("UnusedMethod") // called by C
    private static int getCheckedBuffer(MemorySegment context, MemorySegment pointer, int flags) {
        return getBuffer(context, pointer, flags, Filling.WRITTEN);
    }

    private static boolean keepDecoded(MemorySegment context, MemorySegment pointer, boolean isReference) {
        try {
            long slot = context.address() + OPAQUE;
            long decoded = C.MEMORY.get(ValueLayout.JAVA_LONG, slot);
            if (isReference && decoded == 0) {
                C.MEMORY.set(ValueLayout.JAVA_LONG, slot, pointer.address());
            } else if (!isReference && decoded != 0) {
                MemorySegment before = C.view(MemorySegment.ofAddress(decoded), AvFrame.BYTE_SIZE);
                AvFrame.keepLuma(C.view(pointer, AvFrame.BYTE_SIZE), before);
                C.MEMORY.set(ValueLayout.JAVA_LONG, slot, 0);
            }
            return true;
        } catch (Throwable failure) {
            return false;
        }
    }

    private static int getBuffer(MemorySegment context, MemorySegment pointer, int flags, Filling filling) {
        try {
            int status = Call.toInt(DEFAULT, context, pointer, flags);
            if (status >= 0) {
                fill(C.view(pointer, AvFrame.BYTE_SIZE), filling);
            }
            return status;
        } catch (Throwable failure) {
            return FAILED;
        }
    }

    private static void fill(MemorySegment frame, Filling filling) {
        int format = AvFrame.format(frame);
        if (AvFrame.samples(frame) > 0) {
            fillSound(frame, format, filling);
            return;
        }
        if (format == PixelFormat.PALETTE) {
            return; // a palette may have no color of this number
        }
        int rows = AvFrame.height(frame);
        int depth = PixelFormat.depth(format);
        int lower = -(-rows >> PixelFormat.chromaShiftDown(format));
        for (int p = 0; p < PLANES && AvFrame.address(frame, p) != 0; p++) {
            long stride = AvFrame.lineSize(frame, p);
            long bytes = stride * (p == 1 || p == 2 ? lower : rows);
            if (bytes > 0) {
                MemorySegment plane = AvFrame.data(frame, p, bytes);
                fill(plane, depth);
                if (filling == Filling.MARKS && p == 0 && canMark(stride, depth)) {
                    mark(plane, stride, mark(depth));
                }
            }
        }
    }

    /// Samples of more than a byte must not be beyond their depth: some decoders calculate with those of other
    /// frames.
    private static void fill(MemorySegment plane, int depth) {
        if (depth <= Byte.SIZE || depth > Short.SIZE || plane.byteSize() < Short.BYTES) {
            plane.fill(depth <= Byte.SIZE ? GRAY : 0);
            return;
        }
        plane.set(ValueLayout.JAVA_SHORT_UNALIGNED, 0, (short) (1 << (depth - 1)));
        repeat(plane, Short.BYTES);
    }

    private static void mark(MemorySegment luma, long stride, long mark) {
        MemorySegment first = luma.asSlice(0, stride);
        first.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, mark);
        repeat(first, Long.BYTES);
        long end = luma.byteSize() / stride;
        for (long row = SECOND_ROW; row < end; row += row % BLOCK_ROWS == 0 ? SECOND_ROW : BLOCK_ROWS - SECOND_ROW) {
            MemorySegment.copy(luma, 0, luma, row * stride, stride);
        }
    }

    private static void repeat(MemorySegment plane, long first) {
        for (long done = first; done < plane.byteSize(); done *= 2) {
            long more = Math.min(done, plane.byteSize() - done);
            MemorySegment.copy(plane, 0, plane, done, more);
        }
    }

    private static void fillSound(MemorySegment frame, int format, Filling filling) {
        int planes = AvNames.isPlanarSound(format) ? AvFrame.channels(frame) : 1;
        for (int p = 0; p < planes; p++) {
            MemorySegment plane = AvFrame.soundPlane(frame, p, AvFrame.lineSize(frame, 0));
            if (filling == Filling.WRITTEN) {
                CheckedMemory.fill(plane, (int) System.nanoTime());
            } else {
                plane.fill(format == U8 || format == U8_PLANAR ? GRAY : 0);
            }
        }
    }
}
