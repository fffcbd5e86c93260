package org.jspdl.pipeline.internal.tune;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspdl.pipeline.Tuning;
import org.jspdl.pipeline.internal.tune.Proposal.Move;
import org.jspdl.stats.TuningStats;
import org.jspdl.stats.TuningStep;
import org.jspdl.stats.TuningStep.Kind;
import org.jspecify.annotations.Nullable;

/// Chooses the numbers of a run's `auto` stages, from one look at the run after the other.
///
/// It waits for the run to warm up and measures its throughput. Then it tries what a model expects to help most, one
/// thing at a time, measures again, and keeps what has helped by more than the noise. When the model expects nothing of
/// more, it tries what might leave the consumer more of the processors, where those are short, or use them while the
/// consumer does not, and then what could be saved, and keeps what does no harm. What may have another reason is
/// measured once more without. Then it is settled, and watches whether the work changes. When memory becomes scarce,
/// it lowers something at once.
///
/// Throughput is what the consumer gets, whatever limits it: a trainer that is slowed down by its loader gets less.
/// So giving way to others needs no rule of its own. Knows neither clocks nor threads; used by one thread.
public final class Tuner {
    private static final double LEAST_SECONDS = 1;
    private static final double USUAL_SECONDS = 4;
    private static final double MOST_SECONDS = 15;
    private static final double WARM_UP_SECONDS = 10;
    private static final long LEAST_PASSED = 16;
    private static final long LEAST_DELIVERED = 4;
    /// What is known as well as this is not measured any longer.
    private static final double SMALL_ERROR = 0.01;
    /// What is known worse than this says nothing about a trial.
    private static final double MOST_ERROR = 0.1;
    /// What less costs is measured until it is known as well as this.
    private static final double MOST_ERROR_OF_LESS = 0.02;
    /// Code that is being compiled gets faster by more than this.
    private static final double WARM_TREND = 0.08;
    private static final double TRANSIT_SECONDS = 0.3;
    private static final double MOST_TRANSIT_SECONDS = 2;
    /// A change that uses less may cost this.
    private static final double MOST_LOSS = 0.01;
    private static final double MOST_LOSS_IN_ALL = 0.02;
    /// More that helps by less than this part of what was expected of it is measured again.
    private static final double DOUBTFUL = 0.25;
    private static final int MOST_TRIALS = 30;

    private final Settings settings;
    private @Nullable Look first;
    private @Nullable Look delivery;
    /// The look before something was raised.
    private @Nullable Look raised;
    private @Nullable Measurement current;
    private @Nullable Trial trial;
    private @Nullable Watcher watcher;
    private TuningStats.State state = TuningStats.State.WARMING_UP;
    private int link;
    private double changedAt = Double.NEGATIVE_INFINITY;
    private long changedPassed;
    private int transit;
    private double yieldedAt = Double.NEGATIVE_INFINITY;
    private final Map<Measurement.By, Double> best = new EnumMap<>(Measurement.By.class);
    /// What an item in flight takes: the most that was seen.
    private double bytesPerItem;
    private int trials;
    private int fruitlessWakes;
    private boolean keptSinceWake;

    /// @param undone whether it was tried before, as `before` tells, and now it is measured without
    private record Trial(Proposal proposal, Measurement before, boolean undone) {}

    /// A tuner of these knobs, which have the values that they start with.
    public Tuner(List<Knob> knobs) {
        settings = new Settings(knobs);
    }

    /// What it does.
    public TuningStats.State state() {
        return state;
    }

    /// Leaves what `tuning` has changed to whoever has changed it.
    public void release(Tuning tuning) {
        Knob.Kind kind = tuning instanceof Tuning.Concurrency ? Knob.Kind.CONCURRENCY : Knob.Kind.BUFFER;
        for (Knob knob : settings.knobs()) {
            if (knob.stage().equals(tuning.stage()) && knob.kind() == kind) {
                settings.release(knob);
                trial = null;
                current = null;
                watcher = null;
                state = TuningStats.State.MEASURING;
            }
        }
    }

    /// Shows the run as it is now; what is decided. The first look is at the start, others come a few times a
    /// second.
    public List<Action> look(Look now) {
        List<Action> actions = new ArrayList<>();
        if (first == null || delivery == null) {
            first = now;
            delivery = now;
        }
        if (now.stats().delivered() != delivery.stats().delivered()) {
            delivery = now;
        }
        learnSize(now);
        if (now.resources().isMemoryScarce()) {
            relieve(now, actions);
        }
        if (now.stats().delivered() == 0 || now.isPausedSince(delivery)) {
            current = null;
            if (watcher != null) {
                watcher.paused();
            }
        } else if (!inTransit(now)) {
            measure(now, actions);
        }
        return actions;
    }

