package org.jspdl.media.video;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import org.jspdl.media.image.Channels;
import org.jspdl.media.image.ImageSpec;
import org.jspdl.media.stream.MediaSource;
import org.jspdl.media.stream.TestMedia;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Tensor;
import org.jspdl.testing.Programs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Videos whose stream says that a part of each picture is shown.
class CroppedVideoTest {
    private static final int WIDTH = 96;
    private static final int HEIGHT = 64;

    /// Each size is placed by chance once, also where another comes between.
    @Test
    void framesOfOneSizeAreCutAlikeWhereSizesChange(@TempDir Path folder) throws IOException {
        Path first = folder.resolve("first.h264");
        Path other = folder.resolve("other.h264");
        encode("96x64", first);
        encode("64x112", other);
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (Path part : List.of(first, other, first)) {
            all.writeBytes(Files.readAllBytes(part));
        }
        Path file = Files.write(folder.resolve("all.h264"), all.toByteArray());
        VideoSpec spec = VideoSpec.of(ImageSpec.original().randomCrop(32, 32, 0));
        try (VideoDecoder decoder = VideoDecoder.create(spec);
                BufferPool pool = BufferPool.unbounded("clips")) {
            for (int seed = 0; seed < 5; seed++) {
                try (Tensor clip = decoder.decode(MediaSource.of(file), pool, new SplittableRandom(seed))) {
                    assertThat(clip.shape().extents()).containsExactly(9, 32, 32, 3);
                    for (int i = 0; i < 3; i++) {
                        assertThat(clip.row(i).mismatch(clip.row(i + 6)))
                                .as("frame %d of seed %d", i, seed)
                                .isEqualTo(-1);
                    }
                }
            }
        }
    }

    private static void encode(String size, Path file) {
        Programs.run("ffmpeg -v error -f lavfi -i testsrc2=size=" + size
                + ":rate=25 -frames:v 3 -c:v libx264 -bf 0 -pix_fmt yuv420p " + file);
    }

    /// Whatever the first column is, and not only where lines are then aligned.
    @ParameterizedTest
    @CsvSource({
        "h264, 2, 4, 6, 2", "h264, 14, 0, 0, 0", "h264, 30, 2, 2, 2", "h264, 34, 2, 0, 8",
        "hevc, 2, 4, 6, 2", "hevc, 14, 0, 0, 0", "hevc, 30, 2, 2, 2", "hevc, 34, 2, 0, 8"
    })
    void picturesAreCutWhereTheirStreamSays(
            String codec, int left, int right, int top, int bottom, @TempDir Path folder) {
        Path whole = TestMedia.file(codec + ".mp4");
        Path cut = folder.resolve("cut.mp4");
        Programs.run("ffmpeg -v error -i " + whole + " -c copy -bsf:v " + codec + "_metadata=crop_left=" + left
                + ":crop_right=" + right + ":crop_top=" + top + ":crop_bottom=" + bottom + " " + cut);
        VideoSpec spec = VideoSpec.of(ImageSpec.original().channels(Channels.GRAY));
        int width = WIDTH - left - right;
        int height = HEIGHT - top - bottom;
        try (Tensor all = Video.load(whole, spec);
                Tensor part = Video.load(cut, spec)) {
            assertThat(part.shape().extents()).containsExactly(all.shape().extent(0), height, width, 1);
            for (long n = 0; n < part.shape().extent(0); n++) {
                for (int y = 0; y < height; y++) {
                    for (int x = 0; x < width; x++) {
                        byte actual = part.segment().get(ValueLayout.JAVA_BYTE, (n * height + y) * width + x);
                        long at = (n * HEIGHT + y + top) * WIDTH + x + left;
                        if (actual != all.segment().get(ValueLayout.JAVA_BYTE, at)) {
                            assertThat(actual)
                                    .as("pixel %d, %d of frame %d", x, y, n)
                                    .isEqualTo(all.segment().get(ValueLayout.JAVA_BYTE, at));
                        }
                    }
                }
            }
        }
    }
}
