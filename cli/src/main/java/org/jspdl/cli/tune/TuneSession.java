package org.jspdl.cli.tune;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspdl.cli.tune.Trials.Trial;

/// Searches for a given time: warms up, lets a [TuneSearch] choose what is measured, and at the end measures the best
/// and the start again, in alternation. An interrupt ends it with the best so far. Used once, by one thread.
public final class TuneSession {
    /// A trial takes this part of the time, within limits.
    private static final int TRIALS = 40;

    private static final Duration SHORTEST = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofSeconds(8);
    private static final int CHECKS = 2;

    private final TuneSearch search;
    private final Setting start;
    private final Measurer measurer;
    private final LongSupplier clock;
    private final List<Step> steps = new ArrayList<>();

    /// Measures a setting for about as long as it is told.
    @FunctionalInterface
    public interface Measurer {
        /// One measurement.
        Trial measure(Setting setting, Duration time) throws InterruptedException;
    }

    /// Is told of each measurement.
    @FunctionalInterface
    public interface Listener {
        /// `step` was made.
        void stepped(Step step);
    }

    /// What was measured, and what it was for.
    public record Step(Purpose purpose, Trial trial, boolean better) {}

    /// Why a setting is measured.
    public enum Purpose {
        /// Code is compiled first; it counts for nothing.
        WARM_UP,
        /// The search wants to know.
        SEARCH,
        /// The best and the start are compared at the end.
        CHECK
    }

    /// How it ended.
    ///
    /// @param steps       all measurements
    /// @param start       what the plan had
    /// @param best        what is best; empty if nothing stayed within the budget
    /// @param gain        throughput of the best as a multiple of the start's, from the alternating measurements;
    ///     empty if they were not made
    /// @param interrupted whether it was ended early
    public record Outcome(
            List<Step> steps, Setting start, Optional<Setting> best, Optional<Double> gain, boolean interrupted) {}

    /// A session over `knobs`.
    ///
    /// @param clock as [System#nanoTime]
    public TuneSession(List<Knob> knobs, Measurer measurer, LongSupplier clock) {
        this.search = new TuneSearch(knobs);
        this.start = Setting.start(knobs);
        this.measurer = measurer;
        this.clock = clock;
    }

    /// Searches for about `time`.
    public Outcome run(Duration time, Listener listener) {
        Duration each = time.dividedBy(TRIALS);
        each = each.compareTo(SHORTEST) < 0 ? SHORTEST : each.compareTo(LONGEST) > 0 ? LONGEST : each;
        long end = clock.getAsLong() + time.toNanos();
        long searchEnd = end - 2L * CHECKS * each.toNanos();
        try {
            step(Purpose.WARM_UP, start, each.multipliedBy(2), listener);
            Optional<Setting> next = search.next();
            do { // the start at least, however short the time is
                step(Purpose.SEARCH, next.orElseThrow(), each, listener);
                next = search.next();
            } while (next.isPresent() && clock.getAsLong() + each.toNanos() <= searchEnd);
            return checked(each, listener);
        } catch (InterruptedException stop) {
            return new Outcome(List.copyOf(steps), start, search.best(), Optional.empty(), true);
        }
    }

    private Trial step(Purpose purpose, Setting setting, Duration time, Listener listener) throws InterruptedException {
        Trial trial = measurer.measure(setting, time);
        boolean better = false;
        if (purpose == Purpose.SEARCH) {
            search.measured(trial.rate(), trial.fits() && trial.rate() > 0);
            better = search.best().filter(setting::equals).isPresent();
        }
        Step step = new Step(purpose, trial, better);
        steps.add(step);
        listener.stepped(step);
        return trial;
    }

    private Outcome checked(Duration each, Listener listener) throws InterruptedException {
        Optional<Setting> best = search.best();
        boolean startFits = steps.stream()
                .anyMatch(step ->
                        step.purpose == Purpose.SEARCH && step.trial.setting().equals(start) && step.trial.fits());
        if (best.isEmpty() || best.get().equals(start) || !startFits) {
            return new Outcome(List.copyOf(steps), start, best, Optional.empty(), false);
        }
        double ofStart = 0;
        double ofBest = 0;
        for (int i = 0; i < CHECKS; i++) {
            ofStart += step(Purpose.CHECK, start, each, listener).rate();
            ofBest += step(Purpose.CHECK, best.get(), each, listener).rate();
        }
        double gain = ofStart <= 0 ? 1 : ofBest / ofStart;
        boolean kept = gain >= 1 - TuneSearch.GAIN;
        return new Outcome(List.copyOf(steps), start, Optional.of(kept ? best.get() : start), Optional.of(gain), false);
    }
}
