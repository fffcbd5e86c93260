package org.jspdl.media.audio;

import java.util.Set;
import org.jspdl.media.stream.Rational;
import org.jspdl.media.stream.StreamInfo;

/// What the times of a stream's packets are worth: whether one of them, behind a seek, tells to the sample where the
/// sound goes on, or samples must be counted from the first.
enum PacketTimes {
    /// A seek may be followed: times are counted in samples, or finer.
    EXACT,
    /// Rounded, as the milliseconds of Matroska are, or wrong behind a seek, or of no use as packets depend on all
    /// before them: samples are counted from the first one, and times tell of gaps only.
    ROUNDED,
    /// Added up by FFmpeg from rounded lengths, so that they drift: the file has none.
    MADE_UP;

    /// Bare streams of codecs whose frames are no whole number of ticks long.
    private static final Set<String> BARE = Set.of("ac3", "eac3", "dts", "dtshd", "truehd", "mlp", "loas");

    /// Ogg counts samples, but only of these does FFmpeg know how long the packets of a page are.
    private static final Set<String> COUNTED_IN_OGG = Set.of("vorbis", "opus");

    /// Their decoders add noise, of which each packet gets what follows that of the packet before.
    private static final Set<String> DITHERED = Set.of("ac3", "eac3");

    /// Seeks go to a byte that is calculated from the rate of bytes, which only plain samples have.
    private static final Set<String> SOUGHT_BY_BYTES = Set.of("wav", "w64", "aiff", "au");

    /// What the times of `stream` in a container of FFmpeg's format `format` are worth.
    static PacketTimes of(String format, StreamInfo stream) {
        if (BARE.contains(format)) {
            return MADE_UP;
        }
        if (DITHERED.contains(stream.codec())
                || (format.equals("ogg") && !COUNTED_IN_OGG.contains(stream.codec()))
                || (SOUGHT_BY_BYTES.contains(format) && !stream.codec().startsWith("pcm_"))) {
            return ROUNDED;
        }
        // Each PES packet has its own time, at 90 kHz, which is rounded by less than half a sample.
        return format.equals("mpegts") || format.equals("mpeg") || isWholeTicks(stream) ? EXACT : ROUNDED;
    }

    /// Whether a sample is a whole number of ticks, or two are, as where a header tells half the rate.
    private static boolean isWholeTicks(StreamInfo stream) {
        return stream.sampleRate() > 0
                && Rational.of(2, stream.sampleRate())
                                .dividedBy(stream.timeBase())
                                .denominator()
                        == 1;
    }
}
