package org.jspdl.media.frame;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Optional;
import org.jspdl.media.internal.ffmpeg.AvFrame;
import org.jspdl.media.internal.ffmpeg.AvNames;
import org.jspdl.media.stream.StreamInfo;
import org.jspdl.memory.BufferPool;
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
        return AvFrame.pictureBytes(frame.nativeFrame());
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
                    && frame.channels() == first.channels()
                    && frame.sampleRate() == first.sampleRate();
            if (!same) {
                throw new IllegalArgumentException("frames of one tensor must not differ but there are "
                        + described(first) + " and " + described(frame));
            }
        }
        return first.kind() == StreamInfo.Kind.AUDIO ? sound(frames, first, pool) : pictures(frames, first, pool);
    }

    private static String described(Frame frame) {
        return frame + " of "
                + (frame.kind() == StreamInfo.Kind.AUDIO
                        ? frame.channels() + " channels at " + frame.sampleRate() + " Hz"
                        : frame.width() + " x " + frame.height());
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
        Optional<PixelForm> form = PixelForm.of(pixels);
        Optional<Shape> shape =
                form.flatMap(known -> known.shape(frames.size(), first.width(), first.height(), pixels));
        if (form.isEmpty() || shape.isEmpty()) {
            throw new IllegalArgumentException("frames of format " + first.format() + " and " + first.width() + " x "
                    + first.height() + " pixels have no form as a tensor; convert them with a filter such as"
                    + " format=rgb24");
        }
        Tensor tensor = Tensor.allocate(form.orElseThrow().type(), shape.orElseThrow(), pool);
        try {
            for (int n = 0; n < frames.size(); n++) {
                AvFrame.copyPicture(frames.get(n).nativeFrame(), tensor.row(n));
            }
            if (pixels.isBigEndian()) {
                swap(tensor.segment(), form.orElseThrow().type().byteSize());
            }
            return tensor;
        } catch (Throwable failure) {
            tensor.close();
            throw failure;
        }
    }

    /// Turns the order of the bytes of each element.
    private static void swap(MemorySegment elements, int size) {
        for (long at = 0; at < elements.byteSize(); at += size) {
            if (size == Short.BYTES) {
                short value = elements.get(ValueLayout.JAVA_SHORT, at);
                elements.set(ValueLayout.JAVA_SHORT, at, Short.reverseBytes(value));
            } else {
                int value = elements.get(ValueLayout.JAVA_INT, at);
                elements.set(ValueLayout.JAVA_INT, at, Integer.reverseBytes(value));
            }
        }
    }
}
