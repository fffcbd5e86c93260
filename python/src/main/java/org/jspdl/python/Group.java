package org.jspdl.python;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspdl.pipeline.PipelineException;
import org.jspdl.pipeline.Run;
import org.jspdl.plan.PlanException;
import org.jspdl.python.function.PythonFunctions;
import org.jspdl.python.item.ItemContent;
import org.jspdl.python.item.ItemDisposer;
import org.jspdl.python.wire.Failures;
import org.jspecify.annotations.Nullable;

/// Trainers that see the same batches, and the one run that makes them.
///
/// The next batch is made when some member wants it, so that no member waits for another; one that has fallen too far
/// behind is sent off to load by itself. Whoever joins while the first batches are kept gets all of them. The run ends
/// when the last member has left, or when everything is loaded. Thread-safe; the run is used by a thread of its own.
final class Group {
    /// Batches that are kept for those who join; when there are more, nobody joins any more.
    static final int KEPT = 4;

    private static final Duration FOREVER = Duration.ofDays(100_000);

    /// Where a member loads that has to leave.
    interface Elsewhere {
        /// Has `member` go on by itself, behind what it was sent last.
        void goOn(Member member);

        /// Has `member` begin where this group does, by itself: states of the plan cannot be saved.
        void beginApart(Member member);

        /// The group takes nobody any more.
        void closed(Group group);
    }

    private final String key;
    private final Settings settings;
    private final SharedSlots ring;
    private final String from;
    private final Elsewhere elsewhere;
    private final Thread worker;
    private final ItemPlacer placement;
    private final Statistics statistics = new Statistics();

    private final Set<Member> members = new LinkedHashSet<>();
    private @Nullable List<Delivery> kept = new ArrayList<>();
    private int batches;
    private boolean joinable = true;
    private boolean working;
    private boolean over;
    private volatile @Nullable Generation current;

    /// @param key  says what the group loads: of equal keys come equal batches
    /// @param from the checkpoint to go on from, or those of all ranks, one a line; empty for the beginning
    Group(String key, Settings settings, SharedSlots ring, String from, Elsewhere elsewhere) {
        this.key = key;
        this.settings = settings;
        this.ring = ring;
        this.from = from;
        this.elsewhere = elsewhere;
        this.placement = new ItemPlacer(ring, () -> {});
        this.worker = Thread.ofPlatform().name("jspdl-python-group").daemon().unstarted(this::load);
    }

    /// Begins to load, for those who have joined.
    void start() {
        worker.start();
    }

    String key() {
        return key;
    }

    Settings settings() {
        return settings;
    }

    String from() {
        return from;
    }

    /// Takes a member in, which gets everything from the first batch on; false if that is not at hand any more.
    synchronized boolean join(Member member) {
        if (!joinable || over || kept == null) {
            return false;
        }
        members.add(member);
        member.moved(this);
        kept.forEach(member::offer);
        notifyAll();
        return true;
    }

    /// Nobody joins from here on.
    synchronized void keepToItself() {
        joinable = false;
    }

    /// A member goes; with the last one, the run ends.
    void leave(Member member) {
        synchronized (this) {
            members.remove(member);
            if (!members.isEmpty()) {
                notifyAll();
                return;
            }
            over = true;
            notifyAll();
            if (working) {
                working = false;
                worker.interrupt();
            }
        }
        elsewhere.closed(this);
        forget();
    }

    /// A member may want more than before.
    synchronized void demanded() {
        notifyAll();
    }

    /// How many members there are.
    synchronized int size() {
        return members.size();
    }

    /// The run, once it has started.
    Optional<Generation> current() {
        return Optional.ofNullable(current);
    }

    /// What the run has done so far, as JSON.
    String statistics(HeldItems held) {
        Generation generation = current;
        return generation == null ? "{}" : statistics.json(generation, placement, ring, held, size());
    }

    /// Waits until the thread of the run is at its end.
    void awaitEnd() throws InterruptedException {
        worker.join();
    }

