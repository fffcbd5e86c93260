package org.jspdl.pipeline.internal.lineage;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspdl.pipeline.internal.checkpoint.NodeTable;
import org.jspdl.pipeline.internal.checkpoint.Ordinals;
import org.jspdl.pipeline.internal.checkpoint.RunState.BudgetState;
import org.jspdl.pipeline.internal.checkpoint.RunState.MixState;
import org.jspdl.pipeline.internal.checkpoint.RunState.SourceState;
import org.jspdl.pipeline.internal.checkpoint.RunState.StateAt;
import org.jspdl.pipeline.internal.checkpoint.SourceCounts;
import org.jspdl.pipeline.internal.checkpoint.StateJson;
import org.jspdl.pipeline.internal.lineage.Lineage.Drawn;
import org.jspdl.pipeline.internal.lineage.Lineage.Element;
import org.jspdl.pipeline.internal.lineage.Lineage.Group;
import org.jspdl.pipeline.internal.lineage.Lineage.Origin;
import org.jspdl.pipeline.internal.lineage.Lineage.Part;
import org.jspdl.pipeline.internal.lineage.Lineage.Split;
import org.jspdl.pipeline.internal.lineage.Lineage.Thinned;
import org.jspdl.pipeline.internal.lineage.ReadCounts.Outcome;
import org.jspdl.source.Position;
import org.jspecify.annotations.Nullable;

/// Which source items were admitted and are not settled yet, and where the sources stand.
///
/// An item is settled when it was filtered, skipped by policy, or its last output was handed to the consumer. Memory is
/// bounded by the items in flight, however late a straggler is. The lock is a leaf: nothing else is locked while it is
/// held.
public final class Ledger {
    private final ReentrantLock lock = new ReentrantLock();
    /// Sentinel of a circular list in the order of admission.
    private final Origin unsettled = new Origin(-1, -1, Position.START);
    private final List<SourceMark> sources = new ArrayList<>();
    private final Set<Split> splits = new LinkedHashSet<>();
    private final List<MixProgress> draws = new ArrayList<>();
    private final List<EmissionLog> emissions = new ArrayList<>();
    private final Map<Integer, String> settledBefore = new HashMap<>();
    private LineageNodes restored = LineageNodes.finding(new NodeTable());
    /// What remains to be settled with an item that was; empty while nobody holds the lock.
    private final ArrayDeque<Lineage> unsettledParents = new ArrayDeque<>();
    private final ReadCounts settling = new ReadCounts();

    /// What is settled in the order of a live mix; null without one.
    private @Nullable TurnQueue turns;

    private long inFlight;
    /// The last epoch of which something is settled, of any source.
    private long begun = -1;

    /// Where a source will go on.
    private static final class SourceMark {
        /// Places that an earlier run had admitted and that have not come again yet.
        final Set<Place> again = new LinkedHashSet<>();
        /// By epoch, where it goes on. Several when the ranks of an earlier run were in different epochs; never
        /// none.
        final TreeMap<Long, Position> next = new TreeMap<>();
        final ReadCounts.OfSource counts;

        SourceMark(SourceCounts before) {
            counts = new ReadCounts.OfSource(before);
        }
    }

    /// A place of a source.
    public record Place(int source, long epoch, Position position) {}

    public Ledger() {
        unsettled.previous = unsettled;
        unsettled.next = unsettled;
    }

    /// Adds a source that reads the places `again` and goes on where `next` says for each epoch; its number is the
    /// count of sources before it.
    ///
    /// @param first   the epoch in which the run begins
    /// @param resumed what an earlier run has left; null if there was none
    public void addSource(List<Place> again, List<SourceCursor> next, long first, @Nullable SourceState resumed) {
        begun = Math.max(begun, resumed == null ? first - 1 : resumed.begun());
        SourceMark mark = new SourceMark(resumed == null ? SourceCounts.NONE : resumed.counts());
        mark.again.addAll(again);
        next.forEach(cursor -> mark.next.put(cursor.epoch(), cursor.next()));
        sources.add(mark);
    }

    /// Adds a seeded merge.
    public void addDraws(MixProgress more) {
        draws.add(more);
    }

    /// Settles what comes of a mix in the order of its draws: what is dropped ahead of the consumer is settled when
    /// the consumer has come to it, because until then its draw may be made otherwise.
    public void settleInTurn(MixProgress mix) {
        mix.settlesInTurn();
        turns = new TurnQueue(mix);
    }

