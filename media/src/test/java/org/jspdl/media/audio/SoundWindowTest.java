package org.jspdl.media.audio;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspdl.input.MediaException;
import org.jspdl.media.frame.Decoder;
import org.jspdl.media.frame.Frames;
import org.jspdl.media.stream.Demuxer;
import org.jspdl.media.stream.MediaSource;
import org.jspdl.media.stream.Packets;
import org.jspdl.media.stream.Rational;
import org.jspdl.media.stream.StreamInfo;
import org.jspdl.media.stream.TestMedia;
import org.jspdl.media.stream.TimeWindow;
import org.jspdl.memory.Tensor;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// A window of a sound is that part of the whole sound, to the sample: at its start, at its end, beyond both, on the
/// borders of packets and between them.
class SoundWindowTest {
    private static final boolean CAMPAIGN = Boolean.getBoolean("campaign");

    static List<String> sounds() {
        return TestMedia.longSounds();
    }

    @ParameterizedTest
    @MethodSource("sounds")
    void aWindowIsThatPartOfTheWhole(String name) {
        Path file = TestMedia.file(name);
        List<String> wrong = new ArrayList<>();
        try (Tensor whole = Audio.load(file)) {
            long count = whole.shape().extent(1);
            int rate = rate(name);
            long first = firstSample(file, rate);
            for (TimeWindow window : windows(rate, first, count, new SplittableRandom(3))) {
                long from = clamp(window.start(), rate, first, count);
                long to =
                        window.end().map(end -> clamp(end, rate, first, count)).orElse(count);
                AudioSpec spec = AudioSpec.original().window(window);
                if (from >= to) {
                    String refusal = refusal(file, spec);
                    if (!refusal.contains("there is no sound in " + window)) {
                        wrong.add(window + " = nothing of " + count + ": " + refusal);
                    }
                    continue;
                }
                try (Tensor part = Audio.load(file, spec)) {
                    String how = difference(whole, part, from, to);
                    if (!how.isEmpty()) {
                        wrong.add(window + " = samples " + from + " to " + to + " of " + count + how);
                    }
                } catch (MediaException refused) {
                    wrong.add(
                            window + " = samples " + from + " to " + to + " of " + count + ": " + refused.getMessage());
                }
            }
        }
        assertThat(wrong).as(name).isEmpty();
    }

    private static String refusal(Path file, AudioSpec spec) {
        try (Tensor part = Audio.load(file, spec)) {
            return "has " + part.shape().extent(1);
        } catch (MediaException refused) {
            return String.valueOf(refused.getMessage());
        }
    }

    private static String difference(Tensor whole, Tensor part, long from, long to) {
        long has = part.shape().extent(1);
        if (has != to - from) {
            return ": has " + has;
        }
        long count = whole.shape().extent(1);
        for (int c = 0; c < whole.shape().extent(0); c++) {
            MemorySegment expected = whole.segment().asSlice(4 * (c * count + from), 4 * has);
            MemorySegment ours = part.segment().asSlice(4L * c * has, 4 * has);
            for (long i = 0; i < has; i++) {
                float a = ours.getAtIndex(ValueLayout.JAVA_FLOAT, i);
                float b = expected.getAtIndex(ValueLayout.JAVA_FLOAT, i);
                if (Math.abs(a - b) > 1e-6) {
                    return ": sample " + i + " of channel " + c + " is " + a + ", not " + b;
                }
            }
        }
        return "";
    }

    private static long clamp(Rational time, int rate, long first, long count) {
        return Math.clamp(time.times(Rational.of(rate)).ceil() - first, 0L, count);
    }

    private static Set<TimeWindow> windows(int rate, long first, long count, SplittableRandom random) {
        Set<TimeWindow> windows = new LinkedHashSet<>();
        long[] borders = {
            -rate,
            0,
            1,
            1023,
            1024,
            1025,
            1152,
            4096,
            4607,
            4608,
            8 * 1024,
            count / 2,
            count - rate,
            count - 1025,
            count - 1024,
            count - 1,
            count,
            count + rate
        };
        for (long from : borders) {
            for (long length : new long[] {1, 1024, rate / 2}) {
                windows.add(window(2 * (first + from), 2 * (first + from + length), 2L * rate));
            }
            windows.add(TimeWindow.from(Rational.of(first + from, rate)));
        }
        for (int i = 0; i < 12; i++) {
            long from = random.nextLong(-rate, 2 * count);
            windows.add(window(2 * first + from, 2 * first + from + random.nextLong(1, count), 2L * rate));
        }
        // In decimals, as people write them.
        for (double from = 0; from < 8; from += 0.7) {
            windows.add(TimeWindow.of(from, from + 0.25));
        }
        List<TimeWindow> some = new ArrayList<>(windows);
        Collections.shuffle(some, new Random(rate + count));
        return CAMPAIGN ? windows : Set.copyOf(some.subList(0, 40));
    }

    private static TimeWindow window(long from, long to, long unit) {
        return TimeWindow.of(Rational.of(from, unit), Rational.of(to, unit));
    }

    private static int rate(String name) {
        return name.contains("opus") ? 48_000 : 44_100;
    }

    /// Some formats count their encoder's delay as time, others begin anywhere.
    static long firstSample(Path file, int rate) {
        try (Demuxer demuxer = Demuxer.open(MediaSource.of(file));
                Packets packets = demuxer.packets(demuxer.info().require(StreamInfo.Kind.AUDIO), TimeWindow.all());
                Frames frames = Decoder.decodeAll(packets)) {
            return frames.get(0)
                    .time()
                    .orElse(Rational.ZERO)
                    .times(Rational.of(rate))
                    .round();
        }
    }
}
