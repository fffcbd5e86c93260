package org.jspdl.wav;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.time.Duration;
import org.jspdl.array.ArrayView;
import org.jspdl.array.MemoryOrder;
import org.jspdl.input.FormatException;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Shape;
import org.jspdl.memory.Tensor;

/// The recording in a WAV file: its format, and its samples where they lie.
///
/// Integers of 8, 16, 24 and 32 bits, floats of 32 and 64, extensible formats, RF64 and BW64. A recording borrows its
/// bytes, copies nothing, and is safe for any thread. [#window] makes parts of it.
public final class Wav {
    private static final long NANOS = 1_000_000_000L;

    private final WavFormat format;
    private final MemorySegment samples;
    private final long frames;

    Wav(WavFormat format, MemorySegment samples, long frames) {
        this.format = format;
        this.samples = samples;
        this.frames = frames;
    }

    /// The recording in `file`, which is the content of a WAV file.
    ///
    /// Chunks of other kinds are passed, also those of odd sizes. Samples of an incomplete last frame are dropped.
    /// A size that a writer left open, as when writing to a pipe, means up to the end.
    ///
    /// @throws FormatException if it is no WAV file, truncated, or of an encoding not supported
    public static Wav parse(MemorySegment file) {
        return WavParser.parse(file);
    }

    /// How the samples are written.
    public WavFormat format() {
        return format;
    }

    /// How many moments were sampled.
    public long frames() {
        return frames;
    }

    /// How long the recording is, rounded down to a nanosecond.
    public Duration duration() {
        long rate = format.sampleRateHz();
        return Duration.ofSeconds(frames / rate, frames % rate * NANOS / rate);
    }

    /// Frames `from` to `from + count`.
    ///
    /// @throws IndexOutOfBoundsException if the recording does not have them
    public Wav slice(long from, long count) {
        if (from < 0 || count < 0 || from > frames - count) {
            throw new IndexOutOfBoundsException(
                    "frames " + from + " to " + from + " + " + count + " of a recording of " + frames);
        }
        int bytes = format.frameBytes();
        return new Wav(format, samples.asSlice(from * bytes, count * bytes), count);
    }

    /// The frames at or after `from` and before `from + length`, as many of them as there are.
    ///
    /// Exact: frame n is at n / rate seconds.
    ///
    /// @throws IllegalArgumentException if either is negative, or `from` lies behind the end
    public Wav window(Duration from, Duration length) {
        if (from.isNegative() || length.isNegative()) {
            throw new IllegalArgumentException("a window of " + length + " from " + from + " on is negative");
        }
        long first = frameAt(from);
        if (first > frames) {
            throw new IllegalArgumentException(
                    "the window begins at " + from + ", the recording ends at " + duration());
        }
        long last = Math.min(frames, frameAt(from.plus(length)));
        return slice(first, last - first);
    }

    /// The first frame at or after a moment.
    private long frameAt(Duration moment) {
        long rate = format.sampleRateHz();
        long seconds = moment.getSeconds();
        if (seconds > Long.MAX_VALUE / rate - 1) {
            return Long.MAX_VALUE;
        }
        return seconds * rate + Math.ceilDiv(moment.getNano() * rate, NANOS);
    }

    /// The samples where they lie, [frames, channels], as they are written.
    ///
    /// @throws IllegalStateException if they take three bytes, which no element does: convert them
    public ArrayView samples() {
        if (!format.isElement()) {
            throw new IllegalStateException("samples of 24 bits can't be viewed as elements; use toFloat or toInt");
        }
        return ArrayView.of(
                format.elementType(),
                Shape.of(frames, format.channels()),
                samples,
                ByteOrder.LITTLE_ENDIAN,
                MemoryOrder.ROW_MAJOR);
    }

    /// The bytes of all samples as they lie in the file.
    public MemorySegment bytes() {
        return samples;
    }

    /// Converts the samples to `FLOAT32` at the start of `target`, full scale being -1 to 1.
    ///
    /// An integer is divided by the power of two that is its full scale: 32,768 for 16 bits.
    ///
    /// @throws IndexOutOfBoundsException if it has less than `4 * frames * channels` bytes
    public void toFloat(MemorySegment target, SampleLayout layout) {
        toFloat(target, layout, frames);
    }

    /// The same, with `planeFrames` frames of room in each plane, at least those of this recording.
    ///
    /// @throws IndexOutOfBoundsException if the last plane does not fit into `target`
    public void toFloat(MemorySegment target, SampleLayout layout, long planeFrames) {
        SampleConversion.toFloat(samples, format, frames, target, layout, planeFrames);
    }

    /// The samples as a tensor of `FLOAT32` in memory from `pool`, owned by the caller: [frames, channels], or
    /// [channels, frames] if planar.
    public Tensor toFloat(BufferPool pool, SampleLayout layout) {
        Shape shape = layout == SampleLayout.INTERLEAVED
                ? Shape.of(frames, format.channels())
                : Shape.of(format.channels(), frames);
        Tensor tensor = Tensor.allocate(ElementType.FLOAT32, shape, pool);
        try {
            toFloat(tensor.segment(), layout);
            return tensor;
        } catch (RuntimeException | Error failure) {
            tensor.close();
            throw failure;
        }
    }

    /// Copies integer samples to `INT32` at the start of `target`, [frames, channels], with full scale that of 32
    /// bits.
    ///
    /// @throws IllegalStateException if the samples are floating-point numbers
    /// @throws IndexOutOfBoundsException if it has less than `4 * frames * channels` bytes
    public void toInt(MemorySegment target) {
        if (format.encoding() != WavFormat.Encoding.INTEGER) {
            throw new IllegalStateException("the samples are floating-point numbers; use toFloat");
        }
        SampleConversion.toInt(samples, format, frames, target);
    }

    @Override
    public String toString() {
        return "Wav[" + format + ", " + duration() + "]";
    }
}
