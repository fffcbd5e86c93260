package org.jspdl.media.internal.pixels;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspdl.media.internal.ffmpeg.convert.SwScale;

/// A conversion of libswscale, whose tables are kept from one picture to the next, and the planes it is given.
///
/// Owned by one converter; used by one thread at a time.
final class PictureScaler implements AutoCloseable {
    private static final int PLANES = 4;

    private final Arena arena = Arena.ofShared();
    private final MemorySegment from = arena.allocate(8L * PLANES, 8);
    private final MemorySegment fromStrides = arena.allocate(4L * PLANES, 8);
    private final MemorySegment to = arena.allocate(8L * PLANES, 8);
    private final MemorySegment toStrides = arena.allocate(4L * PLANES, 8);
    private MemorySegment context = MemorySegment.NULL;
    private Conversion conversion = Conversion.NONE;
    private boolean closed;

    /// What a context is for.
    ///
    /// @param flags   `SWS_*`
    /// @param colors  an `AVColorSpace`
    /// @param chromaX where the first chroma sample lies, as [SwScale#context] has it
    /// @param chromaY the same down
    record Conversion(
            int width,
            int height,
            int format,
            int toWidth,
            int toHeight,
            int toFormat,
            int flags,
            int colors,
            boolean full,
            int chromaX,
            int chromaY) {
        static final Conversion NONE = new Conversion(0, 0, 0, 0, 0, 0, 0, 0, false, 0, 0);
    }

    /// Where plane `plane` of the picture begins.
    void source(int plane, long address, int stride) {
        from.set(ValueLayout.JAVA_LONG, 8L * plane, address);
        fromStrides.set(ValueLayout.JAVA_INT, 4L * plane, stride);
    }

    /// Where plane `plane` of the result goes.
    void target(int plane, long address, int stride) {
        to.set(ValueLayout.JAVA_LONG, 8L * plane, address);
        toStrides.set(ValueLayout.JAVA_INT, 4L * plane, stride);
    }

    /// Converts the planes; false if libswscale can't.
    boolean convert(Conversion wanted) {
        if (!wanted.equals(conversion)) {
            freeContext();
            context = SwScale.context(
                    wanted.width,
                    wanted.height,
                    wanted.format,
                    wanted.toWidth,
                    wanted.toHeight,
                    wanted.toFormat,
                    wanted.flags,
                    wanted.chromaX,
                    wanted.chromaY);
            if (context.address() == 0) {
                return false;
            }
            SwScale.source(context, wanted.colors, wanted.full);
            conversion = wanted;
        }
        return SwScale.convert(context, from, fromStrides, wanted.height, to, toStrides) == wanted.toHeight;
    }

    private void freeContext() {
        conversion = Conversion.NONE;
        if (context.address() != 0) {
            SwScale.free(context);
            context = MemorySegment.NULL;
        }
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            freeContext();
            arena.close();
        }
    }
}
