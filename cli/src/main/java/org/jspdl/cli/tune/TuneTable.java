package org.jspdl.cli.tune;

import java.util.Locale;
import org.jspdl.cli.tune.TuneSession.Outcome;
import org.jspdl.cli.tune.TuneSession.Purpose;
import org.jspdl.cli.tune.TuneSession.Step;
import org.jspdl.observe.text.Figures;

/// What was tried, for a person.
public final class TuneTable {
    private TuneTable() {}

    /// The head of the table.
    ///
    /// @param items what is counted, such as "images"
    public static String head(String items) {
        return row(items + "/s", "+-", "memory", "", "setting");
    }

    /// A line of the table.
    public static String line(Step step) {
        String rate = step.trial()
                .throughput()
                .map(each -> Figures.rate(each.perSecond()))
                .orElse("-");
        String error = step.trial()
                .throughput()
                .map(each -> Figures.rate(each.error()))
                .orElse("-");
        String what = switch (step.purpose()) {
            case WARM_UP -> "warm-up";
            case CHECK -> "again";
            case SEARCH -> !step.trial().fits() ? "too much memory" : step.better() ? "best so far" : "";
        };
        return row(
                rate,
                error,
                Figures.bytes(step.trial().resident()),
                what,
                step.trial().setting().toString());
    }

    private static String row(String rate, String error, String memory, String what, String setting) {
        return String.format(Locale.ROOT, "  %10s %8s %14s  %-16s %s", rate, error, memory, what, setting);
    }

    /// How it ended.
    public static String end(Outcome outcome) {
        long tried = outcome.steps().stream()
                .filter(step -> step.purpose() == Purpose.SEARCH)
                .count();
        String after = " after " + Figures.counted(tried, "setting", "settings");
        if (outcome.best().isEmpty()) {
            return outcome.interrupted() && tried == 0
                    ? "Interrupted before the first measurement."
                    : "No setting stayed within the budget" + after + ".";
        }
        String best = outcome.best().get().toString();
        String gain = outcome.gain()
                .map(factor -> String.format(
                        Locale.ROOT,
                        " Measured again in alternation with the start, it gives %+.0f %%.",
                        100 * (factor - 1)))
                .orElse("");
        if (outcome.best().get().equals(outcome.start())) {
            return "Nothing better than the start" + after + ": " + best + "."
                    + (gain.isEmpty() ? "" : " What seemed better was not, measured again.");
        }
        return "Best" + after + ": " + best + "." + gain;
    }
}
