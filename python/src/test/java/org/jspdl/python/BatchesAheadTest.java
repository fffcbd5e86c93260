package org.jspdl.python;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspdl.python.function.PythonFunctions;
import org.jspdl.python.wire.FrameWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// How many slots of the ring are ever in use, where the memory of a batch is taken as its first sample is let in, as
/// for images.
@Timeout(60)
class BatchesAheadTest {
    private static final int SLOTS = 64;
    private static final int BATCH = 1 << 20; // so large that no more are ahead than are asked for
    private static final int BATCHES = 200;

    @TempDir
    private Path folder;

    private final Frames frames = new Frames(BATCH);
    private final HeldItems held = new HeldItems(SLOTS);
    private final ArrayDeque<Frames.Event> ready = new ArrayDeque<>();
    private long taken;
    private int inHand = -1;
    private int letGo = -1;
    private int ahead;

    /// What a trainer does to the loader, as the package does it: a slot goes back as the next batch is asked for.
    private interface Trainer {
        void trains(Handover loader) throws InterruptedException;
    }

    private void ask(Handover loader) {
        if (letGo >= 0) {
            held.release(letGo);
            letGo = -1;
        }
        if (taken > 0) {
            loader.current().orElseThrow().taken(taken);
        }
    }

    private void take() throws InterruptedException {
        Frames.Event event = ready.isEmpty() ? frames.next() : ready.remove();
        taken = event.number();
        letGo = inHand;
        inHand = event.slot();
    }

    private void awaitReady(int batches) throws InterruptedException {
        while (ready.size() < batches) {
            ready.add(frames.next());
        }
    }

    /// A trainer that is busy with each batch until so many others are ready.
    private Trainer busyUntil(int batches) {
        return loader -> {
            for (int i = 0; i < BATCHES; i++) {
                ask(loader);
                take();
                awaitReady(batches);
            }
        };
    }

    /// A trainer that keeps batches, and is never busy.
    private Trainer keeping(int batches) {
        return loader -> {
            ArrayDeque<Integer> kept = new ArrayDeque<>();
            for (int i = 0; i < BATCHES; i++) {
                if (taken > 0) {
                    loader.current().orElseThrow().taken(taken);
                }
                Frames.Event event = frames.next();
                taken = event.number();
                kept.add(event.slot());
                if (kept.size() > batches) {
                    held.release(kept.remove());
                }
            }
            kept.forEach(held::release);
        };
    }

    /// How many slots were ever in use.
    private int mostSlots(int prefetch, boolean oneBudget, Trainer trainer) throws Exception {
        Path file = folder.resolve("ring");
        try (RandomAccessFile sized = new RandomAccessFile(file.toFile(), "rw")) {
            sized.setLength((long) SLOTS * BATCH);
        }
        String plan = "{\"source\": {\"range\": {\"size\": 1000}}, \"steps\": [{\"filled\": {\"bytes\": " + BATCH
                + "}}], \"prefetch\": 1, \"memory-budget\": {\"bytes\": " + 2 * BATCH + ", \"item\": " + BATCH + "}}";
        Map<String, String> said = new LinkedHashMap<>();
        said.put("name", "plan.json");
        said.put("plan", plan);
        said.put("folder", folder.toString());
        said.put("prefetch", String.valueOf(prefetch));
        said.put("one_budget", String.valueOf(oneBudget));
        said.put("epochs", "1");
        try (SharedSlots ring = SharedSlots.map(file, SLOTS, BATCH)) {
            return mostSlots(Settings.of(said), ring, trainer);
        }
    }

    private int mostSlots(Settings settings, SharedSlots ring, Trainer trainer) throws Exception {
        HandoverControl[] control = new HandoverControl[1];
        Handover[] loader = new Handover[1];
        Thread thread = Thread.ofPlatform().unstarted(() -> run(loader[0]));
        control[0] = new HandoverControl(thread);
        loader[0] = new Handover(
                settings, ring, held, new FrameWriter(frames), control[0], new PythonFunctions(), item -> {});
        thread.start();
        loader[0].wanted();
        trainer.trains(loader[0]);
        SharedSlots.Figures figures = ring.figures();
        ahead = loader[0].current().orElseThrow().credit().prefetch();
        control[0].to(new HandoverControl.Next.End());
        thread.join();
        held.releaseAll();
        return SLOTS - figures.leastFree();
    }

    private static void run(Handover loader) {
        try {
            loader.run();
        } catch (IOException | InterruptedException failure) {
            throw new IllegalStateException(failure);
        }
    }

    @Test
    void aTrainerThatIsBusyHasOneBatchOneIsReadyAndTheThirdIsFilledWhenItAsks() throws Exception {
        assertThat(mostSlots(0, true, busyUntil(1))).isEqualTo(3);
    }

    @Test
    void aTrainerThatWaitsHasOneBatchAndTwoAreFilled() throws Exception {
        assertThat(mostSlots(0, true, busyUntil(0))).isLessThanOrEqualTo(2 + ahead); // one unless it was uneven
    }

    @Test
    void aTrainerGetsTheNextBatchHoweverManyItKeeps() throws Exception {
        assertThat(mostSlots(0, true, keeping(10))).isBetween(11, 13 + ahead); // 14 unless it was uneven
    }

    @Test
    void whoAsksForBatchesAheadHasThoseThatTheRunHoldsBeside() throws Exception {
        assertThat(mostSlots(3, true, busyUntil(3))).isBetween(5, 7);
    }

    @Test
    void otherPlansHoldTwoMore() throws Exception {
        assertThat(mostSlots(0, false, busyUntil(1))).isBetween(3, 5);
    }
}
