package org.jspdl.media.video;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspdl.input.MediaException;
import org.jspdl.media.frame.DecodeOptions;
import org.jspdl.media.stream.MediaSource;
import org.jspdl.media.stream.Rational;
import org.jspdl.media.stream.TestMedia;
import org.jspdl.media.stream.TimeWindow;
import org.jspdl.media.video.CodedUnits.Unit;
import org.jspdl.memory.Tensor;
import org.jspdl.testing.Programs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A video that lacks a slice of a picture is refused: FFmpeg's decoder of HEVC says nothing, and shows what lay in
/// the memory, or one picture less.
class LostSlicesTest {
    private static final boolean CAMPAIGN = Boolean.getBoolean("campaign");

    @TempDir
    Path folder;

    private byte[] copied(String from, String name) throws IOException {
        Path made = folder.resolve(name);
        Programs.run("ffmpeg -v quiet -y -i " + TestMedia.file(from) + " -c copy " + made);
        return Files.readAllBytes(made);
    }

    @ParameterizedTest
    @ValueSource(strings = {"slices2.mp4", "slices4.mp4", "slices2-10bit.mp4", "slices2-open.mp4"})
    void aVideoThatLacksASliceIsRefused(String name) throws Exception {
        byte[] stream = copied(name, "bare.hevc");
        Map<String, byte[]> wholes = new TreeMap<>(Map.of("hevc", stream));
        wholes.put("mp4", Files.readAllBytes(TestMedia.file(name)));
        wholes.put("mkv", copied(name, "whole.mkv"));
        List<Unit> slices = CodedUnits.HEVC.slices(stream);
        assertThat(slices).hasSizeGreaterThan(100);
        Map<String, String> wrong = new TreeMap<>();
        for (Map.Entry<String, byte[]> whole : wholes.entrySet()) {
            String shape = verdict(whole.getValue());
            assertThat(shape).as(whole.getKey()).startsWith("[72, 64, 96, 3]");
            for (int i = 0; i < slices.size(); i += CAMPAIGN ? 1 : (slices.size() / 9) | 1) {
                boolean bare = whole.getKey().equals("hevc");
                byte[] lacking = bare
                        ? CodedUnits.without(stream, slices.get(i))
                        : CodedUnits.HEVC.replaced(whole.getValue(), stream, slices.get(i));
                String shown = verdict(lacking);
                if (!shown.startsWith("refused")) {
                    wrong.put(whole.getKey() + ", slice " + i, shown);
                }
            }
        }
        assertThat(wrong)
                .as("what came of %d slices without one", slices.size())
                .isEmpty();
    }

    /// Pictures that refer to what is before the first key frame are left out, slice by slice.
    @Test
    void aWindowThatBeginsAtAnOpenGroupHasTheFramesOfTheWhole() throws Exception {
        Path file = TestMedia.file("slices2-open.mp4");
        try (Tensor whole = Video.load(file)) {
            for (int first = 1; first < 72; first += CAMPAIGN ? 1 : 5) {
                TimeWindow window = TimeWindow.from(Rational.of(first, 24));
                try (Tensor part = Video.load(file, VideoSpec.original().window(window))) {
                    assertThat(part.shape().extent(0)).isEqualTo(72 - first);
                    assertThat(part.row(0).mismatch(whole.row(first))).isEqualTo(-1);
                }
            }
        }
    }

    /// Recordings begin anywhere: what comes before the first key frame is left out, and is no damage.
    @ParameterizedTest
    @ValueSource(strings = {"hevc-opengop.ts", "slices2-open.ts"})
    void aRecordingMayBeginBetweenKeyFrames(String name) throws Exception {
        byte[] whole =
                name.startsWith("slices") ? copied("slices2-open.mp4", name) : Files.readAllBytes(TestMedia.file(name));
        int packets = whole.length / 188;
        int shown = 0;
        for (int begin = 0; begin < packets / 2; begin += CAMPAIGN ? 1 : packets / 20) {
            byte[] recording = Arrays.copyOfRange(whole, begin * 188, whole.length);
            try (Tensor frames = Video.load(MediaSource.of(recording), VideoSpec.original())) {
                shown += (int) frames.shape().extent(0);
            } catch (MediaException refused) {
                assertThat(refused)
                        .as("from packet %d of %d on", begin, packets)
                        .isNull();
            }
        }
        assertThat(shown).isGreaterThan(200);
    }

    private static String verdict(byte[] file) {
        try (Tensor shown = Video.load(MediaSource.of(file), VideoSpec.original())) {
            return shown.shape().toString();
        } catch (MediaException refused) {
            return "refused: " + refused.getMessage();
        }
    }

    @Test
    void theMessageSaysWhereAndWhatHelps() throws Exception {
        byte[] stream = copied("slices2.mp4", "bare.hevc");
        byte[] whole = Files.readAllBytes(TestMedia.file("slices2.mp4"));
        byte[] lacking = CodedUnits.HEVC.replaced(
                whole, stream, CodedUnits.HEVC.slices(stream).get(21));

        assertThatThrownBy(() -> Video.load(MediaSource.of(lacking), VideoSpec.original()))
                .isInstanceOf(MediaException.class)
                .hasMessageContaining("a part of a frame is missing, from column 0, row 32 on")
                .hasMessageContaining("Damage.SKIPPED");
        VideoSpec lenient =
                VideoSpec.original().decoding(DecodeOptions.standard().damage(DecodeOptions.Damage.SKIPPED));
        try (Tensor shown = Video.load(MediaSource.of(lacking), lenient)) {
            assertThat(shown.shape().extent(0)).isEqualTo(72);
        }
    }
}
