package org.jspdl.media.audio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import org.jspdl.media.stream.MediaSource;
import org.jspdl.media.stream.TestMedia;
import org.jspdl.media.stream.TimeWindow;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Tensor;
import org.jspdl.testing.Programs;
import org.jspdl.wav.SampleLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class AudioTest {
    private static final AudioSpec INTERLEAVED = AudioSpec.original().layout(SampleLayout.INTERLEAVED);

    static List<String> sounds() {
        return TestMedia.sounds();
    }

    /// Raw AAC has no index and no times of its own; its seeks are guesses.
    static List<String> seekableSounds() {
        return sounds().stream().filter(name -> !name.endsWith(".aac")).toList();
    }

    @ParameterizedTest
    @MethodSource("sounds")
    void everySampleIsTheOneThatFfmpegDecodes(String name) {
        Path file = TestMedia.file(name);
        float[] expected = reference(file, "");
        try (Tensor tensor = Audio.load(file, INTERLEAVED)) {
            assertThat(tensor.shape().extent(1)).isEqualTo(2);
            assertClose(tensor, expected, 2e-5);
        }
    }

    @ParameterizedTest
    @MethodSource("seekableSounds")
    void aWindowIsThatPartOfTheWholeToTheSample(String name) {
        Path file = TestMedia.file(name);
        try (Tensor whole = Audio.load(file);
                Tensor part = Audio.load(file, AudioSpec.original().window(TimeWindow.of(0.7, 0.9)))) {
            long rate = name.endsWith(".opus") ? 48_000 : 44_100;
            long skipped = firstSample(name);
            assertThat(part.shape().extent(1)).isEqualTo(rate / 5);
            // Matroska rounds times to milliseconds: the window may begin that much earlier or later.
            int slack = name.endsWith(".mkv") ? 23 : 0;
            assertThat(LongStream.rangeClosed(-slack, slack)
                            .map(shift -> part.segment()
                                    .asSlice(0, 4 * rate / 5)
                                    .mismatch(whole.segment()
                                            .asSlice(4 * (rate * 7 / 10 - skipped + shift), 4 * rate / 5)))
                            .anyMatch(mismatch -> mismatch == -1))
                    .isTrue();
        }
    }

    /// MP3 counts its encoder's delay as time.
    private static long firstSample(String name) {
        return name.endsWith(".mp3") ? 1105 : 0;
    }

    @Test
    void soundIsResampledAndMixed() {
        Path file = TestMedia.file("s16.flac");
        AudioSpec spec = INTERLEAVED.sampleRateHz(16_000).channels(1);
        try (Tensor tensor = Audio.load(file, spec)) {
            assertClose(tensor, reference(file, "-ar 16000 -ac 1"), 1e-3);
        }
    }

    @Test
    void integersAndDoublesHoldTheSameSamples() {
        Path file = TestMedia.file("s16.wav");
        try (Tensor floats = Audio.load(file);
                Tensor shorts = Audio.load(file, AudioSpec.original().elements(ElementType.INT16));
                Tensor doubles = Audio.load(file, AudioSpec.original().elements(ElementType.FLOAT64))) {
            assertThat(shorts.shape()).isEqualTo(floats.shape());
            for (long i = 0; i < floats.shape().elements(); i += 101) {
                short value = shorts.segment().getAtIndex(ValueLayout.JAVA_SHORT, i);
                assertThat(floats.segment().getAtIndex(ValueLayout.JAVA_FLOAT, i))
                        .isEqualTo(value / 32768f);
                assertThat(doubles.segment().getAtIndex(ValueLayout.JAVA_DOUBLE, i))
                        .isEqualTo(value / 32768.0);
            }
        }
    }

    @Test
    void aFixedLengthIsCutOrFilledWithSilence() {
        AudioSpec spec = AudioSpec.original().channels(2);
        try (AudioDecoder longer = AudioDecoder.create(spec.samples(60_000));
                AudioDecoder shorter = AudioDecoder.create(spec.samples(1_000));
                Arena arena = Arena.ofConfined()) {
            MediaSource source = MediaSource.of(TestMedia.file("s16.flac"));
            MemorySegment row = arena.allocate(2 * 60_000 * 4, 4);
            row.fill((byte) 1);

            assertThat(longer.decodeInto(source, row)).isEqualTo(57_330);
            assertThat(row.getAtIndex(ValueLayout.JAVA_FLOAT, 57_329)).isNotZero();
            assertThat(row.getAtIndex(ValueLayout.JAVA_FLOAT, 57_330)).isZero();
            assertThat(row.getAtIndex(ValueLayout.JAVA_FLOAT, 119_999)).isZero();
            assertThat(shorter.decodeInto(source, row.asSlice(0, 8_000))).isEqualTo(1_000);
            assertThatThrownBy(() -> shorter.decodeInto(source, row.asSlice(0, 8_004)))
                    .hasMessageContaining("takes 8000 bytes");
        }
    }

    @Test
    void errorsNameTheFileAndWhatIsWrong() {
        Path file = TestMedia.file("s16.flac");

        assertThatThrownBy(() -> Audio.load(TestMedia.file("h264.mp4")))
                .hasMessageEndingWith("there is no audio stream in it");
        assertThatThrownBy(() -> Audio.load(file, AudioSpec.original().window(TimeWindow.of(7, 8))))
                .hasMessage(file + ": stream 0 (flac): there is no sound in [7, 8)");
        assertThatThrownBy(() -> Audio.load(MediaSource.of(new byte[100]), AudioSpec.original()))
                .hasMessage("memory of 100 bytes: Invalid data found when processing input (100 bytes)");
    }

    private static float[] reference(Path file, String options) {
        byte[] bytes = Programs.run("ffmpeg -v error -i " + file + " -map 0:a:0 " + options + " -f f32le -");
        float[] samples = new float[bytes.length / 4];
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer().get(samples);
        return samples;
    }

    private static void assertClose(Tensor ours, float[] reference, double tolerance) {
        float[] samples = ours.segment().toArray(ValueLayout.JAVA_FLOAT);
        assertThat(samples.length).isEqualTo(reference.length);
        double worst = 0;
        for (int i = 0; i < samples.length; i++) {
            worst = Math.max(worst, Math.abs(samples[i] - reference[i]));
        }
        assertThat(worst).as("largest difference").isLessThan(tolerance);
    }
}
