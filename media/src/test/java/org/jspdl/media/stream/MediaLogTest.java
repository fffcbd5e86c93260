package org.jspdl.media.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspdl.media.audio.Audio;
import org.jspdl.media.audio.AudioSpec;
import org.jspdl.media.frame.DecodeOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MediaLogTest {
    @TempDir
    Path folder;

    @Test
    void ffmpegIsSilentUntilSomebodyListens() throws IOException {
        byte[] damaged = Files.readAllBytes(TestMedia.file("a.mp3"));
        for (int i = damaged.length / 2; i < damaged.length / 2 + 3_000; i++) {
            damaged[i] = (byte) (i * 7);
        }
        List<String> heard = Collections.synchronizedList(new ArrayList<>());
        MediaLog.listen(System.Logger.Level.WARNING, (level, text) -> heard.add(level + " " + text));
        try {
            read(damaged);
            assertThat(heard).isNotEmpty().allMatch(line -> line.startsWith("ERROR ") || line.startsWith("WARNING "));
        } finally {
            MediaLog.silence();
        }
        int before = heard.size();
        read(damaged);
        assertThat(heard).hasSize(before);
    }

    @Test
    void readingPacketsAloneIsSilentToo() throws Exception {
        byte[] damaged = Files.readAllBytes(TestMedia.file("h264.ts"));
        for (int packet = 20; packet < damaged.length / 188; packet += 5) {
            damaged[188 * packet + 3] ^= 0x07; // the counter by which lost packets are noticed
        }
        Path file = Files.write(folder.resolve("damaged.ts"), damaged);
        // In a process of its own, since any decoder that was used before has silenced FFmpeg.
        Process reading = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        PacketsOnly.class.getName(),
                        file.toString())
                .redirectErrorStream(true)
                .start();
        assertThat(new String(reading.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEqualToIgnoringNewLines("read");
        assertThat(reading.waitFor()).isZero();
    }

    static final class PacketsOnly {
        private PacketsOnly() {}

        static void main(String[] arguments) {
            try (Demuxer demuxer = Demuxer.open(MediaSource.of(Path.of(arguments[0])));
                    Packets packets =
                            demuxer.packets(demuxer.info().require(StreamInfo.Kind.VIDEO), TimeWindow.all())) {
                System.out.println(packets.count() > 0 ? "read" : "nothing");
            }
        }
    }

    private static void read(byte[] damaged) {
        AudioSpec lenient =
                AudioSpec.original().decoding(DecodeOptions.standard().damage(DecodeOptions.Damage.SKIPPED));
        Audio.load(MediaSource.of(damaged), lenient).close();
    }
}