    /// Adds a gatherer whose state can be written.
    public void addEmissions(EmissionLog more) {
        emissions.add(more);
    }

    /// Takes over which parts of divided items an earlier run had settled.
    ///
    /// @param nodes   what that run had made its items from
    /// @param settled by division, the parts
    public void restore(NodeTable nodes, Map<Integer, String> settled) {
        restored = LineageNodes.finding(nodes);
        settledBefore.putAll(settled);
    }

    /// Finds what an earlier run had made its items from; called after [#restore].
    public LineageNodes restored() {
        return restored;
    }

    /// Records that the item at `position` has entered the run, and that the source will go on at `next`; null for
    /// a place that was read again.
    public Origin admit(int source, long epoch, Position position, @Nullable Position next) {
        Origin origin = new Origin(source, epoch, position);
        lock.lock();
        try {
            Origin last = unsettled.previous;
            origin.previous = last;
            origin.next = unsettled;
            last.next = origin;
            unsettled.previous = origin;
            inFlight++;
            if (next != null) {
                sources.get(source).next.put(epoch, next);
            } else {
                sources.get(source).again.remove(new Place(source, epoch, position));
            }
        } finally {
            lock.unlock();
        }
        return origin;
    }

    /// Records that a source has read `epoch` to its end.
    public void epochRead(int source, long epoch) {
        lock.lock();
        try {
            TreeMap<Long, Position> next = sources.get(source).next;
            next.remove(epoch);
            if (next.isEmpty()) {
                next.put(epoch + 1, Position.START);
            }
        } finally {
            lock.unlock();
        }
    }

    /// Records that nothing more will come of an item, which was dropped.
    public void settle(Lineage lineage) {
        lock.lock();
        try {
            if (turns == null || !turns.holds(lineage, null)) {
                settleLocked(lineage, Outcome.DROPPED);
            }
        } finally {
            lock.unlock();
        }
    }

    /// Records that nothing more will come of an item, whose epoch was left.
    public void leave(Lineage lineage) {
        lock.lock();
        try {
            settleLocked(lineage, Outcome.LEFT);
        } finally {
            lock.unlock();
        }
    }

    /// Records that an item was handed to the consumer.
    public void delivered(Lineage lineage) {
        lock.lock();
        try {
            settleLocked(lineage, Outcome.DELIVERED);
            if (turns != null) {
                settleHeld(turns.before(lineage));
            }
        } finally {
            lock.unlock();
        }
    }

    /// Records that the consumer has come to the end of an epoch.
    public void epochDelivered(long epoch) {
        lock.lock();
        try {
            if (turns != null) {
                settleHeld(turns.through(epoch));
            }
        } finally {
            lock.unlock();
        }
    }

    private void settleHeld(List<TurnQueue.Held> due) {
        for (TurnQueue.Held held : due) {
            FailureCount failure = held.failure();
            if (failure == null) {
                settleLocked(held.lineage(), Outcome.DROPPED);
            } else {
                skipLocked(held.lineage(), failure);
            }
        }
    }

    /// Records that a failed item was skipped.
    public void skip(Lineage lineage, FailureCount budget) {
        lock.lock();
        try {
            if (turns == null || !turns.holds(lineage, budget)) {
                skipLocked(lineage, budget);
            }
        } finally {
            lock.unlock();
        }
    }

    private void skipLocked(Lineage lineage, FailureCount budget) {
        if (lineage instanceof Element element) {
            element.batch.failed(budget);
        } else {
            budget.settleFailure();
        }
        settleLocked(lineage, Outcome.DROPPED);
    }

    /// Settles an item with all that it was made from: thousands of groups within each other are no reason for as
    /// many calls.
    private void settleLocked(Lineage lineage, Outcome outcome) {
        settling.settling(outcome);
        settleOne(lineage);
        settleParents();
    }

    /// Those that were divided come last, since what becomes of them is another matter.
    private void settleParents() {
        Lineage next = nextParent();
        while (next != null) {
            settleOne(next);
            next = nextParent();
        }
    }

    private @Nullable Lineage nextParent() {
        Lineage next = unsettledParents.pollLast();
        return next == null ? settling.nextDivided() : next;
    }