    /// Memory has grown by the items in flight, and by other things that count as theirs.
    private void learnSize(Look now) {
        double sinceStart =
                now.resources().residentBytes() - known(first).resources().residentBytes();
        bytesPerItem = Math.max(bytesPerItem, sinceStart / Math.max(1, now.inFlight()));
        if (raised != null) {
            double sinceRaise =
                    now.resources().residentBytes() - raised.resources().residentBytes();
            bytesPerItem = Math.max(bytesPerItem, sinceRaise / Math.max(1, now.inFlight() - raised.inFlight()));
        }
    }

    /// Whether what comes out now was still made before the last change.
    private boolean inTransit(Look now) {
        double since = now.seconds() - changedAt;
        boolean passed = now.passed(link) - changedPassed >= transit;
        return since < TRANSIT_SECONDS || (!passed && since < MOST_TRANSIT_SECONDS);
    }

    private void measure(Look now, List<Action> actions) {
        if (current == null) {
            if (trial == null) {
                link = now.finestLink();
            }
            current = new Measurement(link, now);
            return;
        }
        current.add(now);
        if (now.mayBePausedSince(known(delivery)) || !isKnown(current)) {
            return;
        }
        Measurement measured = current;
        current = null;
        switch (state) {
            case OFF -> {}
            case WARMING_UP -> warmUp(measured, actions);
            case MEASURING -> decide(measured, actions);
            case TRYING -> judge(measured, actions);
            case SETTLED -> watch(measured, actions);
        }
    }

    private boolean isKnown(Measurement measured) {
        double seconds = measured.seconds();
        long delivered =
                measured.last().stats().delivered() - measured.first().stats().delivered();
        boolean enough = measured.passed() >= LEAST_PASSED && delivered >= LEAST_DELIVERED;
        double most = trial == null || trial.proposal.raises() ? MOST_ERROR : MOST_ERROR_OF_LESS;
        if (!enough || (trial != null && measured.error() > most)) {
            return seconds >= MOST_SECONDS;
        }
        return seconds >= (measured.error() <= SMALL_ERROR ? LEAST_SECONDS : USUAL_SECONDS);
    }

    private void warmUp(Measurement measured, List<Action> actions) {
        if (measured.trend() > WARM_TREND && measured.last().seconds() < WARM_UP_SECONDS) {
            return;
        }
        state = TuningStats.State.MEASURING;
        decide(measured, actions);
    }

    /// Tries what is expected to help, or settles.
    private void decide(Measurement measured, List<Action> actions) {
        for (Measurement.By by : Measurement.By.values()) {
            best.merge(by, measured.rate(by), Math::max);
        }
        Proposals proposals = new Proposals(settings, measured, bytesPerItem);
        Optional<Proposal> next = Optional.empty();
        if (trials < MOST_TRIALS) {
            next = proposals
                    .raise()
                    .or(proposals::fillBursts)
                    .or(proposals::giveWay)
                    .or(proposals::trade)
                    .or(proposals::trim);
        }
        if (next.isEmpty()) {
            settle(measured, actions);
            return;
        }
        trials++;
        Proposal proposal = next.get();
        for (Move move : proposal.moves()) {
            change(measured.last(), Kind.TRIED, move, proposal.predicted(), 0, proposal.why(), actions);
        }
        trial = new Trial(proposal, measured, false);
        state = TuningStats.State.TRYING;
    }

    /// Keeps what was tried, or undoes it.
    private void judge(Measurement after, List<Action> actions) {
        Trial judged = known(trial);
        trial = null;
        state = TuningStats.State.MEASURING;
        if (judged.undone) {
            judgeAgain(judged, after, actions);
            return;
        }
        Proposal proposal = judged.proposal;
        Comparison compared = new Comparison(judged.before, after);
        boolean keeps = proposal.raises() ? compared.helps() : doesNoHarm(compared);
        if (keeps && isDoubtful(proposal, compared)) {
            for (Move move : proposal.moves().reversed()) {
                String why = compared.told() + ", perhaps by itself: it is measured without once more";
                change(after.last(), Kind.TRIED, move.back(), proposal.predictedBack(), 0, why, actions);
            }
            trial = new Trial(proposal, after, true);
            state = TuningStats.State.TRYING;
        } else if (keeps) {
            for (Move move : proposal.moves()) {
                note(
                        after.last(),
                        Kind.KEPT,
                        move,
                        proposal.predicted(),
                        1 + compared.gain(),
                        compared.told(),
                        actions);
            }
            settings.keep(proposal);
            keptSinceWake = true;
            decide(after, actions);
        } else {
            for (Move move : proposal.moves().reversed()) {
                change(
                        after.last(),
                        Kind.REVERTED,
                        move.back(),
                        proposal.predicted(),
                        1 + compared.gain(),
                        compared.told(),
                        actions);
            }
            settings.refuse(proposal);
        }
    }

    /// Whether throughput may have changed by something else. A run that is still warming up gets faster whatever
    /// is tried, and what helps by far less than the model expects may have met a luckier time. Bursts are not
    /// measured again: what was read ahead would let the time without look better than it is.
    private static boolean isDoubtful(Proposal proposal, Comparison compared) {
        return switch (proposal.aim()) {
            case MORE -> compared.gain() < DOUBTFUL * (proposal.predicted() - 1);
            case BURSTS -> false;
            case GIVE_WAY, SAVE -> !compared.isPlain();
        };
    }

