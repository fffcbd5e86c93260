package org.jspdl.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.jspdl.testing.Programs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MediaExamplesTest {
    @TempDir
    Path folder;

    @Test
    void threeVideosBecomeTwoBatchesOfClips() throws Exception {
        for (int i = 0; i < 3; i++) {
            ffmpeg("testsrc2=size=160x120:rate=25:duration=1.2", "-c:v mpeg4 -g 12", "video" + i + ".mp4");
        }

        assertThat(Printed.by(() -> ClipBatches.main(new String[] {folder.toString()})))
                .startsWith("batch 1: [4, 3, 8, 112, 112]" + System.lineSeparator() + "batch 2: [2, 3, 8, 112, 112]")
                .contains("Bottleneck: ");
    }

    @Test
    void soundsOfDifferentLengthAreMasked() throws Exception {
        ffmpeg("sine=frequency=440:sample_rate=44100:duration=1", "-c:a flac", "a.flac");
        ffmpeg("sine=frequency=440:sample_rate=16000:duration=3", "-c:a pcm_s16le", "b.wav");

        assertThat(Printed.by(() -> AudioBatches.main(new String[] {folder.toString()})))
                .startsWith("batch 1: [2, 1, 32000], 75 % sound")
                .contains("Bottleneck: ");
    }

    private void ffmpeg(String source, String options, String name) {
        Programs.run("ffmpeg -v error -f lavfi -i " + source + " " + options + " " + folder.resolve(name));
    }
}
