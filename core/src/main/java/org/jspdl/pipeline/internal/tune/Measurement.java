package org.jspdl.pipeline.internal.tune;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleBiFunction;
import org.jspdl.stats.PipelineStats;

/// The throughput of a run while nothing is changed, with its error. Used by one thread.
///
/// It is measured in two ways. Items are many, so they tell in a second what a loader that limits the run can do. The
/// consumer's steps are few, and their times exact: they tell how long a step takes where the consumer limits, while
/// items come in bursts.
final class Measurement {
    private static final int PARTS = 5;

    private final int link;
    private final List<Look> looks = new ArrayList<>();

    /// How throughput is measured.
    enum By {
        ITEMS,
        STEPS
    }

    /// @param link which link the items pass that are counted
    Measurement(int link, Look first) {
        this.link = link;
        looks.add(first);
    }

    void add(Look look) {
        looks.add(look);
    }

    Look first() {
        return looks.getFirst();
    }

    Look last() {
        return looks.getLast();
    }

    double seconds() {
        return last().seconds() - first().seconds();
    }

    long passed() {
        return last().passed(link) - first().passed(link);
    }

    /// Items or steps per second.
    double rate(By by) {
        return way(by).applyAsDouble(first(), last());
    }

    private ToDoubleBiFunction<Look, Look> way(By by) {
        return switch (by) {
            case ITEMS ->
                (from, to) -> ratio((double) to.passed(link) - from.passed(link), to.seconds() - from.seconds());
            case STEPS ->
                (from, to) -> ratio(
                        (double) to.stats().delivered() - from.stats().delivered(),
                        to.stepSeconds() - from.stepSeconds());
        };
    }

    private static double ratio(double number, double seconds) {
        return seconds <= 0 ? 0 : number / seconds;
    }

    /// How much faster the second half was than the first: 0.1 is a tenth.
    double trend() {
        Look middle = looks.get(looks.size() / 2);
        double before = way(By.ITEMS).applyAsDouble(first(), middle);
        return before <= 0 ? 1 : way(By.ITEMS).applyAsDouble(middle, last()) / before - 1;
    }

    /// The standard error of the rate, as part of it; 1 if there is too little to tell.
    double error(By by) {
        int parts = Math.min(PARTS, looks.size() - 1);
        double mean = rate(by);
        if (parts < 3 || mean <= 0) {
            return 1;
        }
        double squares = 0;
        for (int i = 0; i < parts; i++) {
            Look from = looks.get(i * (looks.size() - 1) / parts);
            Look to = looks.get((i + 1) * (looks.size() - 1) / parts);
            double rate = way(by).applyAsDouble(from, to);
            if (rate <= 0) {
                return 1;
            }
            squares += (rate / mean - 1) * (rate / mean - 1);
        }
        return Math.min(1, Math.sqrt(squares / (parts - 1) / parts));
    }

    /// The smaller of the errors.
    double error() {
        return Math.min(error(By.ITEMS), error(By.STEPS));
    }

    /// The way in which this and `other` are known best, taken together.
    By best(Measurement other) {
        double items = Math.hypot(error(By.ITEMS), other.error(By.ITEMS));
        double steps = Math.hypot(error(By.STEPS), other.error(By.STEPS));
        return items <= steps ? By.ITEMS : By.STEPS;
    }

    /// What happened meanwhile.
    PipelineStats interval() {
        return last().stats().since(first().stats());
    }

    /// The share of the time that the consumer waited.
    double starved() {
        PipelineStats interval = interval();
        double all = interval.elapsed().toNanos();
        return all <= 0 ? 0 : Math.min(1, interval.consumerWait().toNanos() / all);
    }

    double processorsUsed() {
        return last().resources().used(first().resources());
    }

    double processorsUsedByOthers() {
        return last().resources().usedByOthers(first().resources());
    }

    double processorsAvailable() {
        return last().resources().available(first().resources());
    }
}
