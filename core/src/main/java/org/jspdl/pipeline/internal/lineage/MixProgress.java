package org.jspdl.pipeline.internal.lineage;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspdl.pipeline.internal.checkpoint.RunState.MixState;

/// The numbers of the draws of one seeded merge: for each epoch under way, which come next and which are not settled.
/// Guarded by the ledger's lock.
public final class MixProgress {
    final String stage;
    private final TreeMap<Long, Epoch> epochs = new TreeMap<>();
    private Epoch current = new Epoch();

    /// The draws of one epoch.
    private static final class Epoch {
        final TreeSet<Long> open = new TreeSet<>();
        final ArrayDeque<Long> again = new ArrayDeque<>();
        long next;
    }

    public MixProgress(String stage) {
        this.stage = stage;
    }

    /// Goes on where an earlier run stood: in each epoch with the draws that were open, then with the next.
    public void restore(List<MixState> states) {
        for (MixState state : states) {
            Epoch epoch = new Epoch();
            epoch.next = state.next();
            epoch.again.addAll(state.open());
            epochs.put(state.epoch(), epoch);
        }
    }

    void startEpoch(long epoch) {
        current = epochs.computeIfAbsent(epoch, number -> new Epoch());
        epochs.headMap(epoch).values().removeIf(past -> past.open.isEmpty());
    }

    /// The number of the next draw.
    long peek() {
        Long repeated = current.again.peekFirst();
        return repeated != null ? repeated : current.next;
    }

    /// Passes over the next draw.
    void skip() {
        if (current.again.pollFirst() == null) {
            current.next++;
        }
    }

    /// Makes the next draw, which is open until it is [settled][#settle].
    long draw() {
        long draw = peek();
        skip();
        current.open.add(draw);
        return draw;
    }

    void settle(long epoch, long draw) {
        Epoch of = epochs.get(epoch);
        if (of != null) {
            of.open.remove(draw);
        }
    }

    /// Records that the epoch has no more draws.
    void end() {
        current.again.clear();
        current.next = Long.MAX_VALUE;
    }

    boolean ended() {
        return current.again.isEmpty() && current.next == Long.MAX_VALUE;
    }

    List<MixState> states() {
        List<MixState> states = new ArrayList<>();
        epochs.forEach((number, epoch) -> {
            TreeSet<Long> open = new TreeSet<>(epoch.open);
            open.addAll(epoch.again);
            states.add(new MixState(number, epoch.next, List.copyOf(open)));
        });
        return states;
    }
}
