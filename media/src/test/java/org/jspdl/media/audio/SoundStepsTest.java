package org.jspdl.media.audio;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.jspdl.media.frame.DecodeOptions;
import org.jspdl.media.image.Isolation;
import org.jspdl.media.internal.isolation.MediaIsolation;
import org.jspdl.media.stream.MediaSource;
import org.jspdl.media.stream.Rational;
import org.jspdl.media.stream.TestMedia;
import org.jspdl.media.stream.TimeWindow;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Tensor;
import org.jspdl.wav.SampleLayout;
import org.junit.jupiter.api.Test;

/// All that a spec asks for at once is what comes of it step by step: the whole sound as it is stored, cut to the
/// window here, written to a WAV file of the same samples, of which rate, channels and elements are converted, then cut
/// or filled up and laid out here. By a decoder that has decoded others, and by helpers that turn from spec to spec.
class SoundStepsTest {
    private static final int SPECS = Boolean.getBoolean("campaign") ? 2_000 : 120;
    private static final int SOUNDS_OF_A_SPEC = 3;
    private static final List<String> SOUNDS = List.of(
            "long-s16.wav",
            "long-s16.flac",
            "long-vbr.mp3",
            "long-opus.opus",
            "long.ogg",
            "long-alac.m4a",
            "a.m4a",
            "s24.flac",
            "mono.flac",
            "u8.wav",
            "f32.wav");

    private static final int[] RATES = {0, 8_000, 16_000, 22_050, 44_100, 48_000, 96_000};
    private static final ElementType[] ELEMENTS = {
        ElementType.FLOAT32, ElementType.FLOAT64, ElementType.INT32, ElementType.INT16, ElementType.UINT8
    };

    /// Decoders of floats that begin half a second before a window are off by this, and a rounding, at its
    /// beginning.
    private static final double CLOSE = 2e-6;

    /// One sound as it is stored.
    ///
    /// @param first   when the first sample is, in samples
    /// @param samples interleaved, as long as the file has them
    private record Stored(int rate, int channels, ElementType elements, long first, byte[] samples) {
        int frameBytes() {
            return channels * elements.byteSize();
        }

        int count() {
            return samples.length / frameBytes();
        }

        /// A WAV file of the samples from `from` to before `to`.
        byte[] wav(long from, long to) {
            int bytes = Math.toIntExact((to - from) * frameBytes());
            ByteBuffer wav = ByteBuffer.allocate(44 + bytes).order(ByteOrder.LITTLE_ENDIAN);
            wav.put("RIFF".getBytes(StandardCharsets.US_ASCII)).putInt(36 + bytes);
            wav.put("WAVEfmt ".getBytes(StandardCharsets.US_ASCII)).putInt(16);
            wav.putShort((short) (elements == ElementType.FLOAT32 ? 3 : 1)).putShort((short) channels);
            wav.putInt(rate).putInt(rate * frameBytes()).putShort((short) frameBytes());
            wav.putShort((short) (8 * elements.byteSize()));
            wav.put("data".getBytes(StandardCharsets.US_ASCII)).putInt(bytes);
            return wav.put(samples, Math.toIntExact(from * frameBytes()), bytes).array();
        }
    }

    private static Stored stored(String name) {
        ElementType elements = name.contains("s16") || name.contains("mono")
                ? ElementType.INT16
                : name.contains("s24") || name.contains("alac")
                        ? ElementType.INT32
                        : name.contains("u8") ? ElementType.UINT8 : ElementType.FLOAT32;
        AudioSpec spec = AudioSpec.original().elements(elements).layout(SampleLayout.INTERLEAVED);
        try (Tensor whole = Audio.load(TestMedia.file(name), spec)) {
            int rate = name.contains("opus") ? 48_000 : 44_100;
            int channels = (int) whole.shape().extent(1);
            long first = SoundWindowTest.firstSample(TestMedia.file(name), rate);
            return new Stored(rate, channels, elements, first, whole.segment().toArray(ValueLayout.JAVA_BYTE));
        }
    }

