package org.jspdl.media.video;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.jspdl.input.MediaException;
import org.jspdl.media.stream.TestMedia;
import org.jspdl.memory.Tensor;
import org.jspdl.testing.Programs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// An index has the frames that are shown, not those that others only refer to.
class FrameIndexTest {
    static List<String> timedVideos() {
        return TestMedia.timedVideos();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "vp8-hidden.webm",
                "vp9-hidden.webm",
                "vp9-split.nut",
                "vp9-profile1.nut",
                "av1-hidden.mkv",
                "av1-split.mkv"
            })
    void hiddenFramesAreNotCounted(String name) {
        Path file = TestMedia.file(name);
        FrameIndex index = Video.index(file);

        assertThat(times(index)).isEqualTo(TestMedia.times(file));
        assertThat(index.frames()).isEqualTo(72);
        int[] wanted = new SplittableRandom(5).ints(12, 0, 72).toArray();
        try (Tensor whole = Video.load(file);
                Tensor some = Video.frames(file, wanted)) {
            assertThat(whole.shape().extent(0)).isEqualTo(72);
            for (int i = 0; i < wanted.length; i++) {
                assertThat(some.row(i).mismatch(whole.row(wanted[i])))
                        .as("%s, frame %d", name, wanted[i])
                        .isEqualTo(-1);
            }
        }
    }

    /// Matroska counts milliseconds, of which these frames have three each.
    @Test
    void framesOfOneTimeAreNotTakenForEachOther(@TempDir Path folder) {
        Path file = folder.resolve("quick.mkv");
        Programs.run("ffmpeg -v error -f lavfi -i testsrc2=size=96x64:rate=3000 -frames:v 12 -vsync passthrough"
                + " -enc_time_base 1/3000 -c:v ffv1 " + file);
        FrameIndex index = Video.index(file);
        assertThat(index.frames()).isEqualTo(12);
        assertThat(index.ticks(2)).isEqualTo(index.ticks(3));
        assertThatThrownBy(() -> Video.frames(file, 2).close())
                .isInstanceOf(MediaException.class)
                .hasMessageContaining("frame 2 and another one are shown at the same time");
        try (Tensor all = Video.load(file)) {
            assertThat(all.shape().extent(0)).isEqualTo(12);
            for (int i = 1; i < 12; i++) {
                assertThat(all.row(i).mismatch(all.row(i - 1)))
                        .as("frame %d", i)
                        .isNotNegative();
            }
        }
    }

    @ParameterizedTest
    @MethodSource("timedVideos")
    void theFramesAreThoseThatComeOut(String name) {
        Path file = TestMedia.file(name);
        assertThat(times(Video.index(file))).isEqualTo(TestMedia.times(file));
    }

    /// A transport stream can be cut at any packet of 188 bytes. What comes before the first key frame never comes
    /// out right: every frame that there is must be the one that the whole recording has at its time.
    @ParameterizedTest
    @ValueSource(strings = {"h264.ts", "h264-opengop.ts", "hevc-opengop.ts", "mpeg2-opengop.ts"})
    void aRecordingThatBeginsBetweenKeyFramesHasOnlyFramesThatCanBeDecoded(String name, @TempDir Path folder)
            throws IOException {
        Path original = TestMedia.file(name);
        byte[] bytes = Files.readAllBytes(original);
        int packets = bytes.length / 188;
        List<Long> originalTimes = times(Video.index(original));
        try (Tensor uncut = Video.load(original)) {
            for (int cut = 0; cut < packets / 2; cut += Math.max(1, packets / 12)) {
                Path file = folder.resolve(cut + ".ts");
                Files.write(file, Arrays.copyOfRange(bytes, 188 * cut, bytes.length));
                FrameIndex index = Video.index(file);
                int[] wanted = IntStream.range(0, index.frames()).toArray();
                try (Tensor all = Video.load(file);
                        Tensor chosen = Video.frames(file, wanted)) {
                    assertThat(all.shape()).as("%s from packet %d", name, cut).isEqualTo(chosen.shape());
                    for (int i : wanted) {
                        int same = originalTimes.indexOf(index.ticks(i));
                        assertThat(chosen.row(i).mismatch(all.row(i)))
                                .as("%s from packet %d, frame %d of all", name, cut, i)
                                .isEqualTo(-1);
                        assertThat(chosen.row(i).mismatch(uncut.row(same)))
                                .as("%s from packet %d, frame %d at tick %d", name, cut, i, index.ticks(i))
                                .isEqualTo(-1);
                    }
                }
            }
        }
    }

    private static List<Long> times(FrameIndex index) {
        return IntStream.range(0, index.frames()).mapToObj(index::ticks).toList();
    }
}
