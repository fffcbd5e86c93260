package org.jspdl.data.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jspdl.data.plan.PlanRuns.batches;
import static org.jspdl.data.plan.PlanRuns.listed;
import static org.jspdl.data.plan.PlanRuns.numbers;
import static org.jspdl.data.plan.PlanRuns.tensor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspdl.testing.Programs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The layouts of `docs/how-to/datasets.md` that are no images: FLAC and MP4 are FFmpeg's.
class SpeechAndVideoLayoutsTest {
    @TempDir
    Path folder;

    private void made(String path, String how) throws IOException {
        Files.createDirectories(folder.resolve(path).getParent());
        Programs.run("ffmpeg -v error -y -f lavfi " + how + " " + folder.resolve(path));
    }

    private void write(String path, String content) throws IOException {
        Files.createDirectories(folder.resolve(path).getParent());
        Files.writeString(folder.resolve(path), content);
    }

    private void sound(String path, String seconds) throws IOException {
        made(path, "-i sine=frequency=440:sample_rate=16000:duration=" + seconds);
    }

    private void clip(String path) throws IOException {
        made(path, "-i testsrc2=size=64x48:rate=25:duration=0.4 -c:v mpeg4");
    }

    @Test
    void librispeech() throws IOException {
        sound("LibriSpeech/dev-clean/84/121123/84-121123-0000.flac", "0.01");
        sound("LibriSpeech/dev-clean/84/121123/84-121123-0001.flac", "0.02");
        sound("LibriSpeech/dev-clean/1272/128104/1272-128104-0000.flac", "0.01");
        write(
                "LibriSpeech/dev-clean/84/121123/84-121123.trans.txt",
                "84-121123-0000 GO DO YOU HEAR\n84-121123-0001 BUT IN LESS THAN FIVE MINUTES\n");
        write("LibriSpeech/dev-clean/1272/128104/1272-128104.trans.txt", "1272-128104-0000 MISTER QUILTER\n");

        List<Map<String, Object>> batches = batches(folder, """
                source: {files: {path: LibriSpeech/dev-clean, transcripts: true}}
                steps:
                  - {load-audio: {sample-rate: 16000}, cpu: 2, order: input}
                  - batch: 3
                  - collate: {pad: [audio]}
                """);

        assertThat(listed(batches, "text"))
                .containsExactly("MISTER QUILTER", "GO DO YOU HEAR", "BUT IN LESS THAN FIVE MINUTES");
        assertThat(numbers(batches, "label")).containsExactly(0.0, 1.0, 1.0);
        assertThat(numbers(batches, "audio_length")).containsExactly(160.0, 160.0, 320.0);
        assertThat(tensor(batches.getFirst(), "audio").shape()).hasToString("[3, 1, 320]");
        assertThatThrownBy(() ->
                        batches(folder, "source: {files: {path: LibriSpeech, glob: '**/*.flac', transcripts: true}}\n"))
                .hasMessageContaining("'transcripts' goes with neither 'glob' nor 'labels'");
    }

    @Test
    void kineticsInFoldersOfClassesAndFlatWithItsList() throws IOException {
        clip("classes/abseiling/abc_000010_000020.mp4");
        clip("classes/zumba/x-y_000000_000010.mp4");
        clip("flat/abc_000010_000020.mp4");
        clip("flat/x-y_000000_000010.mp4");
        write(
                "train.csv",
                "label,youtube_id,time_start,time_end,split\nzumba,x-y,0,10,train\nabseiling,abc,10,20,train\n");
        String steps = """

                steps:
                  - {load-video: {frames: 4, resize: 6, size: 6, dtype: uint8}, cpu: 2, order: input}
                  - batch: 2
                  - collate: {}
                """;

        for (String source : new String[] {"path: classes", "path: flat, labels: train.csv"}) {
            List<Map<String, Object>> batches = batches(folder, "source: {files: {" + source + "}}" + steps);

            assertThat(numbers(batches, "label")).as(source).containsExactly(0.0, 1.0);
            assertThat(tensor(batches.getFirst(), "video").shape()).hasToString("[2, 4, 3, 6, 6]");
        }
    }
}
