package org.jspdl.observe.faults;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;

/// What a diagnosis said of a case, and what its remedy gave.
///
/// @param said   what was said of the case as it is
/// @param found  whether the first finding was the fault
/// @param given  batches per second with the remedy
record FaultScore(FaultCase fault, Verdict said, boolean found, double given) {
    private static final double TOLERANCE = 0.15;

    /// Runs the case as it is and with its remedy.
    static FaultScore of(FaultCase fault, Duration time, Path folder) throws Exception {
        Verdict said = Verdict.of(fault, false, time, folder);
        boolean found = said.limit() == fault.fault().limit()
                && (!fault.fault().hasStage()
                        || said.stage()
                                .equals(fault.stages().get(fault.faulty()).name()));
        return new FaultScore(
                fault, said, found, Verdict.of(fault, true, time, folder).rate());
    }

    /// Whether the prediction was within 15 % of what the change gave.
    boolean predictedWell() {
        return Math.abs(said.predicted() - given) <= TOLERANCE * given;
    }

    /// One line of a file: seed, fault, `found` or `missed`, `well` or `badly`, rate, predicted and given rate, and
    /// what was said.
    String line() {
        return String.format(
                Locale.ROOT,
                "%d\t%s\t%s\t%s\t%.1f\t%.1f\t%.1f\t%s",
                fault.seed(),
                fault.fault(),
                found ? "found" : "missed",
                predictedWell() ? "well" : "badly",
                said.rate(),
                said.predicted(),
                given,
                said.words().replaceAll("\\s+", " "));
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%s %s %.1f/s, predicted %.1f, given %.1f: %s%n    said: %s",
                found ? "found " : "MISSED",
                predictedWell() ? "well " : "BADLY",
                said.rate(),
                said.predicted(),
                given,
                fault,
                said.words());
    }
}
