package org.jspdl.media.frame;

import java.lang.foreign.MemorySegment;
import org.jspdl.media.internal.ffmpeg.AvBuffer;
import org.jspdl.media.internal.ffmpeg.AvFrame;
import org.jspdl.media.internal.ffmpeg.AvNames;
import org.jspdl.media.stream.Rational;
import org.jspdl.media.stream.StreamInfo;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Tensor;

/// Makes frames that refer to the memory of a tensor, for filters and encoders: nothing is copied but the last frame.
///
/// They take the tensor, and close it when the last frame that refers to it is freed, those included that a filter or
/// an encoder still holds, on whatever thread that happens. Nobody writes to the memory: filters that change pixels
/// copy them first. A [Tensor#view] makes frames over a tensor that stays the caller's, who then keeps it until all
/// frames are closed. The last frame is copied because libraries read a few bytes beyond what they are given.
public final class ReferenceFrames {
    private static final int SAMPLES_A_FRAME = 4096;
    private static final int MOST_PLANES = 8;

    private ReferenceFrames() {}

    /// Pictures of a tensor: `[N, H, W, C]` for a format that interleaves its components, such as `rgb24`, `bgr24`,
    /// `rgba`, `gray` or `gray16le`, `[N, C, H, W]` for one with planes of the picture's size, such as `gbrp` or
    /// `yuv444p`; of the type that [Frames#toTensor] gives them. Formats whose bytes lie in the other order are
    /// refused.
    ///
    /// @param firstTick the time of the first picture, in units of a frame's duration
    /// @throws IllegalArgumentException if the tensor and the format don't fit; the tensor stays the caller's then
    public static Frames pictures(Tensor tensor, String format, Rational frameRate, long firstTick) {
        int number = AvNames.pixelFormat(format);
        if (number < 0) {
            throw new IllegalArgumentException("there is no pixel format '" + format + "'");
        }
        AvNames.Pixels pixels = AvNames.pixels(number);
        PixelForm form = PixelForm.of(pixels)
                .filter(known -> !pixels.isBigEndian() && pixels.log2ChromaW() + pixels.log2ChromaH() == 0)
                .orElseThrow(() ->
                        new IllegalArgumentException("pictures of format " + format + " can't refer to a tensor"));
        ElementType type = form.type();
        int channels = form.channels();
        boolean planar = form.arrangement() == PixelForm.Arrangement.PLANES;
        boolean fits = tensor.type() == type
                && tensor.shape().rank() == 4
                && tensor.shape().elements() > 0
                && tensor.shape().extent(planar ? 1 : 3) == channels;
        if (!fits) {
            throw new IllegalArgumentException("pictures of format " + format + " are " + type
                    + (planar ? " [N, " + channels + ", H, W]" : " [N, H, W, " + channels + "]") + ", not " + tensor);
        }
        int height = Math.toIntExact(tensor.shape().extent(planar ? 2 : 1));
        int width = Math.toIntExact(tensor.shape().extent(planar ? 3 : 2));
        int stride = Math.multiplyExact(width, planar ? type.byteSize() : pixels.step());
        int planes = planar ? channels : 1;
        long count = tensor.shape().extent(0);
        Rational unit = frameRate.inverse();
        return frames(tensor, (buffer, frame, frames) -> {
            for (long n = 0; n < count; n++) {
                MemorySegment picture = tensor.row(n);
                MemorySegment raw = frame.nativeFrame();
                if (n < count - 1) {
                    long[] addresses = new long[planes];
                    for (int p = 0; p < planes; p++) {
                        addresses[p] = picture.address() + (long) p * stride * height;
                    }
                    AvFrame.referPicture(raw, width, height, number, buffer, stride, addresses);
                } else {
                    AvFrame.allocatePicture(raw, width, height, number);
                    for (int p = 0; p < planes; p++) {
                        MemorySegment plane = frame.plane(p, height);
                        for (int y = 0; y < height; y++) {
                            long from = ((long) p * height + y) * stride;
                            MemorySegment.copy(picture, from, plane, (long) y * frame.stride(p), stride);
                        }
                    }
                }
                frame.begin(StreamInfo.Kind.VIDEO, unit, firstTick + n);
                frames.take(frame);
            }
        });
    }

    /// Sound of a tensor: `[C, N]` for a planar format, such as `fltp` or `s16p`, of at most 8 channels, `[N, C]`
    /// for an interleaved one, such as `flt` or `s16`.
    ///
    /// @param firstSample the time of the first sample, in samples
    /// @throws IllegalArgumentException if the tensor and the format don't fit; the tensor stays the caller's then
    public static Frames sound(Tensor tensor, String format, int sampleRateHz, long firstSample) {
        int number = AvNames.sampleFormat(format);
        if (number < 0) {
            throw new IllegalArgumentException("there is no sample format '" + format + "'");
        }
        boolean planar = SampleFormat.isPlanar(number);
        ElementType type = SampleFormat.of(number).type();
        if (tensor.type() != type
                || tensor.shape().rank() != 2
                || tensor.shape().elements() == 0
                || (planar && tensor.shape().extent(0) > MOST_PLANES)) {
            throw new IllegalArgumentException("sound of format " + format + " is " + type
                    + (planar ? " [C, N] of at most " + MOST_PLANES + " channels" : " [N, C]") + ", not " + tensor);
        }
        int channels = Math.toIntExact(tensor.shape().extent(planar ? 0 : 1));
        long samples = tensor.shape().extent(planar ? 1 : 0);
        int step = planar ? type.byteSize() : type.byteSize() * channels;
        int planes = planar ? channels : 1;
        Rational unit = Rational.of(1, sampleRateHz);
        return frames(tensor, (buffer, frame, frames) -> {
            for (long from = 0; from < samples; from += SAMPLES_A_FRAME) {
                int count = (int) Math.min(SAMPLES_A_FRAME, samples - from);
                MemorySegment raw = frame.nativeFrame();
                if (from + count < samples) {
                    long[] addresses = new long[planes];
                    for (int p = 0; p < planes; p++) {
                        addresses[p] = tensor.segment().address() + (p * samples + from) * step;
                    }
                    AvFrame.referSound(raw, count, sampleRateHz, channels, number, buffer, count * step, addresses);
                } else {
                    AvFrame.allocateSound(raw, count, channels, sampleRateHz, number);
                    for (int p = 0; p < planes; p++) {
                        MemorySegment.copy(
                                tensor.segment(),
                                (p * samples + from) * step,
                                AvFrame.soundPlane(raw, p, (long) count * step),
                                0,
                                (long) count * step);
                    }
                }
                frame.begin(StreamInfo.Kind.AUDIO, unit, firstSample + from);
                frames.take(frame);
            }
        });
    }

    /// Fills frames from a buffer over a tensor.
    private interface Filler {
        void fill(MemorySegment buffer, Frame frame, Frames into);
    }

    private static Frames frames(Tensor tensor, Filler filler) {
        Frames frames = new Frames();
        MemorySegment buffer = AvBuffer.of(tensor.segment(), tensor::close);
        try (Frame frame = Frame.create()) {
            filler.fill(buffer, frame, frames);
            return frames;
        } catch (Throwable failure) {
            frames.close();
            throw failure;
        } finally {
            AvBuffer.release(buffer);
        }
    }
}
