package org.jspdl.pipeline.internal.stage;

import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspdl.pipeline.FailedItem;
import org.jspdl.pipeline.PipelineException;
import org.jspdl.pipeline.internal.checkpoint.RunState.EpochState;
import org.jspdl.pipeline.internal.checkpoint.RunState.SourceState;
import org.jspdl.pipeline.internal.failure.Descriptions;
import org.jspdl.pipeline.internal.lineage.Ledger;
import org.jspdl.pipeline.internal.lineage.Lineage;
import org.jspdl.pipeline.internal.link.Envelope;
import org.jspdl.pipeline.internal.link.Link;
import org.jspdl.pipeline.internal.recipe.Recipe;
import org.jspdl.source.Cursor;
import org.jspdl.source.ElasticSource;
import org.jspdl.source.Position;
import org.jspdl.source.RankedSource;
import org.jspdl.source.Source;
import org.jspecify.annotations.Nullable;

/// Reads a source, epoch after epoch.
///
/// A resumed run first reads the places that were admitted and not settled, in their order, then goes on where the
/// first run stood.
public final class SourceStage extends ThreadStage {

    private final Source<?> source;
    private final int index;
    private final @Nullable SourceState resumed;
    private final long firstEpoch;
    private final long epochs;
    private final Link output;
    private final Fusion fused;
    private final Ledger ledger;
    private Position position = Position.START;

    /// @param firstEpoch the epoch that the consumer receives first
    public SourceStage(
            RunContext run,
            String name,
            Source<?> source,
            int index,
            @Nullable SourceState resumed,
            long firstEpoch,
            List<Recipe.FusedStep> fused,
            Link output) {
        super(run, name, 1, Threads.ENGINE, List.of(), List.of(output));
        this.source = resumed != null && source instanceof ElasticSource<?> elastic
                ? elastic.sharing(resumed.shares())
                : source;
        this.index = index;
        this.resumed = resumed;
        this.firstEpoch = firstEpoch;
        this.epochs = run.options().epochs();
        this.output = output;
        this.fused = new Fusion(fused, run);
        this.ledger = run.ledger();
        List<Ledger.Place> again = new ArrayList<>();
        List<Ledger.SourceCursor> next = new ArrayList<>();
        if (resumed == null) {
            next.add(new Ledger.SourceCursor(firstEpoch, Position.START));
        } else {
            for (EpochState left : resumed.epochs()) {
                left.pending().forEach(place -> again.add(new Ledger.Place(index, left.epoch(), place)));
                if (left.goesOn()) {
                    next.add(new Ledger.SourceCursor(left.epoch(), left.next()));
                }
            }
        }
        ledger.addSource(again, next, firstEpoch, resumed);
    }

    @Override
    public void work(WorkerSlot slot) throws InterruptedException {
        for (long epoch = firstEpoch; epoch < epochs; epoch++) {
            if (!readEpoch(epoch, slot)) {
                return;
            }
            output.mark(Envelope.epochEnd(epoch));
        }
        output.mark(Envelope.end());
    }

    private boolean readEpoch(long epoch, WorkerSlot slot) throws InterruptedException {
        try {
            EpochState left = left(epoch);
            announce(left);
            if (!readPending(left, slot)) {
                return false;
            }
            boolean open = !left.goesOn() || read(epoch, left.next(), slot);
            if (open && left.goesOn()) {
                ledger.epochRead(index, epoch);
            }
            return open;
        } catch (InterruptedException stop) {
            throw stop;
        } catch (Throwable failure) {
            slot.failed++;
            throw new PipelineException(
                    name,
                    PipelineException.Kind.SOURCE,
                    Optional.of(new FailedItem.Place(index, epoch, position)),
                    "pipeline '" + run.pipeline() + "', source '" + name + "' failed at epoch " + epoch + ", "
                            + position + ": " + Descriptions.of(failure),
                    failure);
        }
    }

    private EpochState left(long epoch) {
        if (resumed != null) {
            for (EpochState state : resumed.epochs()) {
                if (state.epoch() == epoch) {
                    return state;
                }
            }
            if (epoch < resumed.epochs().getLast().epoch()) {
                return new EpochState(epoch, List.of(), false, Position.START);
            }
        }
        return EpochState.whole(epoch);
    }

    private void announce(EpochState left) {
        if (source.resume() == Source.Resume.REPLAY && left.readAgain() > 0) {
            System.getLogger(SourceStage.class.getName())
                    .log(
                            Level.INFO,
                            "pipeline '" + run.pipeline() + "': source '" + name + "' can't seek; the first "
                                    + left.readAgain() + " items of epoch " + left.epoch() + " are read again");
        }
    }

    private boolean readPending(EpochState left, WorkerSlot slot) throws Exception {
        if (left.pending().isEmpty()) {
            return true;
        }
        return switch (source.resume()) {
            case SEEK -> seekPending(left, slot);
            case REPLAY -> replayPending(left, slot);
            case NONE -> throw new IllegalStateException("the source can't be resumed");
        };
    }

    private boolean seekPending(EpochState left, WorkerSlot slot) throws Exception {
        List<Position> places = left.pending();
        int next = 0;
        while (next < places.size()) {
            position = places.get(next);
            try (Cursor<?> cursor = source.open(left.epoch(), position)) {
                while (next < places.size() && places.get(next).equals(position)) {
                    if (output.isLeft(left.epoch())) {
                        return true;
                    }
                    if (!reserve(output, slot)) {
                        return false;
                    }
                    if (!passAgain(cursor, left.epoch(), slot)) {
                        return true;
                    }
                    next++;
                }
            }
        }
        return true;
    }

