package org.jspdl.media.video;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.jspdl.input.MediaException;
import org.jspdl.media.frame.Decoder;
import org.jspdl.media.frame.Frame;
import org.jspdl.media.frame.Frames;
import org.jspdl.media.stream.Demuxer;
import org.jspdl.media.stream.MediaSource;
import org.jspdl.media.stream.Packet;
import org.jspdl.media.stream.Packets;
import org.jspdl.media.stream.Rational;
import org.jspdl.media.stream.StreamInfo;
import org.jspdl.media.stream.TestMedia;
import org.jspdl.media.stream.TimeWindow;
import org.jspdl.memory.Tensor;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// A window of a video has the frames that the whole video has there, whatever group of pictures they are in: of
/// streams without key frames, with pictures that refer to the group before, with hidden frames, of any rate.
class VideoWindowTest {
    private static final boolean CAMPAIGN = Boolean.getBoolean("campaign");

    static List<String> videos() {
        return TestMedia.groupedVideos();
    }

    @ParameterizedTest
    @MethodSource("videos")
    void aWindowHasTheFramesOfTheWhole(String name) {
        Path file = TestMedia.file(name);
        List<Long> times = TestMedia.times(file);
        Rational base = timeBase(file);
        List<String> wrong = new ArrayList<>();
        try (Tensor whole = Video.load(file)) {
            assertThat(whole.shape().extent(0)).as(name).isEqualTo(times.size()).isEqualTo(72);
            for (TimeWindow window : windows(times, base)) {
                int[] expected = IntStream.range(0, times.size())
                        .filter(i -> window.contains(Rational.of(times.get(i)).times(base)))
                        .toArray();
                try (Tensor part = Video.load(file, VideoSpec.original().window(window))) {
                    String how = difference(whole, part, expected);
                    if (!how.isEmpty()) {
                        wrong.add(window + how);
                    }
                } catch (MediaException refused) {
                    if (expected.length > 0 || !refused.toString().contains("there are no frames in")) {
                        wrong.add(window + ": " + refused.getMessage());
                    }
                }
            }
        }
        assertThat(wrong).as(name).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("videos")
    void chosenFramesAreThoseOfTheWhole(String name) {
        Path file = TestMedia.file(name);
        SplittableRandom random = new SplittableRandom(name.hashCode());
        List<String> wrong = new ArrayList<>();
        FrameIndex index;
        try {
            index = Video.index(file);
        } catch (MediaException withoutTimes) {
            assertThat(withoutTimes).hasMessageContaining("packets have no times");
            return;
        }
        assertThat(IntStream.range(0, index.frames()).mapToObj(index::ticks).toList())
                .isEqualTo(TestMedia.times(file));
        try (Tensor whole = Video.load(file)) {
            for (int i = 0; i < (CAMPAIGN ? 300 : 25); i++) {
                int[] chosen = random.ints(random.nextInt(1, 6), 0, 72).toArray();
                try (Tensor some = Video.frames(file, chosen)) {
                    String how = difference(whole, some, chosen);
                    if (!how.isEmpty()) {
                        wrong.add(List.of(IntStream.of(chosen).boxed().toArray()) + how);
                    }
                } catch (MediaException refused) {
                    wrong.add(List.of(IntStream.of(chosen).boxed().toArray()) + ": " + refused.getMessage());
                }
            }
        }
        assertThat(wrong).as(name).isEmpty();
    }

    /// The same with packets and a decoder in the caller's hands.
    @ParameterizedTest
    @MethodSource("videos")
    void thePacketsOfAWindowMakeItsFrames(String name) {
        Path file = TestMedia.file(name);
        List<Long> times = TestMedia.times(file);
        Rational base = timeBase(file);
        List<String> wrong = new ArrayList<>();
        try (Demuxer demuxer = Demuxer.open(MediaSource.of(file))) {
            StreamInfo stream = demuxer.info().require(StreamInfo.Kind.VIDEO);
            for (TimeWindow window : windows(times, base)) {
                List<Long> expected = times.stream()
                        .filter(time -> window.contains(Rational.of(time).times(base)))
                        .toList();
                try (Packets packets = demuxer.packets(stream, window);
                        Frames frames = Decoder.decodeAll(packets)) {
                    List<Long> came = new ArrayList<>();
                    for (Frame frame : frames) {
                        came.add(
                                frame.pts() == Packet.NO_TIME
                                        ? (came.isEmpty() ? times.getLast() : came.getLast() + 1)
                                        : frame.pts());
                    }
                    if (!came.equals(expected)) {
                        wrong.add(window + " has " + came + ", not " + expected);
                    }
                } catch (MediaException refused) {
                    wrong.add(window + ": " + refused.getMessage());
                }
            }
        }
        assertThat(wrong).as(name).isEmpty();
    }

    private static String difference(Tensor whole, Tensor part, int[] expected) {
        if (part.shape().extent(0) != expected.length) {
            return ": has " + part.shape().extent(0) + " frames, not " + expected.length;
        }
        for (int i = 0; i < expected.length; i++) {
            if (part.row(i).mismatch(whole.row(expected[i])) != -1) {
                return ": row " + i + " is not frame " + expected[i];
            }
        }
        return "";
    }

    private static Rational timeBase(Path file) {
        try (Demuxer demuxer = Demuxer.open(MediaSource.of(file))) {
            return demuxer.info().require(StreamInfo.Kind.VIDEO).timeBase();
        }
    }

    /// At the times of frames, a tick before and after; of one frame, of some, over several groups, to the end,
    /// beyond the end and before the beginning.
    private static Set<TimeWindow> windows(List<Long> times, Rational base) {
        Set<TimeWindow> windows = new LinkedHashSet<>();
        int last = times.size() - 1;
        for (int i = 0; i <= last; i++) {
            for (int length : new int[] {1, 5, 30}) {
                long end = i + length <= last ? times.get(i + length) : times.get(last) + 1;
                windows.add(window(times.get(i), end, base));
                windows.add(window(times.get(i) + 1, end + 1, base));
                windows.add(window(times.get(i) - 1, end - 1, base));
            }
            windows.add(TimeWindow.from(Rational.of(times.get(i)).times(base)));
        }
        List<TimeWindow> some = new ArrayList<>(windows);
        Collections.shuffle(some, new Random(times.size()));
        Set<TimeWindow> chosen = CAMPAIGN ? windows : new LinkedHashSet<>(some.subList(0, 40));
        Rational first = Rational.of(times.getFirst()).times(base);
        Rational end = Rational.of(times.get(last)).times(base);
        chosen.add(TimeWindow.of(first.minus(Rational.of(3)), first));
        chosen.add(TimeWindow.of(first.minus(Rational.of(3)), first.plus(Rational.of(1, 5))));
        chosen.add(TimeWindow.of(end, end.plus(Rational.of(9))));
        chosen.add(TimeWindow.of(end.plus(Rational.of(1)), end.plus(Rational.of(9))));
        return chosen;
    }

    private static TimeWindow window(long from, long to, Rational base) {
        return TimeWindow.of(
                Rational.of(from).times(base),
                Rational.of(Math.max(from + 1, to)).times(base));
    }
}
