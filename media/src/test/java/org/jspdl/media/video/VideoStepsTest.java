package org.jspdl.media.video;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.jspdl.media.image.Channels;
import org.jspdl.media.image.ImagePlacement;
import org.jspdl.media.image.ImageSpec;
import org.jspdl.media.image.Isolation;
import org.jspdl.media.image.Layout;
import org.jspdl.media.image.Quality;
import org.jspdl.media.internal.isolation.MediaIsolation;
import org.jspdl.media.stream.MediaSource;
import org.jspdl.media.stream.Rational;
import org.jspdl.media.stream.TestMedia;
import org.jspdl.media.stream.TimeWindow;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Tensor;
import org.junit.jupiter.api.Test;

/// All that a spec asks for at once is what comes of it step by step: all frames of the video as they are shown, of
/// which those of the window are chosen here, repeated or left out, cut, flipped and laid out. By a decoder that has
/// decoded others, and by helpers that turn from spec to spec. Where frames are resized, which can't be done behind the
/// conversion of colors, a used decoder and helpers make what a new one makes.
class VideoStepsTest {
    private static final int SPECS = Boolean.getBoolean("campaign") ? 1_500 : 60;
    private static final int VIDEOS_OF_A_SPEC = 3;
    private static final List<String> VIDEOS = List.of(
            "h264.mp4",
            "h264-444.mp4",
            "h264-odd.mkv",
            "h264-10bit.mp4",
            "h264-opengop.mp4",
            "vfr.mkv",
            "prores.mov",
            "mjpeg.avi",
            "rotated.mp4",
            "groups-h264-late.mkv",
            "groups-vp9.webm",
            "groups-av1.mp4",
            "groups-hevc-open.mp4",
            "groups-mpeg2.ts");

    /// All frames of a video, RGB, and when they are shown.
    private record Whole(byte[] pixels, int height, int width, List<Rational> times) {
        byte at(int frame, int x, int y, int channel) {
            return pixels[((frame * height + y) * width + x) * 3 + channel];
        }
    }

    private static Whole whole(String name, Quality quality, BufferPool pool) {
        MediaSource source = MediaSource.of(TestMedia.file(name));
        FrameIndex index = FrameIndex.of(source);
        VideoSpec spec = VideoSpec.of(ImageSpec.original().quality(quality));
        try (VideoDecoder decoder = VideoDecoder.create(spec, Isolation.none());
                Tensor all = decoder.decode(source, pool)) {
            List<Rational> times = IntStream.range(0, index.frames())
                    .mapToObj(i -> Rational.of(index.ticks(i)).times(index.timeBase()))
                    .toList();
            assertThat(all.shape().extent(0)).as(name).isEqualTo(times.size());
            return new Whole(
                    all.segment().toArray(ValueLayout.JAVA_BYTE),
                    (int) all.shape().extent(1),
                    (int) all.shape().extent(2),
                    times);
        }
    }

    private static VideoSpec spec(SplittableRandom random) {
        ImageSpec frame = random.nextInt(4) == 0
                ? ImageSpec.exact(random.nextInt(8, 120), random.nextInt(8, 90))
                : ImageSpec.original();
        frame = random.nextInt(3) == 0 ? frame : frame.centerCrop(random.nextInt(1, 110), random.nextInt(1, 80));
        frame = frame.randomFlip(random.nextInt(2))
                .quality(Quality.values()[random.nextInt(3)])
                .channels(random.nextBoolean() ? Channels.RGB : Channels.BGR)
                .layout(Layout.values()[random.nextInt(2)]);
        VideoSpec spec = VideoSpec.of(frame);
        if (random.nextInt(4) > 0) {
            Rational start = Rational.of(random.nextLong(-20, 150), 50);
            spec = spec.window(
                    random.nextInt(3) == 0
                            ? TimeWindow.from(start)
                            : TimeWindow.of(start, start.plus(Rational.of(random.nextLong(1, 90), 50))));
        }
        spec = random.nextBoolean() ? spec : spec.frames(random.nextInt(1, 20));
        return frame.layout() == Layout.NCHW && random.nextBoolean() ? spec.channelsOutermost() : spec;
    }

