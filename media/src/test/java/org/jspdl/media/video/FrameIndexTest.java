package org.jspdl.media.video;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.jspdl.media.stream.TestMedia;
import org.jspdl.memory.Tensor;
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

    @ParameterizedTest
    @MethodSource("timedVideos")
    void theFramesAreThoseThatComeOut(String name) {
        Path file = TestMedia.file(name);
        assertThat(times(Video.index(file))).isEqualTo(TestMedia.times(file));
    }

    private static List<Long> times(FrameIndex index) {
        return IntStream.range(0, index.frames()).mapToObj(index::ticks).toList();
    }
}
