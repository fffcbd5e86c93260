package org.jspdl.pipeline.internal.lineage;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspdl.pipeline.internal.checkpoint.RunState.MixState;
import org.jspecify.annotations.Nullable;

/// The numbers of the draws of one merge: for each epoch under way, which come next and which are not settled. Of a
/// merge whose order the user's code chooses, also what was chosen, and the state that this left.
///
/// Guarded by the ledger's lock.
public final class MixProgress {
    /// The choice of a draw that follows from its number.
    public static final int UNRECORDED = -1;

    final String stage;
    private final TreeMap<Long, Epoch> epochs = new TreeMap<>();
    private Epoch current = new Epoch();
    /// Whether draws are settled in their order, and others may take their places until then.
    private boolean inTurn;

    /// The draws of one epoch, each with its choice.
    private static final class Epoch {
        final TreeMap<Long, Integer> open = new TreeMap<>();
        final TreeMap<Long, Integer> again = new TreeMap<>();
        long next;

        @Nullable
        String state;
    }

    public MixProgress(String stage) {
        this.stage = stage;
    }

    /// Goes on where an earlier run stood: in each epoch with the draws that were open, then with the next.
    public void restore(List<MixState> states) {
        for (MixState state : states) {
            Epoch epoch = new Epoch();
            epoch.next = state.next();
            epoch.state = state.text();
            for (int i = 0; i < state.open().size(); i++) {
                int choice =
                        state.choices().isEmpty() ? UNRECORDED : state.choices().get(i);
                epoch.again.put(state.open().get(i), choice);
            }
            epochs.put(state.epoch(), epoch);
        }
    }

    void startEpoch(long epoch) {
        current = epochs.computeIfAbsent(epoch, number -> new Epoch());
        if (!inTurn) {
            epochs.headMap(epoch).values().removeIf(past -> past.open.isEmpty());
        }
    }

    /// Makes draws go on where the consumer stands, since those that are not settled may be made otherwise: they
    /// are settled in their order, and an epoch is kept until it is [delivered][#delivered].
    void settlesInTurn() {
        inTurn = true;
    }

    /// Forgets an epoch and those before it.
    void delivered(long epoch) {
        epochs.headMap(epoch, true).clear();
    }

    /// The state behind the draws that were made so far; null for that at the start.
    @Nullable
    String state() {
        return current.state;
    }

    /// The number of the next draw.
    long peek() {
        return current.again.isEmpty() ? current.next : current.again.firstKey();
    }

    /// What an earlier run has chosen for the next draw.
    int choice() {
        return current.again.isEmpty() ? UNRECORDED : current.again.firstEntry().getValue();
    }

    /// Passes over the next draw.
    void skip() {
        if (current.again.pollFirstEntry() == null) {
            current.next++;
        }
    }

    /// Makes the next draw, which is open until it is [settled][#settle].
    long draw(int choice) {
        long draw = peek();
        skip();
        current.open.put(draw, choice);
        return draw;
    }

    /// As [#draw(int)], where the choice was made now, and has left a state.
    long draw(int choice, String state) {
        current.state = state;
        return draw(choice);
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
        current.state = null;
    }

    boolean ended() {
        return current.again.isEmpty() && current.next == Long.MAX_VALUE;
    }

    List<MixState> states() {
        List<MixState> states = new ArrayList<>();
        epochs.forEach((number, epoch) -> {
            TreeMap<Long, Integer> open = new TreeMap<>(epoch.open);
            open.putAll(epoch.again);
            if (inTurn) {
                long next = open.isEmpty() ? epoch.next : Math.min(open.firstKey(), epoch.next);
                states.add(new MixState(number, next, List.of(), List.of(), null));
                return;
            }
            List<Integer> choices = open.values().stream()
                    .filter(choice -> choice != UNRECORDED)
                    .toList();
            states.add(new MixState(number, epoch.next, List.copyOf(open.keySet()), choices, epoch.state));
        });
        return states;
    }
}
