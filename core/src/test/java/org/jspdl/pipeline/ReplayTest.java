package org.jspdl.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jspdl.pipeline.Remainder.KEEP;
import static org.jspdl.pipeline.StageOptions.cpu;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspdl.source.Samplers;
import org.jspdl.source.Sources;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Skipped items, recorded and run again.
class ReplayTest {
    @TempDir
    Path folder;

    private final AtomicBoolean mended = new AtomicBoolean();

    private Pipeline<List<Long>> recipe() {
        return Pipeline.from(Samplers.shuffled(50, 3))
                .pipe("decode", item -> fail("decode", item % 10 == 3, item), cpu(3))
                .batch(4, KEEP)
                .pipe("stack", batch -> fail("stack", batch.contains(7L), batch), cpu(2));
    }

    private <T> T fail(String stage, boolean fails, T item) {
        if (fails && !mended.get()) {
            throw new IllegalStateException("cannot " + stage + " " + item);
        }
        return item;
    }

    @Test
    void everySkippedItemIsRecordedInTheFileAndFailsAgainInTheSameStageForTheSameReason() throws Exception {
        Path file = folder.resolve("skipped.jsonl");
        try (QuarantineFile quarantine = QuarantineFile.open(file);
                Run<List<Long>> run = recipe().start(RunOptions.defaults()
                        .epochs(2)
                        .failures(FailurePolicy.skip(100).quarantine(quarantine)))) {
            do {
                run.forEach(batch -> {});
            } while (run.nextEpoch());
        }

        List<FailedItem> items = QuarantineFile.read(file);
        List<Replayed> replayed = Pipelines.replay(recipe(), items, RunOptions.defaults());

        assertThat(items).hasSize(12);
        assertThat(items).filteredOn(item -> item.stage().equals("decode")).hasSize(10);
        assertThat(replayed).allSatisfy(again -> {
            assertThat(again.results()).isEmpty();
            assertThat(again.item().cause().getMessage())
                    .endsWith(again.failure().orElseThrow().getMessage());
        });
    }

    @Test
    void aGroupIsFormedAgainFromItsOwnMembersAndAMendedStageReturnsIt() {
        ConcurrentLinkedQueue<FailedItem> skipped = new ConcurrentLinkedQueue<>();
        try (Run<List<Long>> run = recipe().start(
                        RunOptions.defaults().failures(FailurePolicy.skip(100).quarantine(skipped::add)))) {
            run.forEach(batch -> {});
        }
        FailedItem group = skipped.stream()
                .filter(item -> item.stage().equals("stack"))
                .findFirst()
                .orElseThrow();
        mended.set(true);

        Replayed again = Pipelines.replay(recipe(), List.of(group), RunOptions.defaults())
                .getFirst();

        assertThat(again.failure()).isEmpty();
        assertThat(again.results()).singleElement().hasToString(group.input());
    }

    @Test
    void aDamagedFileNamesItselfAndTheLine() throws Exception {
        Path file = Files.writeString(folder.resolve("damaged.jsonl"), "{\"time\":\"2026-01-01T00:00:00Z\"}\n");

        assertThatThrownBy(() -> QuarantineFile.read(file))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("damaged.jsonl, line 1");
    }

    @Test
    void aSourceThatIsNotRandomAccessIsRefusedByName() {
        Pipeline<Long> pipeline = Pipeline.from(
                        Sources.of((Iterable<Long>) () -> List.of(1L, 2L).iterator()))
                .pipe("decode", item -> fail("decode", true, item), cpu(1));
        ConcurrentLinkedQueue<FailedItem> skipped = new ConcurrentLinkedQueue<>();
        try (Run<Long> run = pipeline.start(
                RunOptions.defaults().failures(FailurePolicy.skip(9).quarantine(skipped::add)))) {
            run.forEach(item -> {});
        }

        assertThatThrownBy(() -> Pipelines.replay(pipeline, List.copyOf(skipped), RunOptions.defaults()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("source 'source' is not random-access");
    }
}
