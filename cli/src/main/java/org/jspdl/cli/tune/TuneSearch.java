package org.jspdl.cli.tune;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspdl.cli.tune.Knob.Kind;

/// Chooses which settings to try: a pattern search (Hooke and Jeeves, 1961) over numbers that are doubled and halved
/// first, and changed by half as much afterwards.
///
/// From the best so far it moves one knob, or all workers together, and goes on in a direction that helps. A move
/// upwards must give more; one downwards is kept if it costs hardly anything, since fewer workers leave processors and
/// memory to the trainer. Given the same measurements it tries the same settings. Used by one thread.
public final class TuneSearch {
    /// What a move upwards must give, and all moves downwards together may cost.
    static final double GAIN = 0.02;

    static final double LOSS = 0.01;

    private static final double[] FACTORS = {2, 1.4};

    private record Move(List<Knob> knobs, boolean up) {}

    private final List<Knob> knobs;
    private final List<Move> moves = new ArrayList<>();
    private final Set<Setting> tried = new HashSet<>();
    private Setting best;
    private double bestRate;
    private double top;
    private boolean fits;
    private int phase;
    private int move;
    private int inVain;
    private Optional<Setting> asked = Optional.empty();

    /// A search over `knobs`, from their starts.
    public TuneSearch(List<Knob> knobs) {
        this.knobs = List.copyOf(knobs);
        this.best = Setting.start(knobs);
        List<Knob> workers =
                knobs.stream().filter(knob -> knob.kind() == Kind.WORKERS).toList();
        for (boolean up : new boolean[] {true, false}) {
            workers.forEach(knob -> moves.add(new Move(List.of(knob), up)));
            if (up && workers.size() > 1) {
                moves.add(new Move(workers, true));
            }
            knobs.stream()
                    .filter(knob -> knob.kind() != Kind.WORKERS)
                    .forEach(knob -> moves.add(new Move(List.of(knob), up)));
        }
    }

    /// What to measure next; empty once there is nothing left to try.
    public Optional<Setting> next() {
        asked = tried.isEmpty() ? Optional.of(best) : fits ? candidate() : smaller();
        return asked;
    }

    /// As long as nothing fits the budget, everything becomes smaller.
    private Optional<Setting> smaller() {
        return Optional.of(best.scaled(knobs, 0.5)).filter(each -> !tried.contains(each));
    }

    private Optional<Setting> candidate() {
        for (; phase < FACTORS.length; phase++, move = 0, inVain = 0) {
            for (; inVain < moves.size(); next(move)) {
                Move way = moves.get(move);
                Setting moved = best.scaled(way.knobs, way.up ? FACTORS[phase] : 1 / FACTORS[phase]);
                if (!tried.contains(moved)) {
                    return Optional.of(moved);
                }
            }
        }
        return Optional.empty();
    }

    private void next(int tried) {
        move = (tried + 1) % moves.size();
        inVain++;
    }

    /// Says what the setting that was [asked for][#next] gives.
    ///
    /// @param rate   items per second
    /// @param within whether it stayed within the budget
    public void measured(double rate, boolean within) {
        Setting setting = asked.orElseThrow(() -> new IllegalStateException("nothing was to be measured"));
        asked = Optional.empty();
        boolean first = tried.isEmpty();
        tried.add(setting);
        if (!fits) {
            best = setting;
            bestRate = rate;
            top = rate;
            fits = within;
            return;
        }
        Move way = moves.get(move);
        boolean better = way.up ? rate > bestRate * (1 + GAIN) : rate >= top * (1 - LOSS);
        if (!first && within && better) {
            best = setting;
            bestRate = rate;
            top = Math.max(top, rate);
            inVain = 0;
        } else {
            next(move);
        }
    }

    /// The best setting so far; empty if none that was tried stays within the budget.
    public Optional<Setting> best() {
        return fits ? Optional.of(best) : Optional.empty();
    }
}