    private static TimeWindow window(Stored sound, SplittableRandom random) {
        if (random.nextInt(5) == 0) {
            return TimeWindow.all();
        }
        long from = random.nextLong(-sound.rate, 2L * sound.count());
        Rational start = Rational.of(from, 2L * sound.rate);
        return random.nextInt(4) == 0
                ? TimeWindow.from(start)
                : TimeWindow.of(start, start.plus(Rational.of(random.nextLong(1, sound.count()), 2L * sound.rate)));
    }

    private static AudioSpec spec(TimeWindow window, SplittableRandom random) {
        AudioSpec spec = AudioSpec.original()
                .window(window)
                .elements(ELEMENTS[random.nextInt(ELEMENTS.length)])
                .layout(SampleLayout.values()[random.nextInt(2)]);
        int rate = RATES[random.nextInt(RATES.length)];
        spec = rate == 0 ? spec : spec.sampleRateHz(rate);
        spec = random.nextBoolean() ? spec : spec.channels(random.nextInt(1, 7));
        spec = random.nextInt(3) > 0 ? spec : spec.samples(random.nextLong(1, 200_000));
        return random.nextInt(4) > 0
                ? spec
                : spec.decoding(DecodeOptions.standard().damage(DecodeOptions.Damage.SKIPPED));
    }

    @Test
    void allAtOnceIsOneStepAfterTheOther() {
        SplittableRandom random = new SplittableRandom(20261128);
        List<Stored> sounds = SOUNDS.stream().map(SoundStepsTest::stored).toList();
        List<String> wrong = new ArrayList<>();
        int compared = 0;
        try (MediaIsolation helpers = new MediaIsolation(Isolation.all(), "sound", AudioHelper::command);
                BufferPool pool = BufferPool.unbounded("sounds")) {
            for (int i = 0; i < SPECS; i++) {
                TimeWindow window = window(sounds.get(random.nextInt(sounds.size())), random);
                AudioSpec spec = spec(window, random);
                // not closed, which would end the helpers: it holds nothing else
                AudioDecoder isolated = AudioDecoder.create(spec, helpers);
                try (AudioDecoder used = AudioDecoder.create(spec, Isolation.none())) {
                    for (int j = 0; j < SOUNDS_OF_A_SPEC; j++) {
                        int which = random.nextInt(sounds.size());
                        String name = SOUNDS.get(which);
                        MediaSource source = MediaSource.of(TestMedia.file(name));
                        Stored sound = sounds.get(which);
                        byte[] expected = stepByStep(sound, spec, pool);
                        boolean isExact = sound.elements != ElementType.FLOAT32 || window.isAll();
                        String what =
                                name + " by " + spec + ", " + spec.decoding().damage();
                        if (expected.length == 0) {
                            continue;
                        }
                        compared++;
                        compare(what + ", used", used, source, pool, expected, isExact, wrong);
                        compare(what + ", helper", isolated, source, pool, expected, isExact, wrong);
                    }
                }
            }
        }
        assertThat(wrong).isEmpty();
        assertThat(compared).isGreaterThan(SPECS);
    }

