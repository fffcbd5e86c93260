package org.jspdl.media.video;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
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
    private static final int FILLER = 38;
    private static final int FIRST_NOT_CODED = 32;

    @TempDir
    Path folder;

    /// Where a unit of an elementary stream begins, its start code included, and where it ends.
    private record Unit(int begin, int header, int end, int type) {}

    private static List<Unit> units(byte[] stream) {
        List<Integer> starts = new ArrayList<>();
        for (int i = 0; i + 3 < stream.length; i++) {
            if (stream[i] == 0 && stream[i + 1] == 0 && stream[i + 2] == 1) {
                starts.add(i);
            }
        }
        List<Unit> units = new ArrayList<>();
        for (int i = 0; i < starts.size(); i++) {
            int end = i + 1 < starts.size() ? starts.get(i + 1) : stream.length;
            while (stream[end - 1] == 0) {
                end--;
            }
            int header = starts.get(i) + 3;
            units.add(new Unit(starts.get(i), header, end, stream[header] >> 1 & 0x3F));
        }
        return units;
    }

    private static List<Unit> slices(byte[] stream) {
        return units(stream).stream()
                .filter(unit -> unit.type() < FIRST_NOT_CODED)
                .toList();
    }

    private static byte[] without(byte[] stream, Unit lost) {
        byte[] rest = new byte[stream.length - (lost.end() - lost.begin())];
        System.arraycopy(stream, 0, rest, 0, lost.begin());
        System.arraycopy(stream, lost.end(), rest, lost.begin(), stream.length - lost.end());
        return rest;
    }

    /// The same where units have their length before them: the unit is one that decoders skip.
    private static byte[] replaced(byte[] file, byte[] stream, Unit lost) {
        byte[] begin = Arrays.copyOfRange(stream, lost.header(), Math.min(lost.end(), lost.header() + 40));
        int at = indexOf(file, begin);
        byte[] changed = file.clone();
        changed[at] = FILLER << 1;
        return changed;
    }

    private static int indexOf(byte[] file, byte[] part) {
        for (int i = 0; i + part.length <= file.length; i++) {
            if (Arrays.equals(file, i, i + part.length, part, 0, part.length)) {
                return i;
            }
        }
        throw new AssertionError("the unit is not in the file");
    }

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
        List<Unit> slices = slices(stream);
        assertThat(slices).hasSizeGreaterThan(100);
        Map<String, String> wrong = new TreeMap<>();
        for (Map.Entry<String, byte[]> whole : wholes.entrySet()) {
            String shape = verdict(whole.getValue());
            assertThat(shape).as(whole.getKey()).startsWith("[72, 64, 96, 3]");
            for (int i = 0; i < slices.size(); i += CAMPAIGN ? 1 : slices.size() / 9) {
                boolean bare = whole.getKey().equals("hevc");
                byte[] lacking =
                        bare ? without(stream, slices.get(i)) : replaced(whole.getValue(), stream, slices.get(i));
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
        byte[] lacking = replaced(whole, stream, slices(stream).get(21));

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
