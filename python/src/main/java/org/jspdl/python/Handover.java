package org.jspdl.python;

import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspdl.json.Json;
import org.jspdl.json.JsonWriter;
import org.jspdl.pipeline.Checkpoint;
import org.jspdl.pipeline.FailedItem;
import org.jspdl.pipeline.PipelineException;
import org.jspdl.pipeline.Run;
import org.jspdl.plan.PlanException;
import org.jspdl.python.function.PythonFunctions;
import org.jspdl.python.item.ItemContent;
import org.jspdl.python.item.ItemDisposer;
import org.jspdl.python.wire.Failures;
import org.jspdl.python.wire.FrameWriter;
import org.jspecify.annotations.Nullable;

/// The consumer of the run: takes its items, has them placed in the ring, and says so to the trainer.
///
/// It goes on until the trainer is gone. A new epoch before the old one's end, or a state to go on from, ends the run
/// and starts another: a *generation*. Used by one thread; [#current] may be read by any.
final class Handover {
    private static final Duration FOREVER = Duration.ofDays(100_000);
    /// Larger batches are announced at once, smaller ones in groups when the trainer is behind.
    private static final long AT_ONCE_BYTES = 1 << 16;
    /// Structures are forgotten beyond this number.
    private static final int MOST_STRUCTURES = 1024;

    private final PythonFunctions functions;
    private volatile Settings settings;
    private final SharedSlots ring;
    private final HeldItems held;
    private final FrameWriter frames;
    private final HandoverControl control;
    private final Consumer<FailedItem> failures;
    private final ItemPlacer placement;
    private final CountDownLatch wanted = new CountDownLatch(1);
    private final Map<String, Long> structures = new HashMap<>();
    private final AtomicReference<@Nullable Generation> current = new AtomicReference<>();
    private long structureCount;
    private long generations;
    private long event;

    Handover(
            Settings settings,
            SharedSlots ring,
            HeldItems held,
            FrameWriter frames,
            HandoverControl control,
            PythonFunctions functions,
            Consumer<FailedItem> failures) {
        this.settings = settings;
        this.functions = functions;
        this.ring = ring;
        this.held = held;
        this.frames = frames;
        this.control = control;
        this.failures = failures;
        this.placement = new ItemPlacer(ring, frames::flush);
    }

    /// The generation that hands over now, or did last.
    Optional<Generation> current() {
        return Optional.ofNullable(current.get());
    }

    /// The trainer asks for its first batch. Until then the run makes no more than its own bounds let it: the
    /// trainer is still importing, building its model, and wants the processors for that.
    void wanted() {
        wanted.countDown();
    }

    /// Runs that start from here on are as `others` say: no order to go on elsewhere may overtake that.
    void change(Settings others) {
        settings = others;
    }

    ItemPlacer placement() {
        return placement;
    }

    /// Hands over until the trainer is gone.
    void run() throws IOException, InterruptedException {
        HandoverControl.Next next = new HandoverControl.Next.At(settings.resumeFrom());
        while (!(next instanceof HandoverControl.Next.End)) {
            try (Generation generation =
                    Generation.start(generations, settings, ring, functions, failures, start(next))) {
                current.set(generation);
                event = 0;
                frames.send(FrameWriter.READY, generations, ready(generation));
                control.begin();
                deliver(generation);
                frames.flush();
                frames.send(FrameWriter.END, generations, "");
            } catch (InterruptedException elsewhere) {
                // what to do instead is known to `control`
            } catch (PlanException wrong) {
                failed("plan", wrong);
            } catch (PipelineException failure) {
                failed("run", failure);
            } catch (IllegalArgumentException | IllegalStateException wrong) {
                failed("plan", wrong);
            } finally {
                control.end();
            }
            next = control.await();
            generations = control.generation();
        }
    }

    private Optional<Checkpoint> start(HandoverControl.Next next) {
        return switch (next) {
            case HandoverControl.Next.At(String state) -> checkpoint(state);
            case HandoverControl.Next.Epoch(long epoch) ->
                Optional.of(current().orElseThrow().checkpoint(event).startOfEpoch(epoch));
            case HandoverControl.Next.End _ -> Optional.empty();
        };
    }

    /// The checkpoint that a state says, or what those of all ranks make; empty for the beginning.
    static Optional<Checkpoint> checkpoint(String state) {
        List<Checkpoint> ranks = state.lines().map(Checkpoint::parse).toList();
        return ranks.size() > 1
                ? Optional.of(Checkpoint.combine(ranks))
                : ranks.stream().findFirst();
    }

    private void failed(String kind, Exception failure) throws IOException {
        frames.flush();
        frames.send(FrameWriter.FAILED, generations, Failures.told(kind, failure));
    }

    /// What is said of a run that has started, as JSON.
    static String ready(Generation generation) {
        OptionalLong size = generation.plan().size();
        return JsonWriter.compact()
                .beginObject()
                .put("size", size.isPresent() && !generation.leavesOut() ? size.getAsLong() : null)
                .put("epoch", generation.run().epoch())
                .put("epochs", generation.epochs().orElse(null))
                .put("yields", generation.plan().output().toString())
                .put(
                        "classes",
                        generation.classes().stream().map(Json::wellFormed).toList())
                .endObject()
                .document();
    }

    private void deliver(Generation generation) throws IOException, InterruptedException {
        Run<?> run = generation.run();
        long began = System.nanoTime();
        wanted.await();
        generation.credit().waited(System.nanoTime() - began);
        do {
            while (!run.epochEnded()) {
                if (generation.credit().isSpent()) {
                    frames.flush();
                    generation.credit().await();
                }
                Optional<?> item = run.poll(Duration.ZERO);
                if (item.isEmpty() && !run.epochEnded()) {
                    frames.flush();
                    item = run.poll(FOREVER);
                }
                if (item.isPresent()) {
                    handOver(item.get(), generation);
                }
            }
            frames.flush();
            generation.mark(++event);
            generation.credit().endEpoch();
            frames.send(FrameWriter.EPOCH_END, generations, Json.write(Map.of("number", event)));
        } while (run.nextEpoch());
    }

    private void handOver(Object item, Generation generation) throws IOException, InterruptedException {
        ItemContent content;
        ItemPlacer.Placed placed;
        try {
            generation.record(item);
            content = ItemContent.of(item);
            placed = placement.place(content.pieces());
        } catch (Throwable failure) {
            ItemDisposer.close(item);
            throw failure;
        }
        generation.handedOut();
        if (placed.copied()) {
            ItemDisposer.close(item);
        }
        ring.handedOver(placed.slots());
        held.hold(placed.slots(), () -> letGo(placed, item, generation));
        generation.mark(++event);
        boolean behind = generation.credit().handOver(placed.bytes());
        String structure = content.structure();
        Long known = structures.get(structure);
        long number = known == null ? remember(structure) : known;
        frames.batch(new FrameWriter.Announcement(
                event,
                generation.number(),
                number,
                known == null ? structure : null,
                placed.offsets(),
                content.values()));
        if (behind || placed.bytes() >= AT_ONCE_BYTES) {
            frames.flush();
        }
    }

    private long remember(String structure) {
        if (structures.size() == MOST_STRUCTURES) {
            structures.clear();
        }
        structures.put(structure, ++structureCount);
        return structureCount;
    }

    private void letGo(ItemPlacer.Placed placed, Object item, Generation generation) {
        try {
            if (!placed.copied()) {
                ItemDisposer.close(item);
            }
            if (placed.own() >= 0) {
                ring.release(placed.own());
            }
        } finally {
            generation.letGo();
        }
    }
}
