package org.jspdl.media.audio;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.LongFunction;
import org.jspdl.input.FormatException;
import org.jspdl.media.frame.DecodeOptions;
import org.jspdl.media.internal.ffmpeg.AvFrame;
import org.jspdl.media.internal.flac.FlacDecoder;
import org.jspdl.media.internal.flac.FlacHeader;
import org.jspdl.media.internal.lifetime.ContextPool;
import org.jspdl.media.stream.Deadline;
import org.jspdl.media.stream.MediaSource;
import org.jspdl.media.stream.Rational;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Lease;
import org.jspdl.wav.SampleLayout;
import org.jspdl.wav.Wav;
import org.jspecify.annotations.Nullable;

/// The short way for sound that needs neither container nor resampling: WAV by our own parser, FLAC by libFLAC, MP3 by
/// FFmpeg's decoder without its demuxer.
///
/// It gives the samples that FFmpeg gives, or nothing: whatever is unusual or damaged is left to FFmpeg, which then
/// says what is wrong. One call at a time.
final class FastAudioPath implements ContextPool.Context {
    /// As many bytes tell what a file is.
    static final int SHORTEST = 12;

    /// Of larger files, not all is read where only the first samples are wanted.
    private static final long MOST_LOOKED_THROUGH = 1 << 20;

    /// Where a WAV file says that it is one, which is looked at before it is parsed: others are no exception.
    private static final long FORM_AT = 8;

    private static final int WAVE = 0x57415645;
    private static final ValueLayout.OfInt BIG_ENDIAN_INT =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private final AudioSpec spec;
    private float[] block = new float[0];
    private @Nullable FlacDecoder flac;
    private @Nullable Mp3Decoder mp3;

    /// Makes the buffer when rate, channels and length are known.
    interface Buffers {
        SampleBuffer make(int channels, long samples);
    }

    FastAudioPath(AudioSpec spec) {
        this.spec = spec;
    }

    /// Whether there is a short way to what `spec` wants, for some files.
    static boolean isFor(AudioSpec spec) {
        DecodeOptions decoding = spec.decoding();
        return spec.elements() == ElementType.FLOAT32
                && decoding.decoder().isEmpty()
                && decoding.options().isEmpty()
                && decoding.damage() == DecodeOptions.Damage.REFUSED;
    }

    /// The memory to begin with: what is wanted of a sound of this length.
    static SampleBuffer buffer(
            AudioSpec spec, MediaSource source, int channels, long samples, LongFunction<Lease> leases) {
        return new SampleBuffer(spec, reason -> source.failure(reason), channels, samples, leases);
    }

    static SampleBuffer buffer(AudioSpec spec, MediaSource source, MemorySegment row) {
        return new SampleBuffer(spec, reason -> source.failure(reason), spec.channels(), row);
    }

    /// The samples of a WAV file, in a buffer that the caller closes; empty for other files, and where FFmpeg has
    /// to read it. No native code sees the file.
    Optional<SampleBuffer> readWav(MemorySegment file, Buffers buffers) {
        return isWav(file) ? wav(file, buffers) : Optional.empty();
    }

    /// Whether a file may be a WAV file.
    ///
    /// @param beginning at least [#SHORTEST] bytes of it, or all
    static boolean isWav(MemorySegment beginning) {
        return beginning.byteSize() >= SHORTEST && beginning.get(BIG_ENDIAN_INT, FORM_AT) == WAVE;
    }

    /// The samples of a FLAC or MP3 file, in a buffer that the caller closes; empty for other files, and where
    /// FFmpeg has to read it.
    Optional<SampleBuffer> readCoded(String name, MemorySegment file, Buffers buffers) {
        if (file.byteSize() < SHORTEST) {
            return Optional.empty();
        }
        Deadline deadline = Deadline.startingNow(name, spec.decoding().limits().deadline());
        Optional<FlacHeader> header = FlacHeader.of(file);
        if (header.isPresent()) {
            return FlacDecoder.isAvailable() ? flac(file, header.get(), buffers, deadline) : Optional.empty();
        }
        Optional<Mp3File> frames = isWanted(file) ? Mp3File.of(file) : Optional.empty();
        return frames.isPresent() ? mp3(file, frames.get(), buffers, deadline) : Optional.empty();
    }

    /// Whether all of an MP3 file is wanted, or it is small: its frames are found one after the other, to the last.
    private boolean isWanted(MemorySegment file) {
        return spec.window().isAll() && (spec.samples() == 0 || file.byteSize() <= MOST_LOOKED_THROUGH);
    }

