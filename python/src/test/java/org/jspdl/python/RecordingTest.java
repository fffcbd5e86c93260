package org.jspdl.python;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.Map;
import org.jspdl.memory.Closeables;
import org.jspdl.plan.Operations;
import org.jspdl.plan.record.RebuiltBatch;
import org.jspdl.plan.record.RecordedRun;
import org.jspdl.python.function.PythonFunctions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a loader of Python records can be built again.
class RecordingTest {
    private static final String PLAN = "{\"source\": {\"range\": {\"size\": 5}}, \"steps\": [{\"batch\": 1}]}";

    @TempDir
    Path folder;

    @Test
    void aStepOfAnEpochThatOnlyTheTrainerAskedForIsBuiltAgain() throws Exception {
        Path file = folder.resolve("ring");
        try (RandomAccessFile ring = new RandomAccessFile(file.toFile(), "rw")) {
            ring.setLength(8 * 4096);
        }
        Path record = folder.resolve("record");
        Settings settings = Settings.of(
                Map.of("name", "plan.json", "plan", PLAN, "folder", folder.toString(), "record", record.toString()));
        try (SharedSlots ring = SharedSlots.map(file, 8, 4096);
                Generation generation =
                        Generation.start(0, settings, ring, new PythonFunctions(), _ -> {}, Handover.checkpoint(""))) {
            for (int epoch = 0; epoch < 3; epoch++) {
                generation.run().forEach(item -> {
                    generation.record(item);
                    Closeables.closeItem(item);
                });
                assertThat(generation.run().nextEpoch()).isTrue();
            }
        }

        try (RebuiltBatch batch = RecordedRun.find(record, 0, 12).rebuild(Operations.installed(), context -> context)) {
            assertThat(batch.epoch()).isEqualTo(2);
            assertThat(batch.wasCompared()).isTrue();
        }
    }
}