    /// Settles what is known of an item alone, and notes what it was made from.
    private void settleOne(Lineage lineage) {
        switch (lineage) {
            case Origin origin -> unlink(origin);
            case Group group -> {
                for (Lineage member : group.members) {
                    if (member instanceof Origin origin) {
                        unlink(origin);
                    } else {
                        unsettledParents.addLast(member);
                    }
                }
            }
            case Part part -> {
                part.split.settled.add(part.ordinal);
                part.split.settledCount++;
                part.split.left |= settling.outcome() == Outcome.LEFT;
                begun = Math.max(begun, part.split.parent.first().epoch);
                settleIfWhole(part.split);
            }
            case Drawn drawn -> {
                drawn.draws.settle(drawn.first().epoch, drawn.draw);
                unsettledParents.addLast(drawn.item);
            }
            case Thinned thinned -> {
                thinned.failures.forEach(FailureCount::settleFailure);
                unsettledParents.addLast(thinned.batch);
            }
            case Element element -> element.batch.missing(element.index);
        }
    }

    private void unlink(Origin origin) {
        if (origin.settled) {
            throw new IllegalStateException("settled twice: " + origin);
        }
        origin.settled = true;
        sources.get(origin.source).counts.settled(settling.outcome());
        begun = Math.max(begun, origin.epoch);
        origin.previous.next = origin.next;
        origin.next.previous = origin.previous;
        inFlight--;
    }

    /// Begins to divide an item in `stage`.
    public Split split(Lineage parent, String stage) {
        lock.lock();
        try {
            Split split = new Split(parent, stage);
            if (!settledBefore.isEmpty()) {
                String before = settledBefore.remove(restored.number(split));
                split.settled = before == null ? split.settled : Ordinals.parse(before, StateJson.MOST_PLACES);
            }
            splits.add(split);
            return split;
        } finally {
            lock.unlock();
        }
    }

    /// The next part of a divided item; null if an earlier run has settled it, so that it is not to be passed on.
    @Nullable
    public Part part(Split split) {
        lock.lock();
        try {
            long ordinal = split.emitted++;
            if (split.settled.contains(ordinal)) {
                split.settledCount++;
                return null;
            }
            return new Part(split, ordinal);
        } finally {
            lock.unlock();
        }
    }

    /// Records that a divided item has no more parts.
    ///
    /// @param skippedBy what counts a failure that ended it; null if it came to its end
    public void end(Split split, @Nullable FailureCount skippedBy) {
        lock.lock();
        try {
            split.ended = true;
            split.skippedBy = skippedBy;
            settleIfWhole(split);
            settleParents();
        } finally {
            lock.unlock();
        }
    }

    private void settleIfWhole(Split split) {
        if (split.isWhole()) {
            splits.remove(split);
            if (split.skippedBy != null) {
                split.skippedBy.settleFailure();
            }
            settling.whole(split);
        }
    }

    /// Records what a gatherer has emitted, and the state that this left. An emission of nothing settles its
    /// members.
    public void emitted(EmissionLog of, StateAt before, Group members, StateAt after, @Nullable Split split) {
        lock.lock();
        try {
            of.add(before, members, after, split);
            if (split == null) {
                settleLocked(members, Outcome.DROPPED);
            }
        } finally {
            lock.unlock();
        }
    }

    /// Records that an emission of an earlier run was made again, or nothing of its members, which settles them.
    public void madeAgain(EmissionLog of, EmissionLog.Emission emission, Group members, @Nullable Split split) {
        lock.lock();
        try {
            of.made(emission, split);
            if (split == null) {
                settleLocked(members, Outcome.DROPPED);
            }
        } finally {
            lock.unlock();
        }
    }

    /// Gives an item to the draw that comes next.
    ///
    /// @param choice where it came from, for draws that don't follow from their numbers, else
    ///     [MixProgress#UNRECORDED]
    /// @param state  the state that a choice of this run has left; null if there is none
    public Drawn draw(MixProgress of, Lineage item, int choice, @Nullable String state) {
        lock.lock();
        try {
            return new Drawn(item, of, state == null ? of.draw(choice) : of.draw(choice, state));
        } finally {
            lock.unlock();
        }
    }

    /// What an earlier run has chosen for the draw that comes next.
    public int recordedChoice(MixProgress of) {
        lock.lock();
        try {
            return of.choice();
        } finally {
            lock.unlock();
        }
    }

    /// Passes over the draw that comes next.
    public void skipDraw(MixProgress of) {
        lock.lock();
        try {
            of.skip();
        } finally {
            lock.unlock();
        }
    }

    /// The number of the next draw.
    public long nextDraw(MixProgress of) {
        lock.lock();
        try {
            return of.peek();
        } finally {
            lock.unlock();
        }
    }

