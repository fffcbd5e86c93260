package org.jspdl.media.internal.isolation;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspdl.media.frame.DecodeOptions;
import org.jspdl.media.stream.MediaLimits;
import org.jspdl.media.stream.Rational;
import org.jspdl.media.stream.TimeWindow;

/// How what specs of sound and video share is written for a helper, and read by it.
public final class SpecMessage {
    private SpecMessage() {}

    /// Writes a text.
    public static void write(String text, DataOutputStream out) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    /// Reads a text.
    public static String text(DataInputStream in) throws IOException {
        return new String(in.readNBytes(in.readInt()), StandardCharsets.UTF_8);
    }

    /// Writes a fraction.
    public static void write(Rational value, DataOutputStream out) throws IOException {
        out.writeLong(value.numerator());
        out.writeLong(value.denominator());
    }

    /// Reads a fraction.
    public static Rational rational(DataInputStream in) throws IOException {
        return Rational.of(in.readLong(), in.readLong());
    }

    /// Writes a window.
    public static void write(TimeWindow window, DataOutputStream out) throws IOException {
        write(window.start(), out);
        out.writeBoolean(window.end().isPresent());
        if (window.end().isPresent()) {
            write(window.end().get(), out);
        }
    }

    /// Reads a window.
    public static TimeWindow window(DataInputStream in) throws IOException {
        Rational start = rational(in);
        return new TimeWindow(start, in.readBoolean() ? Optional.of(rational(in)) : Optional.empty());
    }

    /// Writes how a stream is decoded.
    public static void write(DecodeOptions options, DataOutputStream out) throws IOException {
        write(options.decoder(), out);
        out.writeInt(options.threads());
        out.writeInt(options.options().size());
        for (Map.Entry<String, String> option : options.options().entrySet()) {
            write(option.getKey(), out);
            write(option.getValue(), out);
        }
        write(options.damage().name(), out);
        MediaLimits limits = options.limits();
        out.writeLong(limits.maxPixels());
        out.writeInt(limits.maxStreams());
        out.writeLong(limits.maxBytes());
        write(limits.maxDuration(), out);
        write(limits.deadline(), out);
    }

    /// Reads how a stream is decoded.
    public static DecodeOptions decoding(DataInputStream in) throws IOException {
        String decoder = text(in);
        int threads = in.readInt();
        Map<String, String> options = new HashMap<>();
        for (int left = in.readInt(); left > 0; left--) {
            options.put(text(in), text(in));
        }
        DecodeOptions.Damage damage = DecodeOptions.Damage.valueOf(text(in));
        long pixels = in.readLong();
        int streams = in.readInt();
        long bytes = in.readLong();
        MediaLimits limits = new MediaLimits(pixels, streams, duration(in), bytes, duration(in));
        return new DecodeOptions(decoder, threads, options, damage, limits);
    }

    private static void write(Optional<Duration> duration, DataOutputStream out) throws IOException {
        out.writeBoolean(duration.isPresent());
        if (duration.isPresent()) {
            out.writeLong(duration.get().toSeconds());
            out.writeInt(duration.get().toNanosPart());
        }
    }

    private static Optional<Duration> duration(DataInputStream in) throws IOException {
        return in.readBoolean() ? Optional.of(Duration.ofSeconds(in.readLong(), in.readInt())) : Optional.empty();
    }
}
