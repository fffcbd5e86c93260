package org.jspdl.media.frame;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspdl.media.internal.ffmpeg.AvFrame;
import org.jspdl.media.internal.ffmpeg.AvNames;
import org.jspdl.media.stream.Rational;
import org.jspdl.media.stream.StreamInfo;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Tensor;

/// Makes frames of tensors, for filters and encoders.
public final class TensorFrames {
    private static final int SAMPLES_A_FRAME = 4096;

    private TensorFrames() {}

    /// Pictures of a tensor of bytes `[N, H, W, C]`: gray for one channel, RGB for three, RGBA for four. The tensor
    /// stays the caller's.
    public static Frames pictures(Tensor tensor, Rational frameRate) {
        if (tensor.type() != ElementType.UINT8 || tensor.shape().rank() != 4) {
            throw new IllegalArgumentException("pictures are UINT8 [N, H, W, C], not " + tensor);
        }
        int channels = (int) tensor.shape().extent(3);
        String format = switch (channels) {
            case 1 -> "gray";
            case 3 -> "rgb24";
            case 4 -> "rgba";
            default -> throw new IllegalArgumentException("pictures have 1, 3 or 4 channels, not " + channels);
        };
        int width = Math.toIntExact(tensor.shape().extent(2));
        int height = Math.toIntExact(tensor.shape().extent(1));
        Frames frames = new Frames();
        try {
            for (long n = 0; n < tensor.shape().extent(0); n++) {
                try (Frame frame = Frame.create()) {
                    AvFrame.allocatePicture(frame.nativeFrame(), width, height, AvNames.pixelFormat(format));
                    frame.begin(StreamInfo.Kind.VIDEO, frameRate.inverse(), n);
                    MemorySegment picture = tensor.row(n);
                    MemorySegment plane = frame.plane(0, height);
                    long line = (long) width * channels;
                    for (int y = 0; y < height; y++) {
                        MemorySegment.copy(picture, y * line, plane, (long) y * frame.stride(0), line);
                    }
                    frames.take(frame);
                }
            }
            return frames;
        } catch (Throwable failure) {
            frames.close();
            throw failure;
        }
    }

    /// Sound of a tensor `[C, N]` of `FLOAT32`, `FLOAT64`, `INT32`, `INT16` or `UINT8`. The tensor stays the
    /// caller's.
    public static Frames sound(Tensor tensor, int sampleRateHz) {
        String format = switch (tensor.type()) {
            case FLOAT32 -> "fltp";
            case FLOAT64 -> "dblp";
            case INT32 -> "s32p";
            case INT16 -> "s16p";
            case UINT8 -> "u8p";
            default -> throw new IllegalArgumentException("there is no sound of " + tensor.type());
        };
        if (tensor.shape().rank() != 2) {
            throw new IllegalArgumentException("sound is [C, N], not " + tensor.shape());
        }
        int channels = Math.toIntExact(tensor.shape().extent(0));
        long samples = tensor.shape().extent(1);
        int bytes = tensor.type().byteSize();
        Frames frames = new Frames();
        try {
            for (long from = 0; from < samples; from += SAMPLES_A_FRAME) {
                int count = (int) Math.min(SAMPLES_A_FRAME, samples - from);
                try (Frame frame = Frame.create()) {
                    AvFrame.allocateSound(
                            frame.nativeFrame(), count, channels, sampleRateHz, AvNames.sampleFormat(format));
                    frame.begin(StreamInfo.Kind.AUDIO, Rational.of(1, sampleRateHz), from);
                    for (int c = 0; c < channels; c++) {
                        MemorySegment.copy(
                                tensor.segment(),
                                ValueLayout.JAVA_BYTE,
                                (c * samples + from) * bytes,
                                frame.soundPlane(c),
                                ValueLayout.JAVA_BYTE,
                                0,
                                (long) count * bytes);
                    }
                    frames.take(frame);
                }
            }
            return frames;
        } catch (Throwable failure) {
            frames.close();
            throw failure;
        }
    }
}
