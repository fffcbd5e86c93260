package org.jspdl.media.audio;

import java.util.Objects;
import org.jspdl.media.frame.DecodeOptions;
import org.jspdl.media.stream.TimeWindow;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Shape;
import org.jspdl.wav.SampleLayout;

/// How audio is decoded: sample rate, channels, element type, layout, and which part. Immutable.
///
/// By default the file's rate and channels, as floats from -1 to 1, `[C, N]`.
public final class AudioSpec {
    private static final AudioSpec ORIGINAL = new AudioSpec(
            0, 0, ElementType.FLOAT32, SampleLayout.PLANAR, TimeWindow.all(), 0, DecodeOptions.standard());

    private final int sampleRateHz;
    private final int channels;
    private final ElementType type;
    private final SampleLayout layout;
    private final TimeWindow window;
    private final long samples;
    private final DecodeOptions decoding;

    private AudioSpec(
            int sampleRateHz,
            int channels,
            ElementType type,
            SampleLayout layout,
            TimeWindow window,
            long samples,
            DecodeOptions decoding) {
        this.sampleRateHz = sampleRateHz;
        this.channels = channels;
        this.type = type;
        this.layout = layout;
        this.window = window;
        this.samples = samples;
        this.decoding = decoding;
    }

    /// The file's rate and channels, as floats from -1 to 1, `[C, N]`.
    public static AudioSpec original() {
        return ORIGINAL;
    }

    /// This, resampled to a rate.
    public AudioSpec sampleRateHz(int rate) {
        return new AudioSpec(atLeastOne("sampleRateHz", rate), channels, type, layout, window, samples, decoding);
    }

    /// This, mixed to a number of channels.
    public AudioSpec channels(int count) {
        return new AudioSpec(sampleRateHz, atLeastOne("channels", count), type, layout, window, samples, decoding);
    }

    /// This with other elements: `FLOAT32` or `FLOAT64` from -1 to 1, `INT32`, `INT16` or `UINT8` over their whole
    /// range.
    public AudioSpec elements(ElementType other) {
        if (SampleType.of(other) == null) {
            throw new IllegalArgumentException(
                    "sound is decoded to FLOAT32, FLOAT64, INT32, INT16 or UINT8, not " + other);
        }
        return new AudioSpec(sampleRateHz, channels, other, layout, window, samples, decoding);
    }

    /// This in another layout.
    public AudioSpec layout(SampleLayout other) {
        return new AudioSpec(sampleRateHz, channels, type, Objects.requireNonNull(other), window, samples, decoding);
    }

    /// This, with only the samples of a span of time, to the sample.
    public AudioSpec window(TimeWindow other) {
        return new AudioSpec(sampleRateHz, channels, type, layout, Objects.requireNonNull(other), samples, decoding);
    }

    /// This with exactly `count` samples of each channel: later ones are cut off, missing ones are silence.
    public AudioSpec samples(long count) {
        if (count < 1) {
            throw new IllegalArgumentException("samples must be at least 1 but were " + count);
        }
        return new AudioSpec(sampleRateHz, channels, type, layout, window, count, decoding);
    }

    /// This, decoded in another way or within other limits.
    public AudioSpec decoding(DecodeOptions options) {
        return new AudioSpec(sampleRateHz, channels, type, layout, window, samples, Objects.requireNonNull(options));
    }

    private static int atLeastOne(String name, int value) {
        if (value < 1) {
            throw new IllegalArgumentException(name + " must be at least 1 but was " + value);
        }
        return value;
    }

    /// Samples a second, 0 for the file's.
    public int sampleRateHz() {
        return sampleRateHz;
    }

    /// Channels, 0 for the file's.
    public int channels() {
        return channels;
    }

    /// The elements' type.
    public ElementType elements() {
        return type;
    }

    /// How the channels lie.
    public SampleLayout layout() {
        return layout;
    }

    /// The span of time.
    public TimeWindow window() {
        return window;
    }

    /// The exact number of samples of each channel, 0 for as many as there are.
    public long samples() {
        return samples;
    }

    /// How it is decoded.
    public DecodeOptions decoding() {
        return decoding;
    }

    /// The shape of one sound of a fixed length.
    ///
    /// @throws IllegalStateException if length or channels depend on the file
    public Shape rowShape() {
        if (samples == 0 || channels == 0) {
            throw new IllegalStateException("the size of " + this + " depends on the file; give samples and channels");
        }
        return shape(samples, channels);
    }

    Shape shape(long count, int channelCount) {
        return layout == SampleLayout.PLANAR ? Shape.of(channelCount, count) : Shape.of(count, channelCount);
    }

    @Override
    public String toString() {
        return "AudioSpec[" + (sampleRateHz == 0 ? "any rate" : sampleRateHz + " Hz") + ", "
                + (channels == 0 ? "any channels" : channels + " channels") + ", " + type + ", " + layout + ", "
                + window + (samples == 0 ? "" : ", " + samples + " samples") + "]";
    }
}
