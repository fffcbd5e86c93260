package org.jspdl.pipeline.internal.tune;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspdl.pipeline.internal.tune.Proposal.Aim;

/// The values of all knobs, and which of them are still to be tried. Used by one thread.
final class Settings {
    private static final int MOST_FAILURES = 2;

    private final Map<Knob, Integer> values = new LinkedHashMap<>();
    private final Map<Knob, Integer> ceilings = new LinkedHashMap<>();
    private final Map<Knob, Integer> floors = new LinkedHashMap<>();
    private final Map<Knob, Integer> failures = new LinkedHashMap<>();
    private final Set<List<Proposal.Move>> refused = new HashSet<>();
    private boolean oneByOne;

    Settings(List<Knob> knobs) {
        knobs.forEach(knob -> values.put(knob, knob.start()));
        forget();
    }

    /// Lets everything be tried again, since the work has changed.
    void forget() {
        failures.clear();
        refused.clear();
        oneByOne = false;
        values.keySet().forEach(knob -> {
            ceilings.put(knob, knob.most());
            floors.put(knob, knob.least());
        });
    }

    /// Whether several changes at once have failed.
    boolean isOneByOne() {
        return oneByOne;
    }

    List<Knob> knobs() {
        return List.copyOf(values.keySet());
    }

    int value(Knob knob) {
        return values.getOrDefault(knob, knob.start());
    }

    int ceiling(Knob knob) {
        return ceilings.getOrDefault(knob, knob.most());
    }

    int floor(Knob knob) {
        return floors.getOrDefault(knob, knob.least());
    }

    void set(Proposal.Move move) {
        values.replace(move.knob(), move.to());
    }

    /// Leaves a knob alone from now on.
    void release(Knob knob) {
        values.remove(knob);
    }

    /// Whether these moves together were not undone before.
    boolean mayTry(List<Proposal.Move> moves) {
        return !refused.contains(moves);
    }

    /// Notes that `proposal`, which is undone, didn't do what was expected of it.
    void refuse(Proposal proposal) {
        if (proposal.aim() == Aim.BURSTS) {
            refused.add(proposal.moves());
            return;
        }
        if (proposal.moves().size() > 1) {
            oneByOne = true;
            return;
        }
        for (Proposal.Move move : proposal.moves()) {
            Knob knob = move.knob();
            int failed = failures.merge(knob, 1, Integer::sum);
            if (proposal.raises()) {
                ceilings.put(knob, failed >= MOST_FAILURES ? move.from() : move.to() - 1);
            } else {
                floors.put(knob, move.from());
            }
        }
    }

    /// Notes that `proposal` is kept. More of what is lowered isn't tried again until the work changes. What the
    /// model didn't expect to help it doesn't know to be of no use either; and where the consumer gets more of the
    /// processors, more of another stage may help that didn't before.
    void keep(Proposal proposal) {
        if (proposal.aim() == Aim.GIVE_WAY || proposal.aim() == Aim.BURSTS) {
            failures.clear();
            refused.clear();
            values.keySet().stream()
                    .filter(knob -> floor(knob) < ceiling(knob))
                    .forEach(knob -> ceilings.put(knob, knob.most()));
        }
        for (Proposal.Move move : proposal.moves()) {
            if (move.to() < move.from()) {
                ceilings.put(move.knob(), move.to());
                floors.put(move.knob(), move.to());
            } else if (proposal.aim() == Aim.BURSTS) {
                floors.put(move.knob(), move.to());
            }
        }
    }

    @Override
    public String toString() {
        return values.entrySet().stream()
                .map(each -> each.getKey().what() + " of '" + each.getKey().stage() + "' " + each.getValue())
                .collect(Collectors.joining(", "));
    }
}