    @Test
    void allAtOnceIsOneStepAfterTheOther() {
        SplittableRandom random = new SplittableRandom(20261128);
        Map<String, Whole> wholes = new HashMap<>();
        List<String> wrong = new ArrayList<>();
        int compared = 0;
        try (MediaIsolation helpers = new MediaIsolation(Isolation.all(), "video", VideoHelper::command);
                BufferPool pool = BufferPool.unbounded("videos")) {
            for (int i = 0; i < SPECS; i++) {
                VideoSpec spec = spec(random);
                // not closed, which would end the helpers: it holds nothing else
                VideoDecoder isolated = VideoDecoder.create(spec, helpers);
                try (VideoDecoder used = VideoDecoder.create(spec, Isolation.none())) {
                    for (int j = 0; j < VIDEOS_OF_A_SPEC; j++) {
                        String name = VIDEOS.get(random.nextInt(VIDEOS.size()));
                        Quality quality = spec.frame().quality();
                        Whole whole = wholes.computeIfAbsent(name + quality, _ -> whole(name, quality, pool));
                        int[] rows = rows(whole, spec);
                        if (rows.length == 0) {
                            continue;
                        }
                        MediaSource source = MediaSource.of(TestMedia.file(name));
                        byte[] expected = expected(whole, rows, spec, source, pool);
                        String what = name + " by " + spec + ", " + quality;
                        compare(what + ", used", used, source, pool, expected, wrong);
                        compare(what + ", helper", isolated, source, pool, expected, wrong);
                        compared++;
                    }
                }
            }
        }
        assertThat(wrong).isEmpty();
        assertThat(compared).isGreaterThan(SPECS);
    }

    private static void compare(
            String what,
            VideoDecoder decoder,
            MediaSource source,
            BufferPool pool,
            byte[] expected,
            List<String> wrong) {
        try (Tensor clip = decoder.decode(source, pool, new SplittableRandom(1))) {
            byte[] made = clip.segment().toArray(ValueLayout.JAVA_BYTE);
            int at = Arrays.mismatch(made, expected);
            if (at >= 0) {
                wrong.add(what + ": " + clip.shape() + ", " + made.length + " bytes, not " + expected.length
                        + ", first difference at " + at + ", by up to " + largest(made, expected));
            }
        } catch (RuntimeException failure) {
            wrong.add(what + ": " + failure);
        }
    }

    private static int largest(byte[] made, byte[] expected) {
        return IntStream.range(0, Math.min(made.length, expected.length))
                .map(i -> Math.abs((made[i] & 0xFF) - (expected[i] & 0xFF)))
                .max()
                .orElse(0);
    }

    /// The frame of each row.
    private static int[] rows(Whole whole, VideoSpec spec) {
        int[] inside = IntStream.range(0, whole.times.size())
                .filter(i -> spec.window().isAll() || spec.window().contains(whole.times.get(i)))
                .toArray();
        return inside.length == 0 || spec.frames() == 0
                ? inside
                : IntStream.range(0, spec.frames())
                        .map(row -> inside[Math.min(row, inside.length - 1)])
                        .toArray();
    }

    private static byte[] expected(Whole whole, int[] rows, VideoSpec spec, MediaSource source, BufferPool pool) {
        ImagePlacement placement = spec.frame().place(whole.width, whole.height);
        if (placement.boxWidth() != placement.scaledWidth() || placement.boxHeight() != placement.scaledHeight()) {
            try (VideoDecoder fresh = VideoDecoder.create(spec, Isolation.none());
                    Tensor clip = fresh.decode(source, pool, new SplittableRandom(2))) {
                return clip.segment().toArray(ValueLayout.JAVA_BYTE);
            }
        }
        boolean flips = spec.frame().isRandom();
        byte[] made = new byte[rows.length * placement.width() * placement.height() * 3];
        for (int row = 0; row < rows.length; row++) {
            for (int y = 0; y < placement.height(); y++) {
                for (int x = 0; x < placement.width(); x++) {
                    int fromX = placement.boxX() + placement.left() + (flips ? placement.width() - 1 - x : x);
                    int fromY = placement.boxY() + placement.top() + y;
                    boolean inside = fromX >= 0 && fromX < whole.width && fromY >= 0 && fromY < whole.height;
                    for (int c = 0; c < 3; c++) {
                        int channel = spec.frame().channels() == Channels.RGB ? c : 2 - c;
                        made[position(spec, placement, rows.length, row, x, y, c)] =
                                inside ? whole.at(rows[row], fromX, fromY, channel) : 0;
                    }
                }
            }
        }
        return made;
    }

    private static int position(VideoSpec spec, ImagePlacement placement, int count, int row, int x, int y, int c) {
        int plane = placement.width() * placement.height();
        int pixel = y * placement.width() + x;
        if (spec.frame().layout() == Layout.NHWC) {
            return (row * plane + pixel) * 3 + c;
        }
        return (spec.isChannelsOutermost() ? c * count + row : row * 3 + c) * plane + pixel;
    }
}