    private void load() {
        Generation generation = null;
        try {
            generation = Generation.start(
                    0, settings, ring, new PythonFunctions(), statistics::add, Handover.checkpoint(from));
            current = generation;
            begin();
            partUnlessResumable(generation);
            publish(new Delivery.Ready(
                    Handover.ready(generation), generation, generation.run().ticket()));
            deliver(generation);
            publish(new Delivery.End());
        } catch (InterruptedException left) {
            // nobody is here any more
        } catch (PlanException wrong) {
            failed("plan", wrong);
        } catch (PipelineException failure) {
            failed("run", failure);
        } catch (IllegalArgumentException | IllegalStateException wrong) {
            failed("plan", wrong);
        } catch (Throwable failure) { // want of memory, too: the trainers wait
            failed("loader", failure);
        } finally {
            end();
            if (generation != null) {
                generation.close();
            }
        }
    }

    private void failed(String kind, Throwable failure) {
        String message = failure.getMessage();
        keepToItself(); // who comes later tries again
        publish(new Delivery.Failed(Failures.told(kind, message == null ? failure.toString() : message)));
    }

    private synchronized void begin() throws InterruptedException {
        if (over) {
            throw new InterruptedException();
        }
        working = true;
    }

    private synchronized void end() {
        working = false;
        Thread.interrupted();
    }

    /// Without states nobody could leave when it falls behind, so each member loads by itself.
    private void partUnlessResumable(Generation generation) {
        try {
            var _ = generation.checkpoint(generation.run().ticket());
        } catch (RuntimeException refused) {
            List<Member> others;
            synchronized (this) {
                joinable = false;
                others = members.stream().skip(1).toList();
                members.removeAll(others);
            }
            others.forEach(elsewhere::beginApart);
        }
    }

    private void deliver(Generation generation) throws IOException, InterruptedException {
        Run<?> run = generation.run();
        do {
            while (!run.epochEnded()) {
                awaitDemand(generation);
                Optional<?> item = run.poll(FOREVER);
                if (item.isPresent()) {
                    publish(placed(item.get(), generation));
                }
            }
            publish(new Delivery.EpochEnd(generation, run.ticket()));
        } while (run.nextEpoch());
    }

    private synchronized void awaitDemand(Generation generation) throws InterruptedException {
        if (members.stream().noneMatch(Member::wantsMore)) {
            long began = System.nanoTime();
            while (members.stream().noneMatch(Member::wantsMore)) {
                wait();
            }
            generation.credit().waited(System.nanoTime() - began);
        }
    }

    private Delivery.Batch placed(Object item, Generation generation) throws IOException, InterruptedException {
        ItemContent content;
        ItemPlacer.Placed placed;
        try {
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
        SharedItem shared = new SharedItem(() -> letGo(placed, item, generation));
        return new Delivery.Batch(
                shared,
                content.structure(),
                placed.offsets(),
                placed.slots(),
                content.values(),
                placed.bytes(),
                generation,
                generation.run().ticket());
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

    /// Offers it to all members, and sends those off that are too far behind.
    private void publish(Delivery delivery) {
        List<Member> behind = new ArrayList<>();
        boolean full;
        synchronized (this) {
            for (Member member : List.copyOf(members)) {
                if (member.offer(delivery) && members.size() > 1) {
                    members.remove(member);
                    behind.add(member);
                }
            }
            full = !keep(delivery);
        }
        if (delivery instanceof Delivery.Batch batch) {
            batch.item().release(); // the one of this method; keeping it holds it once more
        }
        if (full) {
            elsewhere.closed(this);
            forget();
        }
        behind.forEach(elsewhere::goOn);
    }

    /// Keeps it for those who join; false if there is no room any more.
    private boolean keep(Delivery delivery) {
        if (kept == null) {
            return true;
        }
        if (delivery instanceof Delivery.Batch) {
            batches++;
        }
        if (over || !joinable || batches > KEPT) {
            return false;
        }
        if (delivery instanceof Delivery.Batch batch) {
            batch.item().hold();
        }
        kept.add(delivery);
        return true;
    }

    /// Lets go of what was kept for those who join.
    private void forget() {
        List<Delivery> forgotten;
        synchronized (this) {
            forgotten = kept == null ? List.of() : kept;
            kept = null;
        }
        for (Delivery delivery : forgotten) {
            if (delivery instanceof Delivery.Batch batch) {
                batch.item().release();
            }
        }
    }
}