    private static void compare(
            String what,
            AudioDecoder decoder,
            MediaSource source,
            BufferPool pool,
            byte[] expected,
            boolean isExact,
            List<String> wrong) {
        AudioSpec spec = decoder.spec();
        byte[] made;
        try (Tensor sound = decoder.decode(source, pool)) {
            made = sound.segment().toArray(ValueLayout.JAVA_BYTE);
        } catch (RuntimeException failure) {
            wrong.add(what + ": " + failure);
            return;
        }
        double difference = Arrays.equals(made, expected) ? 0 : largest(made, expected, spec.elements());
        if (difference > (isExact ? 0 : CLOSE + level(spec.elements()))) {
            wrong.add(what + ": " + made.length + " bytes, not " + expected.length + ", off by " + difference);
        }
        if (spec.channels() > 0 && spec.samples() > 0) {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment row = arena.allocate(expected.length).fill((byte) 0x5A);
                decoder.decodeInto(source, row);
                if (row.mismatch(MemorySegment.ofArray(made)) >= 0) {
                    wrong.add(what + ", as a row");
                }
            }
        }
    }

    /// What rounding may change.
    private static double level(ElementType elements) {
        return switch (elements) {
            case UINT8 -> 1 / 128.0;
            case INT16 -> 1 / 32_768.0;
            default -> 0;
        };
    }

    private static double largest(byte[] made, byte[] expected, ElementType elements) {
        if (made.length != expected.length) {
            return Double.POSITIVE_INFINITY;
        }
        MemorySegment ours = MemorySegment.ofArray(made);
        MemorySegment theirs = MemorySegment.ofArray(expected);
        return IntStream.range(0, made.length / elements.byteSize())
                .mapToDouble(i -> Math.abs(value(ours, i, elements) - value(theirs, i, elements)))
                .max()
                .orElse(0);
    }

    /// From -1 to 1.
    private static double value(MemorySegment samples, long at, ElementType elements) {
        return switch (elements) {
            case UINT8 -> ((samples.get(ValueLayout.JAVA_BYTE, at) & 0xFF) - 128) / 128.0;
            case INT16 -> samples.get(ValueLayout.JAVA_SHORT_UNALIGNED, 2 * at) / 32_768.0;
            case INT32 -> samples.get(ValueLayout.JAVA_INT_UNALIGNED, 4 * at) / 2_147_483_648.0;
            case FLOAT64 -> samples.get(ValueLayout.JAVA_DOUBLE_UNALIGNED, 8 * at);
            default -> samples.get(ValueLayout.JAVA_FLOAT_UNALIGNED, 4 * at);
        };
    }

    /// No bytes where the window has no sound.
    private static byte[] stepByStep(Stored sound, AudioSpec spec, BufferPool pool) {
        Rational rate = Rational.of(sound.rate);
        TimeWindow window = spec.window();
        long from = window.isAll() ? 0 : Math.clamp(window.start().times(rate).ceil() - sound.first, 0L, sound.count());
        long to = window.end()
                .map(end -> Math.clamp(end.times(rate).ceil() - sound.first, 0L, sound.count()))
                .orElse((long) sound.count());
        if (from >= to) {
            return new byte[0];
        }
        AudioSpec conversion = AudioSpec.original().elements(spec.elements());
        conversion = spec.sampleRateHz() == 0 ? conversion : conversion.sampleRateHz(spec.sampleRateHz());
        conversion = spec.channels() == 0 ? conversion : conversion.channels(spec.channels());
        try (AudioDecoder decoder = AudioDecoder.create(conversion, Isolation.none());
                Tensor planar = decoder.decode(MediaSource.of(sound.wav(from, to)), pool)) {
            return laidOut(planar, spec);
        }
    }

    private static byte[] laidOut(Tensor planar, AudioSpec spec) {
        int channels = (int) planar.shape().extent(0);
        long has = planar.shape().extent(1);
        int count = Math.toIntExact(spec.samples() == 0 ? has : spec.samples());
        int width = spec.elements().byteSize();
        byte[] made = new byte[count * channels * width];
        byte silence = (byte) (spec.elements() == ElementType.UINT8 ? 128 : 0);
        for (int c = 0; c < channels; c++) {
            for (int i = 0; i < count; i++) {
                int at = width * (spec.layout() == SampleLayout.PLANAR ? c * count + i : i * channels + c);
                for (int b = 0; b < width; b++) {
                    made[at + b] =
                            i < has ? planar.segment().get(ValueLayout.JAVA_BYTE, width * (c * has + i) + b) : silence;
                }
            }
        }
        return made;
    }
}
