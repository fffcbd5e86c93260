package org.jspdl.media.audio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import org.jspdl.input.MediaException;
import org.jspdl.media.frame.DecodeOptions;
import org.jspdl.media.internal.flac.FlacDecoder;
import org.jspdl.media.internal.flac.FlacHeader;
import org.jspdl.media.stream.MediaLimits;
import org.jspdl.media.stream.MediaSource;
import org.jspdl.media.stream.TestMedia;
import org.jspdl.media.stream.TimeWindow;
import org.jspdl.memory.Tensor;
import org.jspdl.testing.Requires;
import org.jspdl.wav.SampleLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Compares the ways around FFmpeg with FFmpeg.
class FastAudioPathTest {
    private static final List<TimeWindow> WINDOWS = List.of(
            TimeWindow.all(),
            TimeWindow.of(0.3, 0.9),
            TimeWindow.of("1/3", "7/9"),
            TimeWindow.of("-1/2", "1/44100"),
            TimeWindow.of(1.2, 80));

    /// Any option of FFmpeg's leaves the sound to FFmpeg.
    private static AudioSpec byFfmpeg(AudioSpec spec) {
        return spec.decoding(DecodeOptions.standard().option("err_detect", "crccheck+explode"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "u8.wav",
                "s16.wav",
                "s24.wav",
                "s32.wav",
                "f32.wav",
                "f64.wav",
                "mono.wav",
                "six.wav",
                "rf64.wav",
                "s16.flac",
                "s24.flac",
                "mono.flac",
                "six.flac"
            })
    void theShortWayGivesTheBytesThatFfmpegGives(String name) {
        MediaSource source = MediaSource.of(TestMedia.file(name));
        if (!name.endsWith(".wav") && !FlacDecoder.isAvailable()) {
            throw Requires.missing("libFLAC.so");
        }
        for (SampleLayout layout : SampleLayout.values()) {
            for (TimeWindow window : WINDOWS) {
                for (long samples : new long[] {0, 1, 1_000, 60_000}) {
                    AudioSpec spec = AudioSpec.original().layout(layout).window(window);
                    AudioSpec wanted = samples == 0 ? spec : spec.samples(samples);
                    assertThat(FastAudioPath.isFor(wanted)).isTrue();
                    assertThat(FastAudioPath.isFor(byFfmpeg(wanted))).isFalse();
                    try (Tensor ours = Audio.load(source, wanted);
                            Tensor theirs = Audio.load(source, byFfmpeg(wanted))) {
                        assertThat(ours.shape()).as("%s", wanted).isEqualTo(theirs.shape());
                        assertThat(ours.segment().mismatch(theirs.segment()))
                                .as("first difference of %s", wanted)
                                .isEqualTo(-1);
                    }
                }
            }
        }
    }

    @Test
    void bothWaysFillARowAlike() throws IOException {
        AudioSpec spec = AudioSpec.original().channels(2).samples(60_000);
        try (AudioDecoder ours = AudioDecoder.create(spec);
                AudioDecoder theirs = AudioDecoder.create(byFfmpeg(spec));
                Arena arena = Arena.ofConfined()) {
            MemorySegment first = arena.allocate(2 * 60_000 * 4, 4).fill((byte) 1);
            MemorySegment second = arena.allocate(2 * 60_000 * 4, 4).fill((byte) 2);
            for (String name : List.of("s16.wav", "s16.flac", "f32.wav")) {
                byte[] bytes = Files.readAllBytes(TestMedia.file(name));
                long count = ours.decodeInto(MediaSource.of(bytes), first);
                assertThat(count).isEqualTo(57_330);
                // What passes by once can't be viewed.
                assertThat(theirs.decodeInto(MediaSource.of(new ByteArrayInputStream(bytes), name), second))
                        .isEqualTo(count);
                assertThat(first.mismatch(second)).isEqualTo(-1);
            }
        }
    }

    @Test
    void otherSoundInWavFilesIsLeftToFfmpeg() {
        try (Tensor adpcm = Audio.load(TestMedia.file("adpcm.wav"));
                Tensor plain = Audio.load(TestMedia.file("s16.wav"))) {
            assertThat(adpcm.shape().extent(0)).isEqualTo(2);
            assertThat(adpcm.shape().extent(1))
                    .isGreaterThanOrEqualTo(plain.shape().extent(1));
        }
    }

    @Test
    void damagedFlacIsRefusedWithAndWithoutLibFlac() throws IOException {
        byte[] intact = Files.readAllBytes(TestMedia.file("s16.flac"));
        SplittableRandom random = new SplittableRandom(7);
        for (int i = 0; i < 20; i++) {
            byte[] damaged = intact.clone();
            // Behind the header and its padding.
            damaged[random.nextInt(intact.length / 2, intact.length)] ^= (byte) (1 << random.nextInt(8));
            assertThatThrownBy(() -> Audio.load(MediaSource.of(damaged), AudioSpec.original()))
                    .isInstanceOf(MediaException.class);
            assertThatThrownBy(() -> Audio.load(
                            MediaSource.of(damaged), AudioSpec.original().channels(1)))
                    .isInstanceOf(MediaException.class)
                    .hasMessageContaining("stream 0 (flac)");
        }
    }

    @Test
    void limitsHoldOnTheShortWay() {
        Path file = TestMedia.file("s16.wav");
        assertThatThrownBy(() -> Audio.load(file, limited(MediaLimits.standard().maxBytes(1_000))))
                .isInstanceOf(MediaException.class)
                .hasMessageContaining("sound of more than 1000 bytes");
        assertThatThrownBy(() -> Audio.load(file, limited(MediaLimits.standard().maxDuration(Duration.ofSeconds(1)))))
                .isInstanceOf(MediaException.class)
                .hasMessageContaining("1.300 s are more than the limit of 1.000 s");
    }

    private static AudioSpec limited(MediaLimits limits) {
        return AudioSpec.original().decoding(DecodeOptions.standard().limits(limits));
    }

    @Test
    void onlyWhatBeginsAsFlacHasAHeader() throws IOException {
        byte[] file = Files.readAllBytes(TestMedia.file("s24.flac"));
        assertThat(FlacHeader.of(MemorySegment.ofArray(file))).hasValueSatisfying(header -> {
            assertThat(header.sampleRateHz()).isEqualTo(44_100);
            assertThat(header.channels()).isEqualTo(2);
            assertThat(header.bits()).isEqualTo(24);
            assertThat(header.samples()).isEqualTo(57_330);
        });
        assertThat(FlacHeader.of(MemorySegment.ofArray(file).asSlice(0, 41))).isEmpty();
        assertThat(FlacHeader.of(MemorySegment.ofArray(file).asSlice(1))).isEmpty();
        file[7] = 33;
        assertThat(FlacHeader.of(MemorySegment.ofArray(file))).isEmpty();
    }
}