    /// Whether the policy has ended the draws of the epoch.
    public boolean drawsEnded(MixProgress of) {
        lock.lock();
        try {
            return of.ended();
        } finally {
            lock.unlock();
        }
    }

    /// Ends the draws of the epoch.
    public void endDraws(MixProgress of) {
        lock.lock();
        try {
            of.end();
        } finally {
            lock.unlock();
        }
    }

    /// Begins an epoch of a merge; the state in which it goes on, null for that at the start.
    @Nullable
    public String startEpoch(MixProgress of, long epoch) {
        lock.lock();
        try {
            of.startEpoch(epoch);
            return of.state();
        } finally {
            lock.unlock();
        }
    }

    /// Source items that were admitted and are not settled.
    long inFlight() {
        lock.lock();
        try {
            return inFlight;
        } finally {
            lock.unlock();
        }
    }

    /// What became of the items of a source so far.
    public SourceCounts counts(int source) {
        lock.lock();
        try {
            return sources.get(source).counts.now();
        } finally {
            lock.unlock();
        }
    }

    /// What is not settled at this moment. Takes time proportional to the items in flight.
    ///
    /// @param budgets the failure budgets of the run, by stage
    public Snapshot snapshot(Map<String, ? extends FailureCount> budgets) {
        lock.lock();
        try {
            List<Place> pending = new ArrayList<>((int) inFlight);
            for (Origin origin = unsettled.next; origin != unsettled; origin = origin.next) {
                pending.add(new Place(origin.source, origin.epoch, origin.position));
            }
            sources.forEach(mark -> pending.addAll(mark.again));
            List<List<SourceCursor>> cursors = new ArrayList<>();
            List<SourceCounts> counts =
                    sources.stream().map(mark -> mark.counts.now()).toList();
            for (SourceMark mark : sources) {
                List<SourceCursor> goOn = new ArrayList<>();
                mark.next.forEach((epoch, next) -> goOn.add(new SourceCursor(epoch, next)));
                cursors.add(goOn);
            }
            Map<Split, String> partly = new HashMap<>();
            for (Split split : splits) {
                if (!split.settled.isEmpty()) {
                    partly.put(split, split.settled.toString());
                }
            }
            Map<String, List<MixState>> drawStates = new HashMap<>();
            draws.forEach(each -> drawStates.put(each.stage, each.states()));
            Map<String, EmissionLog.Left> states = new HashMap<>();
            Set<Split> kept = new HashSet<>();
            if (!emissions.isEmpty()) {
                partly.keySet().forEach(split -> addWithAncestors(split, kept));
            }
            // Later stages first: what they make again must get the same members from those before.
            for (EmissionLog each : emissions.reversed()) {
                EmissionLog.Left left = each.state(kept);
                states.put(each.stage, left);
                for (EmissionLog.Emission emission : left.again()) {
                    if (emission.members != null) {
                        emission.members.forEachSplit(split -> addWithAncestors(split, kept));
                    }
                }
            }
            Map<String, BudgetState> budgetStates = new LinkedHashMap<>();
            budgets.forEach((stage, budget) -> {
                if (budget.state().failures() > 0) {
                    budgetStates.put(stage, budget.state());
                }
            });
            return new Snapshot(
                    begun,
                    pending,
                    cursors,
                    counts,
                    partly,
                    drawStates,
                    states,
                    budgetStates,
                    Map.copyOf(settledBefore));
        } finally {
            lock.unlock();
        }
    }

    private static void addWithAncestors(Split split, Set<Split> all) {
        Deque<Split> left = new ArrayDeque<>(List.of(split));
        while (!left.isEmpty()) {
            Split next = left.removeLast();
            if (all.add(next)) {
                next.parent.forEachSplit(left::addLast);
            }
        }
    }

    /// Where a source will go on.
    public record SourceCursor(long epoch, Position next) {}

    /// What was not settled at one moment.
    ///
    /// @param begun         the last epoch of which something is settled: those after it are whole, however much of
    ///     them was read
    /// @param cursors       by source, where its epochs go on, in their order
    /// @param counts        by source, what became of its items
    /// @param settledBefore what an earlier run had settled of items that have not come again yet, by division
    public record Snapshot(
            long begun,
            List<Place> pending,
            List<List<SourceCursor>> cursors,
            List<SourceCounts> counts,
            Map<Split, String> partly,
            Map<String, List<MixState>> draws,
            Map<String, EmissionLog.Left> states,
            Map<String, BudgetState> budgets,
            Map<Integer, String> settledBefore) {}
}
