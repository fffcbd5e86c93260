package org.jspdl.data.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jspdl.data.plan.PlanRuns.batches;
import static org.jspdl.data.plan.PlanRuns.tensor;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspdl.array.ArrayView;
import org.jspdl.data.plan.PlanRuns.Held;
import org.jspdl.media.image.ImageEncoder;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Shape;
import org.jspdl.memory.Tensor;
import org.jspdl.plan.CompiledPlan;
import org.jspdl.testing.Programs;
import org.jspdl.wav.WavWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Images, sounds and videos by plans; that decoders are right is the matter of their own tests.
class MediaPlanTest {
    @TempDir
    Path folder;

    /// A picture of one color.
    private void picture(String name, int red, int green, int blue) {
        try (BufferPool pool = BufferPool.create("picture", 1 << 20);
                Tensor image = Tensor.allocate(ElementType.UINT8, Shape.of(8, 12, 3), pool)) {
            for (int i = 0; i < 96; i++) {
                image.segment()
                        .asSlice(i * 3L, 3)
                        .copyFrom(MemorySegment.ofArray(new byte[] {(byte) red, (byte) green, (byte) blue}));
            }
            ImageEncoder.png().write(image, folder.resolve(name));
        }
    }

    @Test
    void imagesAreResizedNormalizedAndLaidOutAsThePlanSays() {
        picture("a.png", 255, 0, 51);
        picture("b.png", 0, 102, 255);

        List<Map<String, Object>> batches = batches(folder, """
                source: {files: {path: ., glob: '*.png'}}
                steps:
                  - {load-image: {size: 1, resize: 4, dtype: float32, layout: nchw, mean: [0.5, 0.5, 0.5],
                     std: [0.5, 0.5, 0.5], flip: 0.5, interpolation: area}, cpu: 2, order: input}
                  - batch: 2
                  - collate: {}
                """);

        Held images = tensor(batches.getFirst(), "image");
        assertThat(images.type()).isEqualTo(ElementType.FLOAT32);
        assertThat(images.shape()).isEqualTo(Shape.of(2, 3, 1, 1));
        double[] expected = {1, -1, -0.6, -1, -0.2, 1};
        for (int i = 0; i < expected.length; i++) {
            assertThat(images.values().get(i))
                    .as("value %d", i)
                    .isCloseTo(expected[i], org.assertj.core.api.Assertions.within(1e-6));
        }
    }

    private void sound(String name, int samples) throws IOException {
        float[] values = new float[samples];
        for (int i = 0; i < samples; i++) {
            values[i] = i / 1024f;
        }
        WavWriter.write(
                folder.resolve(name),
                ArrayView.of(ElementType.FLOAT32, Shape.of(samples), MemorySegment.ofArray(values)),
                8_000);
    }

    private List<Map<String, Object>> sounds(String parameters) {
        return batches(folder, """
                source: {files: {path: ., glob: '*.wav'}}
                steps:
                  - {load-audio: %s, cpu: 2, order: input}
                  - batch: 2
                  - collate: {}
                seed: 5
                """.formatted(parameters));
    }

    @Test
    void soundsAreCutOrFilledUpWithSilenceAndTellTheirLength() throws IOException {
        sound("a.wav", 3);
        sound("b.wav", 6);

        assertThat(sounds("{samples: 4}").getFirst())
                .containsEntry(
                        "audio",
                        Held.of(
                                ElementType.FLOAT32,
                                Shape.of(2, 1, 4),
                                0,
                                1 / 1024.0,
                                2 / 1024.0,
                                0,
                                0,
                                1 / 1024.0,
                                2 / 1024.0,
                                3 / 1024.0))
                .containsEntry("audio_length", Held.of(ElementType.INT64, Shape.of(2), 3, 4));
    }

    @Test
    void aRandomPartOfASoundIsThatOfTheSeed() throws IOException {
        sound("a.wav", 900);
        sound("b.wav", 900);

        Held part = tensor(sounds("{samples: 10, crop: random}").getFirst(), "audio");

        assertThat(sounds("{samples: 10, crop: random}").getFirst()).containsEntry("audio", part);
        double first = part.values().get(0);
        double second = part.values().get(10);
        assertThat(first).isNotEqualTo(second);
        for (int i = 0; i < 10; i++) {
            assertThat(part.values().get(i)).isEqualTo(first + i / 1024.0);
            assertThat(part.values().get(10 + i)).isEqualTo(second + i / 1024.0);
        }
    }

    private List<Map<String, Object>> videos(String how) {
        return batches(folder, """
                source: {files: {path: ., glob: '*.mkv'}}
                steps:
                  - {load-video: {frames: 4, resize: 6, size: 6, dtype: uint8, %s}, cpu: 2, order: input}
                  - batch: 2
                  - collate: {}
                seed: 3
                """.formatted(how));
    }

    @Test
    void soundsAreTheSameFromHelperProcesses() throws IOException {
        sound("a.wav", 900);
        sound("b.wav", 700);

        assertThat(sounds("{samples: 600, sample-rate: 6000, isolation: all}"))
                .isEqualTo(sounds("{samples: 600, sample-rate: 6000}"));
    }

    @ParameterizedTest
    @CsvSource({
        "'layout: thwc', '[2, 4, 6, 6, 3]'",
        "'layout: tchw, sampling: evenly', '[2, 4, 3, 6, 6]'",
        "'layout: cthw, sampling: stratified', '[2, 3, 4, 6, 6]'",
        "'sampling: random, stride: 2', '[2, 4, 3, 6, 6]'",
    })
    void videosBecomeFramesInTheLayoutOfThePlan(String how, String shape) throws Exception {
        for (String name : new String[] {"a.mkv", "b.mkv"}) {
            Programs.run("ffmpeg -v error -y -f lavfi -i testsrc2=size=64x48:rate=25:duration=0.8 -c:v mpeg4 "
                    + folder.resolve(name));
        }
        Held video = tensor(videos(how).getFirst(), "video");
        assertThat(video.type()).isEqualTo(ElementType.UINT8);
        assertThat(video.shape()).hasToString(shape);
        assertThat(video.values().stream().distinct().count()).isGreaterThan(20);
        assertThat(tensor(videos(how + ", isolation: all, decode-deadline: 20s").getFirst(), "video"))
                .isEqualTo(video);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            load-audio: {crop: random}                          | crop: random needs 'samples'
            load-video: {sampling: evenly, start: 2}            | 'frame-rate' and 'start' go with sampling: start only
            load-video: {stride: 2}                             | 'stride' goes with sampling: random only
            load-image: {crop: random-resized-crop, scale: [0.5]}    | 'scale' must be a list of the least and the most
            load-image: {color-jitter: [0.4, 0.4]}              | 'color-jitter' must be one number, or four
            load-image: {crop: random-resized}                  | did you mean 'random-resized-crop'?
            load-image: {grey: 0.1}                             | did you mean 'grayscale'?
            load-image: {brightness: 0.1}                       | did you mean 'color-jitter'?
            load-image: {color-jitter: -1}                      | 'color-jitter' must be a number from 0.0 to 100.0, or a list of such
            """)
    void whatContradictsItselfIsRefusedBeforeTheRun(String step, String reason) throws IOException {
        Files.writeString(folder.resolve("x.bin"), "x");
        assertThatThrownBy(() -> {
                    try (CompiledPlan plan = PlanRuns.compile(
                            folder, "source: {files: {path: ., glob: '*'}}\nsteps:\n  - {" + step + ", cpu: 1}")) {
                        plan.output();
                    }
                })
                .hasMessageContaining("plan.yaml:3")
                .hasMessageContaining(reason);
    }
}