    /// Whole sounds only: FFmpeg seeks for windows, and what it decodes behind a seek is not always the same.
    private Optional<SampleBuffer> mp3(MemorySegment file, Mp3File frames, Buffers buffers, Deadline deadline) {
        boolean arranged = spec.layout() == SampleLayout.PLANAR || frames.channels() == 1;
        long all = (long) frames.frames() * frames.frameSamples();
        if (!arranged || !fits(frames.sampleRateHz(), frames.channels(), all)) {
            return Optional.empty();
        }
        Mp3Decoder decoder = mp3 == null ? new Mp3Decoder() : mp3;
        mp3 = decoder;
        SampleBuffer samples = buffers.make(frames.channels(), frames.samples());
        boolean complete = false;
        try {
            boolean undamaged = decoder.decode(file, frames, (frame, from, count) -> {
                deadline.check();
                int n = samples.room((int) Math.min(count, frames.samples() - samples.count()));
                for (int p = 0; p < frames.channels(); p++) {
                    samples.copy(AvFrame.soundPlane(frame, p, (from + n) * (long) Float.BYTES), from, n, p);
                }
                samples.advance(n);
                return samples.count() < frames.samples() && !samples.isFull();
            });
            complete = undamaged && (samples.count() == frames.samples() || samples.isFull());
            return complete ? Optional.of(samples) : Optional.empty();
        } finally {
            if (!complete) {
                samples.close();
            }
        }
    }

    private boolean fits(int rate, int channels, long samples) {
        return (spec.sampleRateHz() == 0 || spec.sampleRateHz() == rate)
                && (spec.channels() == 0 || spec.channels() == channels)
                && spec.decoding()
                        .limits()
                        .maxDuration()
                        .map(limit -> Rational.of(samples, rate).compareTo(Rational.of(limit)) <= 0)
                        .orElse(true);
    }

    private long first(int rate) {
        return Math.max(0, spec.window().firstTick(Rational.of(1, rate)));
    }

    private long end(int rate, long samples) {
        return Math.min(samples, spec.window().endTick(Rational.of(1, rate)));
    }

    private Optional<SampleBuffer> wav(MemorySegment file, Buffers buffers) {
        Wav wav;
        try {
            wav = Wav.parse(file);
        } catch (FormatException otherOrDamaged) {
            return Optional.empty();
        }
        int rate = wav.format().sampleRateHz();
        int channels = wav.format().channels();
        long from = first(rate);
        long count = end(rate, wav.frames()) - from;
        if (count <= 0 || !fits(rate, channels, wav.frames())) {
            return Optional.empty();
        }
        long wanted = spec.samples() == 0 ? count : Math.min(count, spec.samples());
        SampleBuffer samples = buffers.make(channels, wanted);
        try {
            samples.put(wav.slice(from, wanted));
            return Optional.of(samples);
        } catch (Throwable failure) {
            samples.close();
            throw failure;
        }
    }

    private Optional<SampleBuffer> flac(MemorySegment file, FlacHeader header, Buffers buffers, Deadline deadline) {
        int rate = header.sampleRateHz();
        long from = first(rate);
        long end = end(rate, header.samples());
        if (end <= from || !fits(rate, header.channels(), header.samples())) {
            return Optional.empty();
        }
        FlacDecoder decoder = flac == null ? FlacDecoder.create() : flac;
        flac = decoder;
        float scale = Math.scalb(1f, 1 - header.bits());
        SampleBuffer samples = buffers.make(header.channels(), end - from);
        boolean complete = false;
        try {
            boolean last = end == header.samples() && spec.samples() == 0;
            boolean undamaged = decoder.decode(file, header, from, last, (channels, count) -> {
                deadline.check();
                add(channels, (int) Math.min(count, end - from - samples.count()), header.channels(), scale, samples);
                return samples.count() < end - from && !samples.isFull();
            });
            complete = undamaged && (samples.count() == end - from || samples.isFull());
            return complete ? Optional.of(samples) : Optional.empty();
        } finally {
            if (!complete) {
                samples.close();
            }
        }
    }

    private void add(int[][] channels, int offered, int count, float scale, SampleBuffer into) {
        int n = into.room(offered);
        boolean planar = into.planes() == count;
        int length = planar ? n : n * count;
        block = block.length < length ? Arrays.copyOf(block, length) : block;
        for (int c = 0; c < count; c++) {
            scale(channels[c], n, scale, planar ? 0 : c, planar ? 1 : count);
            if (planar) {
                into.put(block, n, c);
            }
        }
        if (!planar) {
            into.put(block, length, 0);
        }
        into.advance(n);
    }

    private void scale(int[] values, int count, float scale, int at, int stride) {
        if (stride == 1) {
            for (int i = 0; i < count; i++) {
                block[i] = values[i] * scale;
            }
            return;
        }
        for (int i = 0, to = at; i < count; i++, to += stride) {
            block[to] = values[i] * scale;
        }
    }

    @Override
    public void close() {
        if (flac != null) {
            flac.close();
        }
        if (mp3 != null) {
            mp3.close();
        }
    }
}
