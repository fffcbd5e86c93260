package org.jspdl.media.stream;

import java.lang.foreign.MemorySegment;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspdl.input.MediaException;
import org.jspdl.media.internal.ffmpeg.AvNames;
import org.jspdl.media.internal.ffmpeg.AvPacket;
import org.jspdl.media.internal.ffmpeg.AvParameters;
import org.jspdl.media.internal.ffmpeg.AvStream;

/// What a container says of one of its streams, and what a decoder must know of it. Immutable; stays valid when the
/// container is closed.
public final class StreamInfo {
    private static final int DEFAULT = 1;
    private static final int ATTACHED_PICTURE = 1 << 10;

    /// What a stream carries.
    public enum Kind {
        /// Pictures.
        VIDEO,
        /// Sound.
        AUDIO,
        /// Subtitles, data, attachments.
        OTHER
    }

    private final String source;
    private final int index;
    private final Rational timeBase;
    private final AvParameters parameters;
    private final Times times;
    private final Traits traits;

    /// When a stream begins and how long it is, in ticks of its time base.
    record Times(long start, long duration, long frames) {
        static final Times UNKNOWN = new Times(AvPacket.NO_TIME, AvPacket.NO_TIME, 0);
    }

    /// What the container adds to the codec's parameters.
    record Traits(
            Optional<Rational> frameRate,
            Optional<Rational> pixelAspect,
            AvStream.Display display,
            int disposition,
            Map<String, String> metadata) {
        static final Traits NONE =
                new Traits(Optional.empty(), Optional.empty(), AvStream.Display.UPRIGHT, 0, Map.of());
    }

    StreamInfo(String source, int index, Rational timeBase, AvParameters parameters, Times times, Traits traits) {
        this.source = source;
        this.index = index;
        this.timeBase = timeBase;
        this.parameters = parameters;
        this.times = times;
        this.traits = traits;
    }

    /// What an encoder makes, for the packages of this module.
    @SuppressWarnings("exports") // for the decoders and encoders of this module
    public static StreamInfo ofEncoder(String name, Rational timeBase, AvParameters parameters) {
        return new StreamInfo(name, 0, timeBase, parameters, Times.UNKNOWN, Traits.NONE);
    }

    /// A copy of what an `AVStream` says.
    static StreamInfo of(String source, int index, MemorySegment stream) {
        int denominator = AvStream.timeBaseDenominator(stream);
        Rational timeBase = denominator <= 0 || AvStream.timeBaseNumerator(stream) <= 0
                ? Rational.of(1, 1000)
                : Rational.of(AvStream.timeBaseNumerator(stream), denominator);
        return new StreamInfo(
                source,
                index,
                timeBase,
                AvStream.parameters(stream),
                new Times(AvStream.start(stream), AvStream.duration(stream), AvStream.frames(stream)),
                new Traits(
                        positive(AvStream.frameRate(stream)),
                        positive(AvStream.aspect(stream)),
                        AvStream.display(stream),
                        AvStream.disposition(stream),
                        Map.copyOf(AvStream.metadata(stream))));
    }

    private static Optional<Rational> positive(int[] fraction) {
        return fraction[0] > 0 && fraction[1] > 0
                ? Optional.of(Rational.of(fraction[0], fraction[1]))
                : Optional.empty();
    }

    /// The name of the source.
    public String source() {
        return source;
    }

    /// The number of the stream in its container, from 0.
    public int index() {
        return index;
    }

    /// What the stream carries.
    public Kind kind() {
        return switch (parameters.type()) {
            case 0 -> Kind.VIDEO;
            case 1 -> Kind.AUDIO;
            default -> Kind.OTHER;
        };
    }

    /// FFmpeg's name of the codec, such as `h264`.
    public String codec() {
        return AvNames.codec(parameters.codec());
    }

    /// The codec's profile, such as `High`; empty if it has none.
    public String profile() {
        return AvNames.profile(parameters.codec(), parameters.profile());
    }

