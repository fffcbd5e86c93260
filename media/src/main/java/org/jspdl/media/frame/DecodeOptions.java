package org.jspdl.media.frame;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspdl.media.stream.MediaLimits;

/// How a stream is decoded. Immutable.
///
/// @param decoder FFmpeg's name of the decoder, empty for the usual one of the codec
/// @param threads of the decoder's own; 1 by default, because a pipeline decodes several files at once; 0 for as many
///                as there are processors
/// @param options options of FFmpeg's decoder
/// @param damage  what becomes of packets that can't be decoded
/// @param limits  what the stream may ask for
public record DecodeOptions(
        String decoder, int threads, Map<String, String> options, Damage damage, MediaLimits limits) {
    private static final DecodeOptions STANDARD =
            new DecodeOptions("", 1, Map.of(), Damage.REFUSED, MediaLimits.standard());

    /// What becomes of packets that can't be decoded.
    public enum Damage {
        /// They are an error.
        REFUSED,
        /// They are skipped and counted.
        SKIPPED
    }

    /// Copies the options.
    public DecodeOptions {
        Objects.requireNonNull(decoder);
        Objects.requireNonNull(damage);
        Objects.requireNonNull(limits);
        if (threads < 0) {
            throw new IllegalArgumentException("threads must not be negative but were " + threads);
        }
        options = Map.copyOf(options);
    }

    /// The defaults.
    public static DecodeOptions standard() {
        return STANDARD;
    }

    /// These with a decoder of your choice.
    public DecodeOptions decoder(String name) {
        return new DecodeOptions(name, threads, options, damage, limits);
    }

    /// These with another number of threads.
    public DecodeOptions threads(int count) {
        return new DecodeOptions(decoder, count, options, damage, limits);
    }

    /// These with an option of FFmpeg's decoder.
    public DecodeOptions option(String name, String value) {
        Map<String, String> more = new HashMap<>(options);
        more.put(name, value);
        return new DecodeOptions(decoder, threads, more, damage, limits);
    }

    /// These, refusing or skipping damage.
    public DecodeOptions damage(Damage other) {
        return new DecodeOptions(decoder, threads, options, other, limits);
    }

    /// These with other limits.
    public DecodeOptions limits(MediaLimits other) {
        return new DecodeOptions(decoder, threads, options, damage, other);
    }
}