    private boolean replayPending(EpochState left, WorkerSlot slot) throws Exception {
        List<Position> places = left.pending();
        int next = 0;
        while (next < places.size()) {
            int end = next + 1;
            while (end < places.size() && owner(places.get(end)).equals(owner(places.get(next)))) {
                end++;
            }
            if (!replay(left.epoch(), places.subList(next, end), slot)) {
                return false;
            }
            next = end;
        }
        return true;
    }

    private String owner(Position place) {
        return source instanceof ElasticSource<?> elastic ? elastic.owner(place) : "";
    }

    /// Reads on from the first of `again` to the last of them, which may come in another order; false if the run
    /// stops.
    private boolean replay(long epoch, List<Position> again, WorkerSlot slot) throws Exception {
        Set<Position> places = new HashSet<>(again);
        position = again.getFirst();
        try (Cursor<?> cursor = source.open(epoch, position)) {
            while (!places.isEmpty() && !output.isLeft(epoch)) {
                if (!reserve(output, slot)) {
                    return false;
                }
                if (places.remove(position)) {
                    if (!passAgain(cursor, epoch, slot)) {
                        return true;
                    }
                } else {
                    output.unreserve();
                    if (!cursor.advance()) {
                        throw new IllegalStateException("the source ends before a place it had in an earlier run");
                    }
                    run.disposal().dispose((Object) cursor.item());
                    position = cursor.position();
                }
            }
        }
        return true;
    }

    /// Reads an item of an earlier run; false if nothing more of the epoch is wanted.
    private boolean passAgain(Cursor<?> cursor, long epoch, WorkerSlot slot) throws Exception {
        boolean passed = pass(cursor, epoch, false, slot);
        if (!passed && !output.isLeft(epoch)) {
            throw new IllegalStateException("the source ends before a place it had in an earlier run");
        }
        return passed;
    }

    private boolean read(long epoch, Position from, WorkerSlot slot) throws Exception {
        position = source instanceof RankedSource<?> ranked && from.equals(Position.START)
                ? Position.at(ranked.rank())
                : from;
        try (Cursor<?> cursor = source.open(epoch, position)) {
            // which also tells whose share the first item is of
            position = source instanceof ElasticSource<?> ? cursor.position() : position;
            while (!output.isLeft(epoch)) {
                if (stopped() || !reserve(output, slot)) {
                    return false;
                }
                if (!pass(cursor, epoch, true, slot)) {
                    // A cursor may answer an interrupt by an end.
                    return !stopped();
                }
            }
            return true;
        }
    }

    /// Reads one item into the room that was reserved for it; false, and the room is released, at the end of the
    /// epoch, or if nothing more of it is wanted.
    private boolean pass(Cursor<?> cursor, long epoch, boolean goesOn, WorkerSlot slot) throws Exception {
        long estimate = admit(epoch, slot);
        if (estimate == Budget.UNWANTED) {
            output.unreserve();
            return false;
        }
        long start = System.nanoTime();
        slot.enter(WorkerSlot.State.BUSY, start);
        boolean more = false;
        try {
            more = cursor.advance();
        } finally {
            if (!more) {
                run.budget().cancel(index, estimate);
            }
        }
        if (!more) {
            guard().forgetInterrupt();
            slot.enter(WorkerSlot.State.ENGINE, System.nanoTime());
            output.unreserve();
            return false;
        }
        Object item = cursor.item();
        if (item == null) {
            throw new NullPointerException("the source yielded null");
        }
        Position place = cursor.place().orElse(position);
        position = cursor.position();
        Lineage.Origin origin = ledger.admit(index, epoch, place, goesOn ? position : null);
        Envelope envelope = Envelope.item(item, epoch, origin);
        envelope.bytes = estimate;
        Throwable failure = null;
        boolean passed = false;
        try {
            guard().refuse(envelope);
            passed = fused.apply(envelope);
        } catch (Throwable thrown) {
            failure = thrown;
        }
        guard().forgetInterrupt();
        long end = System.nanoTime();
        ItemObservers observers = run.items();
        if (observers != null) {
            boolean first = source instanceof RankedSource<?> && place.equals(Position.START);
            long common = first ? ((RankedSource<?>) source).rank() : place.index();
            guard().tell(() -> observers.admitted(name, origin, common, start, end));
        }
        slot.enter(WorkerSlot.State.ENGINE, end);
        slot.called(end - start);
        if (failure != null) {
            output.unreserve();
            failed(envelope, item, failure, slot);
            return true;
        }
        if (passed) {
            slot.completed++;
            output.put(envelope);
        } else {
            slot.filtered++;
            output.unreserve();
            settled(envelope);
        }
        if (!fused.isEmpty()) {
            guard().succeeded();
        }
        return true;
    }

    /// Waits for the byte budget, which counts as waiting for room.
    private long admit(long epoch, WorkerSlot slot) throws InterruptedException {
        if (run.budget().isUnlimited()) {
            return 0;
        }
        slot.enter(WorkerSlot.State.BLOCKED, System.nanoTime());
        return run.budget().admit(index, epoch, slot, () -> output.isLeft(epoch));
    }

    @Override
    public void outputLeft() {
        run.budget().wake();
    }

    @Override
    public String placement() {
        return "source";
    }
}
