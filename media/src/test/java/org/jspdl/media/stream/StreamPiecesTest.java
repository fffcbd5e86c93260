package org.jspdl.media.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.jspdl.media.audio.Audio;
import org.jspdl.media.audio.AudioSpec;
import org.jspdl.media.audio.AudioStream;
import org.jspdl.media.image.ImageSpec;
import org.jspdl.media.image.Layout;
import org.jspdl.media.video.Video;
import org.jspdl.media.video.VideoSpec;
import org.jspdl.media.video.VideoStream;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Tensor;
import org.jspdl.wav.SampleLayout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The pieces of a stream, one behind the other, are what decoding at once gives: for sounds of every format at
/// rates, channels, layouts and types drawn at random, and for videos of every codec.
class StreamPiecesTest {
    private static final ElementType[] TYPES = {
        ElementType.FLOAT32, ElementType.FLOAT64, ElementType.INT32, ElementType.INT16, ElementType.UINT8
    };
    private static final int[] RATES = {0, 0, 8_000, 11_025, 44_101, 48_000, 96_000};
    private static final int[] CHANNELS = {0, 0, 1, 2, 3, 6, 8};
    private static final int[] PIECES = {1_000, 1_023, 4_096, 44_100, 1_000_000};
    private static final int EACH = Boolean.getBoolean("campaign") ? 60 : 5;

    static List<String> sounds() {
        return TestMedia.sounds();
    }

    static Stream<String> videos() {
        return Stream.concat(TestMedia.videos().stream(), Stream.of("rotated.mp4"))
                .distinct();
    }

    private static AudioSpec spec(SplittableRandom random) {
        AudioSpec spec = AudioSpec.original()
                .elements(TYPES[random.nextInt(TYPES.length)])
                .layout(random.nextBoolean() ? SampleLayout.PLANAR : SampleLayout.INTERLEAVED);
        int rate = RATES[random.nextInt(RATES.length)];
        int channels = CHANNELS[random.nextInt(CHANNELS.length)];
        spec = rate == 0 ? spec : spec.sampleRateHz(rate);
        return channels == 0 ? spec : spec.channels(channels);
    }

    @ParameterizedTest
    @MethodSource("sounds")
    void piecesOfASoundAreTheWhole(String name) {
        Path file = TestMedia.file(name);
        SplittableRandom random = new SplittableRandom(name.hashCode());
        List<String> wrong = new ArrayList<>();
        for (int i = 0; i < EACH; i++) {
            AudioSpec spec = spec(random);
            int samples = PIECES[random.nextInt(PIECES.length)];
            String difference = difference(file, spec, samples);
            if (!difference.isEmpty()) {
                wrong.add(spec + " in pieces of " + samples + ": " + difference);
            }
        }
        assertThat(wrong).as(name).isEmpty();
    }

    private static String difference(Path file, AudioSpec spec, int samples) {
        boolean planar = spec.layout() == SampleLayout.PLANAR;
        try (BufferPool pool = BufferPool.create("test", 1L << 27);
                Tensor whole = Audio.load(file, spec);
                AudioStream stream = AudioStream.open(MediaSource.of(file), spec, samples)) {
            long all = whole.shape().extent(planar ? 1 : 0);
            long channels = whole.shape().extent(planar ? 0 : 1);
            long done = 0;
            for (Optional<Tensor> next = stream.next(pool); next.isPresent(); next = stream.next(pool)) {
                try (Tensor piece = next.get()) {
                    long count = piece.shape().extent(planar ? 1 : 0);
                    if (piece.shape().extent(planar ? 0 : 1) != channels
                            || count > all - done
                            || (count < samples && done + count < all)) {
                        return "at " + done + " of " + all + " a piece of shape " + piece.shape();
                    }
                    for (long c = 0; c < channels; c++) {
                        for (long i = 0; i < count; i++) {
                            double a = value(piece, planar ? c * count + i : i * channels + c);
                            double b = value(whole, planar ? c * all + done + i : (done + i) * channels + c);
                            if (Math.abs(a - b) > tolerance(spec.elements())) {
                                return "sample " + (done + i) + " of channel " + c + " is " + a + ", not " + b;
                            }
                        }
                    }
                    done += count;
                }
            }
            return done == all ? "" : "ends after " + done + " of " + all;
        }
    }

    private static double tolerance(ElementType type) {
        return switch (type) {
            case FLOAT32, FLOAT64 -> 1e-6;
            case INT32 -> 1 << 12;
            default -> 1;
        };
    }

    private static double value(Tensor tensor, long index) {
        MemorySegment memory = tensor.segment();
        return switch (tensor.type()) {
            case FLOAT32 -> memory.getAtIndex(ValueLayout.JAVA_FLOAT, index);
            case FLOAT64 -> memory.getAtIndex(ValueLayout.JAVA_DOUBLE, index);
            case INT32 -> memory.getAtIndex(ValueLayout.JAVA_INT, index);
            case INT16 -> memory.getAtIndex(ValueLayout.JAVA_SHORT, index);
            default -> memory.get(ValueLayout.JAVA_BYTE, index) & 0xFF;
        };
    }

    @ParameterizedTest
    @MethodSource("videos")
    void piecesOfAVideoAreTheWhole(String name) {
        Path file = TestMedia.file(name);
        for (int frames : new int[] {1, 8, 1_000}) {
            VideoSpec spec = frames == 1
                    ? VideoSpec.original()
                    : VideoSpec.of(ImageSpec.exact(33, 21).layout(Layout.NCHW)).channelsOutermost();
            try (BufferPool pool = BufferPool.create("test", 1L << 26);
                    Tensor whole = Video.load(file, spec);
                    VideoStream stream = VideoStream.open(MediaSource.of(file), spec, frames)) {
                int dimension = frames == 1 ? 0 : 1;
                long all = whole.shape().extent(dimension);
                long outer = frames == 1 ? 1 : whole.shape().extent(0);
                long frameBytes = whole.segment().byteSize() / all / outer;
                long done = 0;
                for (Optional<Tensor> next = stream.next(pool); next.isPresent(); next = stream.next(pool)) {
                    try (Tensor piece = next.get()) {
                        long count = piece.shape().extent(dimension);
                        assertThat(count).as("%s from %d", name, done).isEqualTo(Math.min(frames, all - done));
                        for (long c = 0; c < outer; c++) {
                            MemorySegment ours = piece.segment().asSlice(c * count * frameBytes, count * frameBytes);
                            MemorySegment expected =
                                    whole.segment().asSlice((c * all + done) * frameBytes, count * frameBytes);
                            assertThat(ours.mismatch(expected))
                                    .as("%s, plane %d from frame %d", name, c, done)
                                    .isEqualTo(-1);
                        }
                        done += count;
                    }
                }
                assertThat(done).as(name).isEqualTo(all);
            }
        }
    }
}