    /// The unit of timestamps, in seconds.
    public Rational timeBase() {
        return timeBase;
    }

    /// When the stream begins, in seconds.
    public Optional<Rational> start() {
        return time(times.start);
    }

    /// How long the stream is, in seconds.
    public Optional<Rational> duration() {
        return time(times.duration);
    }

    /// How many frames the header says there are; 0 if it does not.
    public long frames() {
        return times.frames;
    }

    /// Bits a second, 0 if unknown.
    public long bitRate() {
        return parameters.bitRate();
    }

    /// Pixels in a row as they are stored, 0 for sound.
    public int width() {
        return parameters.width();
    }

    /// Rows as they are stored, 0 for sound.
    public int height() {
        return parameters.height();
    }

    /// How far pictures must be turned clockwise to be seen upright: 0, 90, 180 or 270 degrees, whichever is
    /// nearest.
    public int rotation() {
        return traits.display.rotation();
    }

    /// Whether left and right of pictures must be exchanged, after they were turned, to be seen as they are meant.
    public boolean isMirrored() {
        return traits.display.mirrored();
    }

    /// Mean frames a second.
    public Optional<Rational> frameRate() {
        return traits.frameRate;
    }

    /// The width of a pixel by its height.
    public Optional<Rational> pixelAspect() {
        return traits.pixelAspect;
    }

    /// The pixel or sample format, such as `yuv420p` or `fltp`; empty if the container does not tell.
    public String format() {
        return switch (kind()) {
            case VIDEO -> AvNames.pixelFormat(parameters.format());
            case AUDIO -> AvNames.sampleFormat(parameters.format());
            case OTHER -> "";
        };
    }

    /// Samples a second, 0 if unknown or no sound.
    public int sampleRate() {
        return parameters.sampleRate();
    }

    /// Channels, 0 if unknown or no sound.
    public int channels() {
        return parameters.channels();
    }

    /// The channels in words, such as `stereo`; empty if unknown or no sound.
    public String channelLayout() {
        return channels() == 0 ? "" : parameters.channelLayout();
    }

    /// Whether players choose this stream among those of its kind.
    public boolean isDefault() {
        return (traits.disposition & DEFAULT) != 0;
    }

    /// Whether the stream is one picture that belongs to the file, such as a cover.
    public boolean isAttachedPicture() {
        return (traits.disposition & ATTACHED_PICTURE) != 0;
    }

    /// What the container says about the stream: language, title, encoder.
    public Map<String, String> metadata() {
        return traits.metadata;
    }

    /// What a decoder must know, for the packages of this module.
    @SuppressWarnings("exports") // for the decoders and encoders of this module
    public AvParameters parameters() {
        return parameters;
    }

    Times times() {
        return times;
    }

    /// This stream with other parameters and time base.
    StreamInfo with(Rational newTimeBase, AvParameters newParameters) {
        return new StreamInfo(source, index, newTimeBase, newParameters, Times.UNKNOWN, traits);
    }

    /// The time of `ticks` ticks in seconds, if there is one.
    Optional<Rational> time(long ticks) {
        if (ticks == AvPacket.NO_TIME) {
            return Optional.empty();
        }
        try {
            return Optional.of(Rational.of(ticks).times(timeBase));
        } catch (ArithmeticException absurd) {
            return Optional.empty();
        }
    }

    /// `stream 0 (h264)`.
    String describe() {
        return "stream " + index + " (" + codec() + ")";
    }

    /// An exception that says what is wrong with this stream.
    public MediaException failure(String reason) {
        return MediaException.at(source, describe(), reason);
    }

    /// The same, at a time of the stream in ticks, if that is known.
    public MediaException failureAt(long ticks, String reason) {
        String when = time(ticks)
                .map(at -> String.format(Locale.ROOT, " at %.3f s", at.toDouble()))
                .orElse("");
        return MediaException.at(source, describe() + when, reason);
    }

    @Override
    public String toString() {
        return source + ", " + describe();
    }
}
