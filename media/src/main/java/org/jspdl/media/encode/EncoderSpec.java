package org.jspdl.media.encode;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspdl.media.stream.Rational;
import org.jspdl.media.stream.StreamInfo;

/// Settings of an encoder. Immutable.
///
/// @param encoder    FFmpeg's name of the encoder, such as `libopenh264`, `mjpeg`, `flac`, `pcm_s16le`, `aac`,
///     `libopus`
/// @param kind       pictures or sound
/// @param width      pixels in a row, of pictures
/// @param height     rows, of pictures
/// @param frameRate  frames a second, of pictures
/// @param sampleRate samples a second, of sound
/// @param channels   of sound
/// @param format     the pixel or sample format that the encoder takes; frames are converted to it
/// @param bitRate    bits a second, 0 for the encoder's default
/// @param options    options of FFmpeg's encoder
public record EncoderSpec(
        String encoder,
        StreamInfo.Kind kind,
        int width,
        int height,
        Rational frameRate,
        int sampleRate,
        int channels,
        String format,
        long bitRate,
        Map<String, String> options) {
    /// Copies the options.
    public EncoderSpec {
        Objects.requireNonNull(encoder);
        Objects.requireNonNull(format);
        options = Map.copyOf(options);
    }

    /// Pictures of one size at a steady rate, as `yuv420p`.
    public static EncoderSpec video(String encoder, int width, int height, Rational frameRate) {
        if (width < 1 || height < 1 || frameRate.compareTo(Rational.ZERO) <= 0) {
            throw new IllegalArgumentException(
                    "can't encode " + width + " x " + height + " pixels at " + frameRate + " frames/s");
        }
        String format = encoder.equals("mjpeg") ? "yuvj420p" : "yuv420p";
        return new EncoderSpec(encoder, StreamInfo.Kind.VIDEO, width, height, frameRate, 0, 0, format, 0, Map.of());
    }

    /// Sound, in the sample format that the usual encoders take.
    public static EncoderSpec audio(String encoder, int sampleRate, int channels) {
        if (sampleRate < 1 || channels < 1) {
            throw new IllegalArgumentException("can't encode " + channels + " channels at " + sampleRate + " Hz");
        }
        String format = switch (encoder) {
            case "aac", "libmp3lame", "vorbis" -> "fltp";
            case "libopus", "pcm_f32le" -> "flt";
            case "pcm_s32le", "pcm_s24le" -> "s32";
            default -> "s16";
        };
        return new EncoderSpec(
                encoder, StreamInfo.Kind.AUDIO, 0, 0, Rational.ONE, sampleRate, channels, format, 0, Map.of());
    }

    /// This with another format.
    public EncoderSpec format(String name) {
        return new EncoderSpec(encoder, kind, width, height, frameRate, sampleRate, channels, name, bitRate, options);
    }

    /// This with a bit rate.
    public EncoderSpec bitRate(long bitsPerSecond) {
        return new EncoderSpec(
                encoder, kind, width, height, frameRate, sampleRate, channels, format, bitsPerSecond, options);
    }

    /// This with an option of FFmpeg's encoder.
    public EncoderSpec option(String name, String value) {
        Map<String, String> more = new HashMap<>(options);
        more.put(name, value);
        return new EncoderSpec(encoder, kind, width, height, frameRate, sampleRate, channels, format, bitRate, more);
    }

    Rational timeBase() {
        return kind == StreamInfo.Kind.VIDEO ? frameRate.inverse() : Rational.of(1, sampleRate);
    }
}
