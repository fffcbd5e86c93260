package org.jspdl.media.frame;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspdl.media.internal.ffmpeg.AvNames;
import org.jspdl.media.stream.StreamInfo;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Shape;
import org.jspdl.memory.Tensor;

/// How the content of frames lies in memory, and as which tensors it can be given away without converting it.
final class FrameLayout {
    private FrameLayout() {}

    /// The bytes of a frame's pixels or samples, without padding.
    static long byteSize(Frame frame) {
        if (frame.kind() == StreamInfo.Kind.AUDIO) {
            return (long) frame.samples()
                    * frame.channels()
                    * SampleFormat.of(frame.formatNumber()).byteSize();
        }
        AvNames.Pixels pixels = AvNames.pixels(frame.formatNumber());
        long sum = 0;
        for (int p = 0; p < planes(pixels, frame); p++) {
            sum += (long) lineBytes(pixels, frame, p) * rows(pixels, frame, p);
        }
        return sum;
    }

    private static int planes(AvNames.Pixels pixels, Frame frame) {
        if (pixels.isHardware()) {
            throw new IllegalArgumentException(frame + " lies in a device's memory");
        }
        int planes = 0;
        while (planes < 4 && frame.stride(planes) > 0) {
            planes++;
        }
        return planes;
    }

    private static boolean isChroma(AvNames.Pixels pixels, int plane) {
        return (plane == 1 || plane == 2) && !pixels.isRgb();
    }

    static int rows(AvNames.Pixels pixels, Frame frame, int plane) {
        return isChroma(pixels, plane) ? ceil(frame.height(), 1 << pixels.log2ChromaH()) : frame.height();
    }

    private static int lineBytes(AvNames.Pixels pixels, Frame frame, int plane) {
        int sampleBytes = (pixels.depth() + 7) / 8;
        if (!pixels.isPlanar()) {
            return frame.width() * pixels.step();
        }
        int width = isChroma(pixels, plane) ? ceil(frame.width(), 1 << pixels.log2ChromaW()) : frame.width();
        boolean interleavedChroma = plane == 1 && frame.stride(2) <= 0 && pixels.components() >= 3;
        return width * sampleBytes * (interleavedChroma ? 2 : 1);
    }

    private static int ceil(int value, int divisor) {
        return (value + divisor - 1) / divisor;
    }

    static Tensor toTensor(List<Frame> frames, BufferPool pool) {
        if (frames.isEmpty()) {
            throw new IllegalArgumentException("no frames make no tensor");
        }
        Frame first = frames.getFirst();
        for (Frame frame : frames) {
            boolean same = frame.kind() == first.kind()
                    && frame.formatNumber() == first.formatNumber()
                    && frame.width() == first.width()
                    && frame.height() == first.height()
                    && frame.channels() == first.channels();
            if (!same) {
                throw new IllegalArgumentException("frames of one tensor must not differ but there are " + first
                        + " of " + first.width() + " x " + first.height() + " and " + frame + " of " + frame.width()
                        + " x " + frame.height());
            }
        }
        return first.kind() == StreamInfo.Kind.AUDIO ? sound(frames, first, pool) : pictures(frames, first, pool);
    }

    private static Tensor sound(List<Frame> frames, Frame first, BufferPool pool) {
        long samples = frames.stream().mapToLong(Frame::samples).sum();
        SampleFormat format = SampleFormat.of(first.formatNumber());
        boolean planar = SampleFormat.isPlanar(first.formatNumber());
        Shape shape = planar ? Shape.of(first.channels(), samples) : Shape.of(samples, first.channels());
        Tensor tensor = Tensor.allocate(format.type(), shape, pool);
        int planes = planar ? first.channels() : 1;
        for (int p = 0; p < planes; p++) {
            long at = p * samples * format.byteSize();
            for (Frame frame : frames) {
                MemorySegment plane = frame.soundPlane(p);
                MemorySegment.copy(plane, 0, tensor.segment(), at, plane.byteSize());
                at += plane.byteSize();
            }
        }
        return tensor;
    }

    private static Tensor pictures(List<Frame> frames, Frame first, BufferPool pool) {
        AvNames.Pixels pixels = AvNames.pixels(first.formatNumber());
        int planes = planes(pixels, first);
        ElementType type = pixels.depth() > 8 ? ElementType.UINT16 : ElementType.UINT8;
        Tensor tensor = Tensor.allocate(type, shape(frames.size(), first, pixels, planes, type), pool);
        long at = 0;
        for (Frame frame : frames) {
            for (int p = 0; p < planes; p++) {
                int rows = rows(pixels, frame, p);
                int bytes = lineBytes(pixels, frame, p);
                MemorySegment plane = frame.plane(p, rows);
                for (int row = 0; row < rows; row++) {
                    MemorySegment.copy(plane, (long) row * frame.stride(p), tensor.segment(), at, bytes);
                    at += bytes;
                }
            }
        }
        return tensor;
    }

    private static Shape shape(int count, Frame first, AvNames.Pixels pixels, int planes, ElementType type) {
        int width = first.width();
        int height = first.height();
        if (!pixels.isPlanar() && pixels.step() % type.byteSize() == 0 && pixels.step() > 0) {
            return Shape.of(count, height, width, pixels.step() / type.byteSize());
        }
        boolean whole = width % (1 << pixels.log2ChromaW()) == 0 && height % (1 << pixels.log2ChromaH()) == 0;
        if ((pixels.isPlanar() && pixels.isRgb()) || pixels.log2ChromaW() + pixels.log2ChromaH() == 0) {
            return Shape.of(count, planes, height, width);
        }
        if (whole && pixels.log2ChromaW() == 1 && planes <= 3) {
            return Shape.of(count, 1, pixels.log2ChromaH() == 1 ? height * 3L / 2 : height * 2L, width);
        }
        throw new IllegalArgumentException("frames of format " + first.format() + " and " + width + " x " + height
                + " pixels have no form as a tensor; convert them with a filter such as format=rgb24");
    }
}