    private boolean doesNoHarm(Comparison compared) {
        return compared.isComparable()
                && compared.noise() <= MOST_ERROR
                && compared.gain() >= -MOST_LOSS
                && compared.after().rate(compared.by())
                        >= (1 - MOST_LOSS_IN_ALL) * best.getOrDefault(compared.by(), 0.0);
    }

    /// Goes back to what was tried if that is better than it is without, or no worse where it is less.
    private void judgeAgain(Trial judged, Measurement without, List<Action> actions) {
        Proposal proposal = judged.proposal;
        Comparison again = new Comparison(without, judged.before);
        Comparison back = new Comparison(judged.before, without);
        double predicted = proposal.predictedBack();
        double measured = 1 + back.gain();
        boolean keeps = proposal.raises()
                ? again.helps()
                : again.isComparable()
                        && back.isComparable()
                        && again.noise() <= MOST_ERROR
                        && again.gain() >= -MOST_LOSS;
        if (keeps) {
            for (Move move : proposal.moves()) {
                change(without.last(), Kind.REVERTED, move, predicted, measured, back.told(), actions);
            }
            settings.keep(proposal);
            keptSinceWake = true;
        } else {
            for (Move move : proposal.moves()) {
                note(without.last(), Kind.KEPT, move.back(), predicted, measured, back.told(), actions);
            }
            settings.refuse(proposal);
            decide(without, actions);
        }
    }

    private void settle(Measurement measured, List<Action> actions) {
        state = TuningStats.State.SETTLED;
        fruitlessWakes = keptSinceWake ? 0 : fruitlessWakes + 1;
        watcher = new Watcher(measured, fruitlessWakes);
        String why = String.format(
                Locale.ROOT,
                "no change is expected to help by %.0f %%; %s",
                100 * (Proposals.WORTH - 1),
                settings.knobs().isEmpty() ? "everything is tuned by hand" : settings);
        actions.add(state(measured.last(), Kind.SETTLED, why));
    }

    private void watch(Measurement measured, List<Action> actions) {
        if (watcher == null) {
            state = TuningStats.State.MEASURING;
            return;
        }
        String changed = watcher.changed(measured);
        if (changed.isEmpty()) {
            return;
        }
        watcher = null;
        settings.forget();
        best.clear();
        trials = 0;
        keptSinceWake = false;
        state = TuningStats.State.MEASURING;
        actions.add(state(measured.last(), Kind.WOKEN, changed));
    }

    /// Lowers what holds most, at most once a second.
    private void relieve(Look now, List<Action> actions) {
        if (now.seconds() - yieldedAt < 1) {
            return;
        }
        yieldedAt = now.seconds();
        String why = String.format(
                Locale.ROOT,
                "of %d MB of memory %d MB are left",
                now.resources().limitBytes() >> 20,
                Math.max(0, now.resources().headroomBytes()) >> 20);
        Optional<Move> largest = settings.knobs().stream()
                .filter(knob -> settings.value(knob) > knob.least())
                .map(knob -> new Move(knob, settings.value(knob), Math.max(knob.least(), settings.value(knob) / 2)))
                .max((one, other) -> Integer.compare(one.from() - one.to(), other.from() - other.to()));
        if (largest.isEmpty()) {
            return;
        }
        change(now, Kind.YIELDED, largest.get(), 0, 0, why, actions);
        trial = null;
        watcher = null;
        if (state != TuningStats.State.WARMING_UP) {
            state = TuningStats.State.MEASURING;
        }
    }

    private void change(
            Look now, Kind kind, Move move, double predicted, double measured, String why, List<Action> actions) {
        settings.set(move);
        raised = move.to() > move.from() ? now : null;
        changedAt = now.seconds();
        changedPassed = now.passed(link);
        transit = 2 * now.inFlight(link);
        current = null;
        actions.add(new Action(
                step(now, kind, move, predicted, measured, why),
                Optional.of(move.knob().to(move.to()))));
    }

    private static void note(
            Look now, Kind kind, Move move, double predicted, double measured, String why, List<Action> actions) {
        actions.add(new Action(step(now, kind, move, predicted, measured, why), Optional.empty()));
    }

    private static TuningStep step(Look now, Kind kind, Move move, double predicted, double measured, String why) {
        return new TuningStep(
                now.stats().elapsed(),
                kind,
                move.knob().stage(),
                move.knob().what(),
                move.from(),
                move.to(),
                predicted,
                measured,
                why);
    }

    private static Action state(Look now, Kind kind, String why) {
        return new Action(new TuningStep(now.stats().elapsed(), kind, "", "", 0, 0, 0, 0, why), Optional.empty());
    }

    private static <T> T known(@Nullable T value) {
        if (value == null) {
            throw new IllegalStateException("the tuner was not shown the run yet");
        }
        return value;
    }

    @Override
    public String toString() {
        return state + ": " + settings;
    }
}
