package org.jspdl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.zip.CRC32C;
import org.jspdl.data.image.ImageBatch;
import org.jspdl.data.sample.SampleSet;
import org.jspdl.json.Json;
import org.jspdl.pipeline.Run;
import org.jspdl.plan.CompiledPlan;
import org.jspdl.plan.Operations;
import org.jspdl.plan.Plan;
import org.jspdl.plan.PlanContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `jspdl batch` after `jspdl run --record`, over 20 images in batches of 6.
class BatchCommandTest extends CommandTest {
    @TempDir
    Path folder;

    private Path plan(String decode) throws Exception {
        new SampleSet(20, 1).write(folder.resolve("images"), 2, written -> {});
        return Files.writeString(folder.resolve("plan.yaml"), """
                source: {images: {path: images, shuffle: true, seed: 7}}
                steps:
                  - allocate-batch: {batch-size: 6, size: 32, crop: random-resized-crop}
                  - read-image
                  - {decode-image: {}, %s}
                  - batch: 6
                  - stack-images
                epochs: 2
                """.formatted(decode));
    }

    private static String checksum(ImageBatch batch) {
        CRC32C sum = new CRC32C();
        sum.update(batch.images().segment().asByteBuffer());
        return String.format(Locale.ROOT, "%08x", sum.getValue());
    }

    @Test
    void everyBatchOfARecordedRunIsBuiltAgainToTheBit() throws Exception {
        Path plan = plan("cpu: 2, order: input");
        List<String> checksums = new ArrayList<>();
        try (CompiledPlan compiled = Plan.read(plan).compile(Operations.installed(), PlanContext.in(folder));
                Run<?> run = compiled.start()) {
            do {
                run.forEach(item -> {
                    try (ImageBatch batch = (ImageBatch) item) {
                        checksums.add(checksum(batch));
                    }
                });
            } while (run.nextEpoch());
        }
        String record = folder.resolve("record").toString();
        jspdl("run", plan.toString(), "--record", record, "--no-progress");
        assertThat(err).isEmpty();

        assertThat(checksums).hasSize(8).doesNotHaveDuplicates();
        for (int step = 0; step < checksums.size(); step++) {
            jspdl("batch", "--run", record, "--step", Integer.toString(step), "--json");
            assertThat(err).isEmpty();
            Map<?, ?> batch = (Map<?, ?>) Objects.requireNonNull(Json.parse(out));
            assertThat(batch.get("crc32c")).isEqualTo(Map.of("image", checksums.get(step)));
            assertThat(batch.get("epoch")).isEqualTo(step / 4L);
        }
        jspdl("batch", "--run", record, "--step", "1", "--inspect");
        assertThat(code).isZero();
        assertThat(out)
                .startsWith("step 1 of rank 0, in epoch 0\nbuilt at once\n")
                .contains("sample 5: label ");
    }

    @Test
    void aStepThatTheRunNeverHadIsRefused() throws Exception {
        String record = folder.resolve("record").toString();
        jspdl("run", plan("cpu: 2, order: input").toString(), "--record", record, "--no-progress");

        for (String step : List.of("8", "100")) {
            jspdl("batch", "--run", record, "--step", step);
            assertThat(code).as(step).isEqualTo(1);
            assertThat(err).as(step).contains("the run has ended before that step");
        }
    }

    @Test
    void aBatchThatCannotBeTheSameIsRefusedWithTheReason() throws Exception {
        Path plan = plan("cpu: 2, order: completion");
        String record = folder.resolve("record").toString();
        jspdl("run", plan.toString(), "--record", record, "--no-progress");
        jspdl("batch", "--run", record, "--step", "1");

        assertThat(code).isEqualTo(1);
        assertThat(err).contains("stage 'decode-image' delivers in completion order");
        jspdl("batch", "--run", record);
        assertThat(code).isEqualTo(2);
        assertThat(err).contains("--step");
        jspdl("batch", "--run", folder.resolve("nowhere").toString(), "--step", "1");
        assertThat(err).contains("no record of rank 0");
        jspdl("run", folder.resolve("images").toString(), "--record", record);
        assertThat(err).contains("--record is for plans");
    }
}
