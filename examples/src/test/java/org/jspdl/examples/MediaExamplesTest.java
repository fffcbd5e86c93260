package org.jspdl.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
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

        assertThat(printed(() -> ClipBatches.main(new String[] {folder.toString()})))
                .startsWith("batch 1: [4, 3, 8, 112, 112]" + System.lineSeparator() + "batch 2: [2, 3, 8, 112, 112]")
                .contains("Limited by ");
    }

    @Test
    void soundsOfDifferentLengthAreMasked() throws Exception {
        ffmpeg("sine=frequency=440:sample_rate=44100:duration=1", "-c:a flac", "a.flac");
        ffmpeg("sine=frequency=440:sample_rate=16000:duration=3", "-c:a pcm_s16le", "b.wav");

        assertThat(printed(() -> AudioBatches.main(new String[] {folder.toString()})))
                .startsWith("batch 1: [2, 1, 32000], 75 % sound")
                .contains("Limited by ");
    }

    private void ffmpeg(String source, String options, String name) throws Exception {
        String command = "ffmpeg -v error -f lavfi -i " + source + " " + options + " " + folder.resolve(name);
        int code = new ProcessBuilder(command.split(" ")).inheritIO().start().waitFor();
        assertThat(code).as(command).isZero();
    }

    private interface Program {
        void run() throws Exception;
    }

    private static String printed(Program program) throws Exception {
        PrintStream before = System.out;
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        System.setOut(new PrintStream(bytes, true, StandardCharsets.UTF_8));
        try {
            program.run();
        } finally {
            System.setOut(before);
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
